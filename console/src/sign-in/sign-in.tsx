/** Signs in with name and password. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { PasswordField } from '../parts/proof-fields.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { useForget } from './forget.ts';
import { SignInLayout } from './layout.tsx';

export default function SignIn() {
  const say = useText();
  useForget();
  const afterSignIn = useAfterSignIn();
  const signIn = useAct('signIn');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <SignInLayout title={say('signIn.title')}>
      <Form
        onSubmit={() => signIn.mutate({ body: { name, password } }, { onSuccess: afterSignIn })}
      >
        <TextField
          label={say('signIn.name')}
          value={name}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
          slotProps={{
            htmlInput: {
              autoComplete: 'username',
              autoCapitalize: 'none',
              dir: 'ltr',
              spellCheck: false,
            },
          }}
        />
        <PasswordField label={say('signIn.password')} value={password} onType={setPassword} />
        <ErrorState error={signIn.error} />
        <Button type="submit" variant="contained" loading={signIn.isPending}>
          {say('signIn.submit')}
        </Button>
      </Form>
    </SignInLayout>
  );
}
