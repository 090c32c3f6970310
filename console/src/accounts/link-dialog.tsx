/** Shows an account's setup link once, ready to copy. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { SecretField } from '../parts/secret-field.tsx';
import { addressOf } from '../place.ts';
import type { Link } from './account.ts';

export const LinkDialog = ({
  link,
  onClose,
}: {
  readonly link: Link;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { time } = useFormat();
  const title = say('accounts.linkTitle', { name: link.account.name });
  return (
    <Dialog open fullWidth maxWidth="sm" aria-label={title}>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>
          {say('accounts.linkText', { until: time(link.setup_until, 'short') })}
        </Typography>
        <SecretField label={say('accounts.link')} value={addressOf(`/setup#${link.setup_token}`)} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{say('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
};
