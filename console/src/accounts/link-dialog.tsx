/** Shows an account's setup link once, ready to copy. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Dialog } from '../design/dialog/dialog.tsx';
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
    <Dialog title={title} actions={<Button onClick={onClose}>{say('common.close')}</Button>}>
      <Typography>
        {say('accounts.linkText', { until: time(link.setup_until, 'short') })}
      </Typography>
      <SecretField label={say('accounts.link')} value={addressOf(`/setup#${link.setup_token}`)} />
    </Dialog>
  );
};
