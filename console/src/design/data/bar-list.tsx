/** Compares amounts as horizontal bars, the largest first, each with its name and value. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useColours } from '../theme/use-colours.ts';

export type Bar = {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** The value, already formatted. */
  readonly text: string;
  /** A second figure, smaller. */
  readonly note?: string | undefined;
  readonly to?: string | undefined;
};

const BarRow = ({ bar, top }: { readonly bar: Bar; readonly top: number }) => {
  const { name, value, text, note, to } = bar;
  const { accent, sunken } = useColours();
  return (
    <Box component="li" sx={{ display: 'grid', gap: '4px', minWidth: 0 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, typography: 'body2' }}>
        <Box component="bdi" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {to === undefined ? (
            name
          ) : (
            <Link component={RouterLink} to={to} color="textPrimary" underline="hover">
              {name}
            </Link>
          )}
        </Box>
        <Box
          component="span"
          sx={{
            display: 'flex',
            flexWrap: 'wrap-reverse',
            justifyContent: 'flex-end',
            columnGap: 1,
            fontVariantNumeric: 'tabular-nums',
            whiteSpace: 'nowrap',
          }}
        >
          {note === undefined ? null : (
            <Typography component="span" variant="caption" color="textSecondary">
              {note}
            </Typography>
          )}
          <Box component="span" sx={{ fontWeight: 550 }}>
            {text}
          </Box>
        </Box>
      </Box>
      <Box
        aria-hidden="true"
        sx={{ height: 6, borderRadius: '3px', bgcolor: sunken, overflow: 'hidden' }}
      >
        <Box
          sx={{
            height: '100%',
            borderRadius: '3px',
            bgcolor: accent,
            width: `${Math.max(0, (100 * value) / top)}%`,
          }}
        />
      </Box>
    </Box>
  );
};

export const BarList = ({
  name,
  bars,
}: {
  readonly name: string;
  readonly bars: readonly Bar[];
}) => {
  const top = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <Box
      component="ol"
      aria-label={name}
      sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.25 }}
    >
      {bars.map((bar) => (
        <BarRow key={bar.key} bar={bar} top={top} />
      ))}
    </Box>
  );
};
