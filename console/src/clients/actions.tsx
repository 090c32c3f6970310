/** Owns what is done with a client as a whole, each asked for before it is done. */
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useDone } from '../parts/done.ts';
import { type Client, ofClient } from './client.ts';

export type Deed = 'rename' | 'suspend' | 'resume';

const after = { rename: 'renamed', suspend: 'suspendDone', resume: 'resumeDone' } as const;

export const DeedDialog = ({
  client: { id, name: called },
  deed,
  onClose,
}: {
  readonly client: Client;
  readonly deed: Deed;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const change = useAct('changeClient', { changes: ofClient });
  const [name, setName] = useState(called);
  const body =
    deed === 'rename'
      ? { name: name.trim() }
      : { status: deed === 'suspend' ? ('suspended' as const) : ('active' as const) };
  const onSuccess = (): void => {
    done(`clients.${after[deed]}`, { name: called });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger={deed === 'suspend'}
      title={say(`clients.${deed}Title`, { name: called })}
      text={say(`clients.${deed}Text`)}
      confirm={say(`clients.${deed}`)}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ params: { client_id: id }, body }, { onSuccess })}
      onClose={onClose}
    >
      {deed === 'rename' ? (
        <TextField
          label={say('clients.name')}
          helperText={say('clients.nameHelp')}
          value={name}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 255, dir: 'auto' } }}
        />
      ) : null}
    </ConfirmDialog>
  );
};
