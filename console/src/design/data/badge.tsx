/** Shows a state as text with a colour and an icon. */
import Box from '@mui/material/Box';
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
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: '4px',
        maxWidth: '100%',
        minHeight: 20,
        paddingInline: '6px 8px',
        borderRadius: `${radii.small}px`,
        bgcolor: soft,
        color: text,
        typography: 'caption',
        fontWeight: 550,
        whiteSpace: 'nowrap',
        verticalAlign: 'middle',
        '& .MuiSvgIcon-root': { fontSize: 12 },
      }}
    >
      {marks[tone]}
      <span>{label}</span>
    </Box>
  );
};
