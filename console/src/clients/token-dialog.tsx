/** Shows a new token once, ready to copy. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
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
    <Dialog open fullWidth maxWidth="sm" aria-label={title}>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>{say('clients.tokenText')}</Typography>
        {text === undefined ? null : <Typography>{text}</Typography>}
        <SecretField label={say('clients.token')} value={token} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{say('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
};
