/** Selects a role and explains what it may do. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useText } from '../i18n/text.ts';
import type { Role } from '../session.tsx';
import { roles } from './account.ts';

export const RoleField = ({
  value,
  onChoose,
}: {
  readonly value: Role;
  readonly onChoose: (role: Role) => void;
}) => {
  const say = useText();
  return (
    <TextField
      select
      label={say('accounts.role')}
      value={value}
      helperText={say(`roles.${value}May`)}
      onChange={({ target }) => {
        const chosen = roles.find((role) => role === target.value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {roles.map((role) => (
        <MenuItem key={role} value={role}>
          {say(`roles.${role}`)}
        </MenuItem>
      ))}
    </TextField>
  );
};
