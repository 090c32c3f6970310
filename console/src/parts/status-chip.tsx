/** Owns how a state is shown: by a word, with a colour and a mark besides. */
import CancelIcon from '@mui/icons-material/CancelOutlined';
import CheckIcon from '@mui/icons-material/CheckCircleOutlined';
import InfoIcon from '@mui/icons-material/InfoOutlined';
import WarningIcon from '@mui/icons-material/WarningAmberOutlined';
import Chip from '@mui/material/Chip';

export type Tone = 'good' | 'bad' | 'attention' | 'plain';

const looks = {
  good: { color: 'success', icon: <CheckIcon /> },
  bad: { color: 'error', icon: <CancelIcon /> },
  attention: { color: 'warning', icon: <WarningIcon /> },
  plain: { color: 'default', icon: <InfoIcon /> },
} as const;

export const StatusChip = ({ tone, label }: { readonly tone: Tone; readonly label: string }) => (
  <Chip size="small" variant="outlined" label={label} {...looks[tone]} />
);
