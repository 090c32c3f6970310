/** Changes the user's own password. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { PasswordField } from '../parts/proof-fields.tsx';
import { differ, NewPassword, nothingTyped } from '../sign-in/new-password.tsx';

export const Password = () => {
  const say = useText();
  const done = useDone();
  const change = useAct('changeMyPassword', { changes: ['getMe'] });
  const [current, setCurrent] = useState('');
  const [typed, setTyped] = useState(nothingTyped);
  const [complain, setComplain] = useState(false);
  const changed = (): void => {
    setCurrent('');
    setTyped(nothingTyped);
    setComplain(false);
    done('ownAccount.changed');
  };
  const submit = (): void => {
    setComplain(true);
    if (differ(typed)) return;
    change.mutate({ body: { current, password: typed.password } }, { onSuccess: changed });
  };
  return (
    <Section title={say('ownAccount.password')}>
      <Form onSubmit={submit} label={say('ownAccount.password')}>
        <Typography>{say('ownAccount.passwordText')}</Typography>
        <PasswordField label={say('ownAccount.current')} value={current} onType={setCurrent} />
        <NewPassword typed={typed} onType={setTyped} complain={complain} />
        <ErrorState error={change.error} />
        <div>
          <Button type="submit" variant="contained" loading={change.isPending}>
            {say('ownAccount.change')}
          </Button>
        </div>
      </Form>
    </Section>
  );
};
