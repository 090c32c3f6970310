/** Renames, suspends or resumes a client after confirmation. */
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { type Client, ofClient } from './client.ts';

export type ClientAction = 'rename' | 'suspend' | 'resume';

const after = { rename: 'renamed', suspend: 'suspendDone', resume: 'resumeDone' } as const;

export const ActionDialog = ({
  client: { id, name: called },
  action,
  onClose,
}: {
  readonly client: Client;
  readonly action: ClientAction;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const change = useAct('updateClient', { changes: ofClient });
  const [name, setName] = useState(called);
  const body =
    action === 'rename'
      ? { name: name.trim() }
      : { status: action === 'suspend' ? ('suspended' as const) : ('active' as const) };
  const onSuccess = (): void => {
    done(`clients.${after[action]}`, { name: called });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger={action === 'suspend'}
      title={say(`clients.${action}Title`, { name: called })}
      text={say(`clients.${action}Text`)}
      confirm={say(`clients.${action}`)}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ params: { client_id: id }, body }, { onSuccess })}
      onClose={onClose}
    >
      {action === 'rename' ? (
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
