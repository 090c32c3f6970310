/** Owns the page on which somebody signs in. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Form } from '../parts/form.tsx';
import { PasswordField } from '../parts/proof-fields.tsx';
import { useEnter } from './after-sign-in.ts';
import { Entrance } from './layout.tsx';

export default function SignIn() {
  const say = useText();
  const enter = useEnter();
  const signIn = useAct('signIn');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <Entrance title={say('signIn.title')}>
      <Form onSubmit={() => signIn.mutate({ body: { name, password } }, { onSuccess: enter })}>
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
        <ErrorNotice error={signIn.error} />
        <Button type="submit" variant="contained" loading={signIn.isPending}>
          {say('signIn.submit')}
        </Button>
      </Form>
    </Entrance>
  );
}
