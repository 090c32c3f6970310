/** Owns the page on which the code of the second factor is sent. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAct } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Form } from '../parts/form.tsx';
import { CodeField, codeIn } from '../parts/proof-fields.tsx';
import { useEnter } from './enter.ts';
import { Entrance } from './entrance.tsx';

export default function SendCode() {
  const say = useText();
  const enter = useEnter();
  const sendCode = useAct('sendCode');
  const [code, setCode] = useState('');
  const submit = (): void =>
    sendCode.mutate({ body: { code: codeIn(code) } }, { onSuccess: enter });
  return (
    <Entrance title={say('signIn.codeTitle')}>
      <Form onSubmit={submit}>
        <Typography>{say('signIn.codeText')}</Typography>
        <CodeField label={say('signIn.code')} value={code} onType={setCode} autoFocus />
        <ErrorNotice error={sendCode.error} />
        <Button type="submit" variant="contained" loading={sendCode.isPending}>
          {say('signIn.codeSubmit')}
        </Button>
        <Button component={Link} to="/login">
          {say('signIn.startOver')}
        </Button>
      </Form>
    </Entrance>
  );
}
