/** Sets an account's password through its one-time setup link. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useAfterSignIn } from './after-sign-in.ts';
import { SignInLayout } from './layout.tsx';
import { differ, NewPassword, nothingTyped } from './new-password.tsx';

/** In the fragment, which no server and no log sees; removed from the address at once. */
const takeToken = (): string => {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
};

export default function SetUp() {
  const say = useText();
  const afterSignIn = useAfterSignIn();
  const setUp = useAct('setUp');
  const [token] = useState(takeToken);
  const [typed, setTyped] = useState(nothingTyped);
  const [complain, setComplain] = useState(false);
  const submit = (): void => {
    setComplain(true);
    if (differ(typed)) return;
    setUp.mutate({ body: { token, password: typed.password } }, { onSuccess: afterSignIn });
  };
  return (
    <SignInLayout title={say('signIn.setupTitle')}>
      {token === '' ? (
        <Alert severity="warning" variant="outlined">
          {say('signIn.setupMissing')}
        </Alert>
      ) : (
        <Form onSubmit={submit}>
          <Typography>{say('signIn.setupText')}</Typography>
          <NewPassword typed={typed} onType={setTyped} complain={complain} />
          <ErrorState error={setUp.error} />
          <Button type="submit" variant="contained" loading={setUp.isPending}>
            {say('signIn.setupSubmit')}
          </Button>
        </Form>
      )}
    </SignInLayout>
  );
}
