/** Renders the fields for a password and for a two-factor code. */
import TextField from '@mui/material/TextField';
import { toLatinDigits } from '../format.ts';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onType: (typed: string) => void;
  readonly autoFocus?: boolean;
};

const kinds = {
  password: { type: 'password', input: { autoComplete: 'current-password' } },
  code: {
    type: 'text',
    input: {
      autoComplete: 'one-time-code',
      inputMode: 'numeric',
      maxLength: 40,
      spellCheck: false,
    },
  },
} as const;

const proofField =
  (kind: keyof typeof kinds) =>
  ({ label, value, onType, autoFocus = false }: Props) => (
    <TextField
      label={label}
      type={kinds[kind].type}
      value={value}
      required
      autoFocus={autoFocus}
      onChange={({ target }) => onType(target.value)}
      slotProps={{ htmlInput: { dir: 'ltr', ...kinds[kind].input } }}
    />
  );

export const PasswordField = proofField('password');
export const CodeField = proofField('code');

/** The code, typed in any digits, in the gateway's form. */
export const codeIn = (typed: string): string => toLatinDigits(typed).replaceAll(/\s/g, '');
