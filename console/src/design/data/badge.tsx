/** Shows a state as text with a colour and an icon. */
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { CrossMark, DotMark, ExclamationMark, TickMark } from '../icons.tsx';
import type { Tone } from '../theme/tokens.ts';
import { radii } from '../theme/tokens.ts';
import { useColours } from '../theme/use-colours.ts';

export type { Tone } from '../theme/tokens.ts';

const marks: Readonly<Record<Tone, ReactNode>> = {
  good: <TickMark />,
  bad: <CrossMark />,
  attention: <ExclamationMark />,
  info: <DotMark />,
  plain: <DotMark />,
};

// A list has one in each row: these styles are made once, and the colours are its own.
const Root = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'inline-flex',
  alignItems: 'center',
  gap: '4px',
  maxWidth: '100%',
  minHeight: 20,
  paddingInline: '6px 8px',
  borderRadius: radii.small,
  fontWeight: 550,
  whiteSpace: 'nowrap',
  verticalAlign: 'middle',
  '& .MuiSvgIcon-root': { fontSize: 12 },
}));

export const Badge = ({
  tone,
  label,
}: {
  /** Good: succeeded, active. Bad: failed, blocked. Attention: waits for someone. Info: in progress. */
  readonly tone: Tone;
  readonly label: string;
}) => {
  const { text, soft } = useColours().tones[tone];
  return (
    <Root style={{ color: text, backgroundColor: soft }}>
      {marks[tone]}
      <span>{label}</span>
    </Root>
  );
};
