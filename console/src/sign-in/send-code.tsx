/** Asks for the second factor: a code, a recovery code or a passkey. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAct, useRead } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useText } from '../i18n/text.ts';
import { CodeField, codeIn } from '../parts/proof-fields.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { SignInLayout } from './layout.tsx';
import { UsePasskey } from './use-passkey.tsx';

const RecoveryField = ({
  value,
  onType,
}: {
  readonly value: string;
  readonly onType: (text: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      label={say('safety.recoveryCode')}
      value={value}
      required
      autoFocus
      onChange={({ target }) => onType(target.value)}
      slotProps={{
        htmlInput: {
          dir: 'ltr',
          maxLength: 40,
          autoComplete: 'off',
          autoCapitalize: 'none',
          spellCheck: false,
        },
      }}
    />
  );
};

/** A code of the app, or a recovery code; without an app the latter only on request. */
const Code = ({ hasApp }: { readonly hasApp: boolean }) => {
  const say = useText();
  const afterSignIn = useAfterSignIn();
  const sendCode = useAct('sendCode');
  const [code, setCode] = useState('');
  const [recovering, setRecovering] = useState(false);
  const submit = (): void =>
    sendCode.mutate({ body: { code: codeIn(code) } }, { onSuccess: afterSignIn });
  const change = (): void => {
    setRecovering(!recovering);
    setCode('');
    sendCode.reset();
  };
  if (!hasApp && !recovering) return <Button onClick={change}>{say('safety.recovery')}</Button>;
  return (
    <Form onSubmit={submit}>
      <Typography>{say(recovering ? 'safety.recoveryText' : 'signIn.codeText')}</Typography>
      {recovering ? (
        <RecoveryField value={code} onType={setCode} />
      ) : (
        <CodeField label={say('signIn.code')} value={code} onType={setCode} autoFocus />
      )}
      <ErrorState error={sendCode.error} />
      <Button type="submit" variant="contained" loading={sendCode.isPending}>
        {say('signIn.codeSubmit')}
      </Button>
      {hasApp ? (
        <Button onClick={change}>{say(recovering ? 'safety.app' : 'safety.recovery')}</Button>
      ) : null}
    </Form>
  );
};

export default function SendCode() {
  const say = useText();
  const factors = useRead('getFactors', {});
  return (
    <SignInLayout title={say('signIn.codeTitle')}>
      {factors.isPending ? <Loading /> : null}
      {factors.data ? <UsePasskey factors={factors.data} /> : null}
      {factors.isPending ? null : <Code hasApp={factors.data?.totp ?? true} />}
      <Button component={Link} to="/login">
        {say('signIn.startOver')}
      </Button>
    </SignInLayout>
  );
}
