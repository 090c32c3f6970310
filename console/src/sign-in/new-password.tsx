/** Renders the two fields for a new password and its confirmation. */
import TextField from '@mui/material/TextField';
import { useText } from '../i18n/text.ts';

export type Typed = { readonly password: string; readonly repeated: string };

export const nothingTyped: Typed = { password: '', repeated: '' };

export const differ = ({ password, repeated }: Typed): boolean => password !== repeated;

export const NewPassword = ({
  typed,
  onType,
  complain,
}: {
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  /** Whether to show that the two differ: after a submission was tried. */
  readonly complain: boolean;
}) => {
  const say = useText();
  const wrong = complain && differ(typed);
  return (
    <>
      <TextField
        label={say('signIn.newPassword')}
        type="password"
        value={typed.password}
        required
        onChange={({ target }) => onType({ ...typed, password: target.value })}
        slotProps={{ htmlInput: { autoComplete: 'new-password', dir: 'ltr', minLength: 12 } }}
      />
      <TextField
        label={say('signIn.repeat')}
        type="password"
        value={typed.repeated}
        required
        error={wrong}
        helperText={wrong ? say('signIn.mismatch') : undefined}
        onChange={({ target }) => onType({ ...typed, repeated: target.value })}
        slotProps={{ htmlInput: { autoComplete: 'new-password', dir: 'ltr' } }}
      />
    </>
  );
};
