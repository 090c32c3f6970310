/** Shows one figure: its name, its value, and how it compares with the period before. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { DownMark, FlatMark, UpMark } from '../icons.tsx';
import { card } from '../page/card.ts';
import { type Tone, typeScale } from '../theme/tokens.ts';
import { useColours } from '../theme/use-colours.ts';

const directions = { up: <UpMark />, down: <DownMark />, flat: <FlatMark /> } as const;

export type Delta = {
  /** In words, with the period it is compared with: "12% more than yesterday". */
  readonly text: string;
  readonly direction: keyof typeof directions;
  /** More is not always better: the page decides. */
  readonly tone: Extract<Tone, 'good' | 'bad' | 'plain'>;
};

export type StatProps = {
  readonly label: string;
  /** Already formatted. */
  readonly value?: string;
  readonly delta?: Delta;
  readonly help?: string;
  readonly link?: { readonly to: string; readonly text: string };
  /** Without a card of its own: for a row of small figures. */
  readonly compact?: boolean;
  readonly children?: ReactNode;
};

const DeltaText = ({ delta: { text, direction, tone } }: { readonly delta: Delta }) => (
  <Typography
    variant="caption"
    component="p"
    sx={{
      color: useColours().tones[tone].text,
      display: 'flex',
      alignItems: 'center',
      gap: '4px',
      fontWeight: 550,
      '& .MuiSvgIcon-root': { fontSize: 12 },
    }}
  >
    {directions[direction]}
    {text}
  </Typography>
);

export const Stat = ({ label, value, delta, help, link, compact, children }: StatProps) => {
  const { size, lineHeight } = typeScale[compact === true ? 'h2' : 'figure'];
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{
        ...(compact === true ? {} : { ...card, p: { xs: 1.5, sm: 2 } }),
        display: 'flex',
        flexDirection: 'column',
        gap: 0.5,
        minWidth: 0,
      }}
    >
      <Typography variant="body2" component="h3" color="textSecondary">
        {label}
      </Typography>
      {value === undefined ? null : (
        <Typography
          sx={{
            fontSize: { xs: compact === true ? `${size}rem` : '1.25rem', sm: `${size}rem` },
            lineHeight,
            fontWeight: 600,
            overflowWrap: 'anywhere',
          }}
        >
          {/* On a phone the unit may go to the next line, and no letter of it alone. */}
          {value.replaceAll('\u00a0', ' ')}
        </Typography>
      )}
      {delta === undefined ? null : <DeltaText delta={delta} />}
      {children}
      {help === undefined ? null : (
        <Typography variant="caption" component="p" color="textSecondary">
          {help}
        </Typography>
      )}
      {link === undefined ? null : (
        <Link
          component={RouterLink}
          to={link.to}
          variant="body2"
          sx={{ alignSelf: 'start', mt: 'auto', paddingBlock: '3px' }}
        >
          {link.text}
        </Link>
      )}
    </Box>
  );
};

/** A row of figures that wraps by itself. */
export const Stats = ({ children }: { readonly children: ReactNode }) => (
  <Box
    sx={{
      display: 'grid',
      gap: { xs: 1, sm: 2 },
      gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(auto-fit, minmax(13rem, 1fr))' },
      '& > *': { minWidth: 0 },
    }}
  >
    {children}
  </Box>
);
