/** Shows a state as text with a colour and an icon. */
import Chip from '@mui/material/Chip';
import { CancelIcon, CheckIcon, InfoIcon, WarningIcon } from './icons.tsx';

export type Tone = 'good' | 'bad' | 'attention' | 'plain';

const chipProps = {
  good: { color: 'success', icon: <CheckIcon /> },
  bad: { color: 'error', icon: <CancelIcon /> },
  attention: { color: 'warning', icon: <WarningIcon /> },
  plain: { color: 'default', icon: <InfoIcon /> },
} as const;

export const StatusChip = ({ tone, label }: { readonly tone: Tone; readonly label: string }) => (
  <Chip size="small" variant="outlined" label={label} {...chipProps[tone]} />
);
