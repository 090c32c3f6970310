/** Re-authenticates the user with a password or a two-factor code. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { CodeField, codeIn, PasswordField } from '../parts/proof-fields.tsx';
import { useMe } from '../session.tsx';

export default function ProofDialog({ onEnd }: { readonly onEnd: (given: boolean) => void }) {
  const say = useText();
  const { account } = useMe();
  const prove = useAct('proveMe');
  const [byCode, setByCode] = useState(account.totp);
  const [typed, setTyped] = useState('');
  const submit = (): void =>
    prove.mutate(
      { body: byCode ? { code: codeIn(typed) } : { password: typed } },
      { onSuccess: () => onEnd(true) },
    );
  const change = (): void => {
    setByCode(!byCode);
    setTyped('');
    prove.reset();
  };
  return (
    <ConfirmDialog
      open
      title={say('safety.proofTitle')}
      text={say('safety.proofText')}
      confirm={say('common.confirm')}
      busy={prove.isPending}
      error={prove.error}
      onConfirm={submit}
      onClose={() => onEnd(false)}
    >
      {byCode ? (
        <CodeField label={say('safety.code')} value={typed} onType={setTyped} autoFocus />
      ) : (
        <PasswordField label={say('signIn.password')} value={typed} onType={setTyped} autoFocus />
      )}
      {account.totp ? (
        <div>
          <Button onClick={change}>{say(byCode ? 'safety.usePassword' : 'safety.useCode')}</Button>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}
