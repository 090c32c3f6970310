/** Creates an account: asks for its name and role. */
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import type { Role } from '../session.tsx';
import type { Link } from './account.ts';
import { RoleField } from './role-field.tsx';

export const Create = ({
  onMade,
  onClose,
}: {
  readonly onMade: (link: Link) => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const create = useAct('createAccount', { changes: ['listAccounts'] });
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  return (
    <ConfirmDialog
      open
      title={say('accounts.create')}
      text={say('accounts.createText')}
      confirm={say('accounts.createSubmit')}
      busy={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate({ body: { name: name.trim(), role } }, { onSuccess: onMade })}
      onClose={onClose}
    >
      <TextField
        label={say('accounts.name')}
        helperText={say('accounts.nameHelp')}
        value={name}
        required
        autoFocus
        onChange={({ target }) => setName(target.value)}
        slotProps={{
          htmlInput: { dir: 'ltr', autoCapitalize: 'none', autoComplete: 'off', maxLength: 64 },
        }}
      />
      <RoleField value={role} onChoose={setRole} />
    </ConfirmDialog>
  );
};
