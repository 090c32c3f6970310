/** Owns the field for a code of the second factor, typed in whatever digits. */
import TextField from '@mui/material/TextField';
import { toLatinDigits } from '../format.ts';

/** The code as the gateway wants it. */
export const codeIn = (typed: string): string => toLatinDigits(typed).replaceAll(/\s/g, '');

export const CodeField = ({
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
    value={value}
    required
    autoFocus={autoFocus}
    onChange={({ target }) => onType(target.value)}
    slotProps={{
      htmlInput: {
        autoComplete: 'one-time-code',
        inputMode: 'numeric',
        dir: 'ltr',
        maxLength: 16,
        spellCheck: false,
      },
    }}
  />
);
