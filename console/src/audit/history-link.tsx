/** Links to the audit log's entries about something, for people who may read it. */
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { AuditIcon } from '../design/icons.tsx';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { historyOf } from './filter.ts';

export const HistoryLink = ({ subject }: { readonly subject: string }) => {
  const say = useText();
  if (!useMay('audit')) return null;
  return (
    <Button component={Link} to={historyOf(subject)} variant="outlined" startIcon={<AuditIcon />}>
      {say('audit.history')}
    </Button>
  );
};
