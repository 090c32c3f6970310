/** Enables or disables the user's authenticator app. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { PasswordField } from '../parts/proof-fields.tsx';
import { useMe } from '../session.tsx';
import { FirstCode, type Secret } from './first-code.tsx';

const Begin = ({ onBegun }: { readonly onBegun: (secret: Secret) => void }) => {
  const say = useText();
  const begin = useAct('beginMyTotp');
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const close = (): void => {
    setAsking(false);
    setPassword('');
    begin.reset();
  };
  const submit = (): void =>
    begin.mutate(
      { body: { password } },
      {
        onSuccess: (secret) => {
          close();
          onBegun(secret);
        },
      },
    );
  return (
    <>
      <Button variant="contained" onClick={() => setAsking(true)}>
        {say('ownAccount.begin')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={say('ownAccount.factor')}
        text={say('ownAccount.beginText')}
        confirm={say('ownAccount.begin')}
        busy={begin.isPending}
        error={begin.error}
        onConfirm={submit}
        onClose={close}
      >
        <PasswordField
          label={say('ownAccount.current')}
          value={password}
          onType={setPassword}
          autoFocus
        />
      </ConfirmDialog>
    </>
  );
};

const Remove = () => {
  const say = useText();
  const done = useDone();
  const remove = useAct('removeMyTotp', { changes: ['getMe'] });
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const close = (): void => {
    setAsking(false);
    setPassword('');
    remove.reset();
  };
  const removed = (): void => {
    close();
    done('ownAccount.removed');
  };
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
        {say('ownAccount.remove')}
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title={say('ownAccount.factor')}
        text={say('ownAccount.removeText')}
        confirm={say('ownAccount.remove')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ body: { password } }, { onSuccess: removed })}
        onClose={close}
      >
        <PasswordField
          label={say('ownAccount.current')}
          value={password}
          onType={setPassword}
          autoFocus
        />
      </ConfirmDialog>
    </>
  );
};

export const SecondFactor = () => {
  const say = useText();
  const { account } = useMe();
  const [secret, setSecret] = useState<Secret | undefined>(undefined);
  const on = account.totp;
  return (
    <Section
      title={say('ownAccount.factor')}
      actions={
        <Badge
          tone={on ? 'good' : 'attention'}
          label={say(on ? 'ownAccount.factorOn' : 'ownAccount.factorOff')}
        />
      }
    >
      {secret === undefined || on ? (
        <>
          <Typography sx={{ mb: 2 }}>
            {say(on ? 'ownAccount.factorOnText' : 'ownAccount.factorOffText')}
          </Typography>
          {on ? <Remove /> : <Begin onBegun={setSecret} />}
        </>
      ) : (
        <FirstCode secret={secret} onEnd={() => setSecret(undefined)} />
      )}
    </Section>
  );
};
