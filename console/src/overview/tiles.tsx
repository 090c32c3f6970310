/** Shows the key figures at the top of the overview. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { KeyValues } from '../parts/key-values.tsx';
import type { Overview } from './live.ts';

const Tile = ({
  name,
  value,
  help,
  link,
  children,
}: {
  readonly name: string;
  readonly value?: string;
  readonly help?: string;
  readonly link?: { readonly to: string; readonly text: string };
  readonly children?: ReactNode;
}) => (
  <Box
    component="section"
    aria-label={name}
    sx={{
      bgcolor: 'background.paper',
      border: 1,
      borderColor: 'divider',
      borderRadius: 2,
      p: 2,
      minWidth: 0,
    }}
  >
    <Typography component="h3" color="textSecondary" sx={{ fontSize: '0.95rem' }}>
      {name}
    </Typography>
    {value === undefined ? null : (
      <Typography sx={{ fontSize: '1.8rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Typography>
    )}
    {children}
    {help === undefined ? null : (
      <Typography variant="body2" color="textSecondary">
        {help}
      </Typography>
    )}
    {link === undefined ? null : (
      <Link component={RouterLink} to={link.to} sx={{ display: 'inline-block', py: 1.5 }}>
        {link.text}
      </Link>
    )}
  </Box>
);

/** The newest part of the period with operator responses. */
const TimesTile = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { duration, time } = useFormat();
  const last = overview.points.findLast(({ p50 }) => p50 !== null);
  const name = say('overview.times');
  if (last === undefined)
    return <Tile name={name} value={say('common.none')} help={say('overview.noTimes')} />;
  const style = overview.span === 'month' ? 'day' : 'minute';
  return (
    <Tile name={name} help={say('overview.timesAt', { time: time(last.at, style) })}>
      <KeyValues
        rows={(['p50', 'p95', 'p99'] as const).map((part) => [
          say(`overview.${part}`),
          duration(Math.round(last[part] ?? 0)),
        ])}
      />
    </Tile>
  );
};

export const Tiles = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { count, percent, ago } = useFormat();
  const { now, at } = overview;
  const rate = now.success_rate;
  const ageOf = (began: string | null): string =>
    began === null ? say('common.none') : ago(began, Date.parse(at));
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', lg: 'repeat(3, 1fr)' },
        '& > *': { minWidth: 0 },
      }}
    >
      <Tile name={say('overview.perMinute')} value={count(now.per_minute)} />
      <Tile
        name={say('overview.rate')}
        value={rate === null ? say('common.none') : percent(rate)}
        help={say(rate === null ? 'overview.noRate' : 'overview.rateHelp')}
      />
      <TimesTile overview={overview} />
      <Tile
        name={say('overview.pending')}
        value={count(now.pending)}
        help={say('overview.pendingHelp')}
        link={{ to: '/purchases?state=open', text: say('overview.pendingLink') }}
      />
      <Tile
        name={say('overview.review')}
        value={count(now.review)}
        help={say('overview.reviewHelp')}
        link={{ to: '/purchases?needs_person=1', text: say('overview.reviewLink') }}
      />
      <Tile name={say('overview.oldest')}>
        <KeyValues
          rows={[
            [say('overview.pending'), ageOf(now.pending_oldest_at)],
            [say('overview.review'), ageOf(now.review_oldest_at)],
          ]}
        />
      </Tile>
    </Box>
  );
};
