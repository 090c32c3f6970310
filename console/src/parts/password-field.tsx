/** Owns the field for a password that is known. */
import TextField from '@mui/material/TextField';

export const PasswordField = ({
  label,
  value,
  onType,
  autoFocus = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onType: (typed: string) => void;
  readonly autoFocus?: boolean;
}) => (
  <TextField
    label={label}
    type="password"
    value={value}
    required
    autoFocus={autoFocus}
    onChange={({ target }) => onType(target.value)}
    slotProps={{ htmlInput: { autoComplete: 'current-password', dir: 'ltr' } }}
  />
);
