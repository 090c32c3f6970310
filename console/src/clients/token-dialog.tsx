/** Shows a new token once, ready to copy. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Dialog } from '../design/dialog/dialog.tsx';
import { useText } from '../i18n/text.ts';
import { SecretField } from '../parts/secret-field.tsx';

export const TokenDialog = ({
  name,
  token,
  text,
  onClose,
}: {
  readonly name: string;
  readonly token: string;
  /** Additional text. */
  readonly text?: string | undefined;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const title = say('clients.tokenTitle', { name });
  return (
    <Dialog title={title} actions={<Button onClick={onClose}>{say('common.close')}</Button>}>
      <Typography>{say('clients.tokenText')}</Typography>
      {text === undefined ? null : <Typography>{text}</Typography>}
      <SecretField label={say('clients.token')} value={token} />
    </Dialog>
  );
};
