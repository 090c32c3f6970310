/** Shows the present: live figures, operators and low balances. Nothing here depends on the chosen period. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';
import { Badge } from '../design/data/badge.tsx';
import { Stat } from '../design/data/stat.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import { lowBalancesId } from './alerts.ts';
import type { Overview } from './live.ts';
import { useTimesText } from './times.ts';

const tones = { up: 'good', degraded: 'attention', down: 'bad', suspended: 'attention' } as const;

const figures = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: {
    xs: '1fr 1fr',
    sm: 'repeat(3, minmax(0, 1fr))',
    lg: 'repeat(5, minmax(0, 1fr))',
  },
} as const;

const Figures = ({ overview: { now, at } }: { readonly overview: Overview }) => {
  const say = useText();
  const { count, percent, ago } = useFormat();
  const timesText = useTimesText();
  const rate = now.success_rate;
  const oldest = (began: string | null, otherwise: string): string =>
    began === null ? otherwise : say('overview.oldestAt', { time: ago(began, Date.parse(at)) });
  return (
    <Box sx={figures}>
      <Stat compact label={say('overview.perMinute')} value={count(now.per_minute)} />
      <Stat
        compact
        label={say('overview.recentRate')}
        value={rate === null ? say('common.none') : percent(rate)}
        help={say(rate === null ? 'overview.noRate' : 'overview.rateHelp')}
      />
      <Stat compact label={say('overview.recentTimes')} {...timesText(now)} />
      <Stat
        compact
        label={say('overview.pending')}
        value={count(now.pending)}
        help={oldest(now.pending_oldest_at, say('overview.pendingHelp'))}
        link={{ to: '/purchases?state=open', text: say('overview.pendingLink') }}
      />
      <Stat
        compact
        label={say('overview.review')}
        value={count(now.review)}
        help={oldest(now.review_oldest_at, say('overview.reviewHelp'))}
        link={{ to: '/purchases?needs_person=1', text: say('overview.reviewLink') }}
      />
    </Box>
  );
};

/** A name, and its items beside each other. */
const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 0.5,
        alignItems: 'baseline',
        borderTop: 1,
        borderColor: 'divider',
        pt: 1.25,
      }}
    >
      <Typography id={id} variant="body2" component="h3" color="textSecondary">
        {name}
      </Typography>
      <Box
        component="ul"
        aria-labelledby={id}
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          // Beside the name, also where it has more lines than one.
          flex: { sm: '1 1 0' },
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2.5,
          rowGap: 0.5,
          '& > li': { display: 'inline-flex', gap: 1, alignItems: 'center', minHeight: 28 },
        }}
      >
        {children}
      </Box>
    </Box>
  );
};

const Operators = ({ operators }: Pick<Overview, 'operators'>) => {
  const say = useText();
  const { count } = useFormat();
  const nameOf = useOperatorName();
  return (
    <Line name={say('overview.operators')}>
      {operators.map((operator) => (
        <li key={operator.id}>
          <Link component={RouterLink} to={`/operators/${operator.id}`} variant="body2">
            <bdi>{nameOf(operator)}</bdi>
          </Link>
          <Badge tone={tones[operator.health]} label={say(`overview.${operator.health}`)} />
          <Typography variant="caption" color="textSecondary">
            {say('overview.pace', { count: count(operator.per_minute) })}
          </Typography>
        </li>
      ))}
    </Line>
  );
};

/** A link to this part of the page brings it into view, and the focus to it. */
const useReached = () => {
  const place = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    if (key === '' || hash !== `#${lowBalancesId}`) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.focus();
  }, [hash, key]);
  return place;
};

const LowBalances = ({ low }: { readonly low: Overview['low_balances'] }) => {
  const say = useText();
  const { money } = useFormat();
  const place = useReached();
  return (
    <Box ref={place} id={lowBalancesId} tabIndex={-1} sx={{ outline: 'none' }}>
      <Line name={say('overview.lowBalances')}>
        {low.map(({ id, name, available }) => (
          <li key={id}>
            <Link component={RouterLink} to={`/clients/${id}`} variant="body2">
              <bdi>{name}</bdi>
            </Link>
            <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {money(available)}
            </Typography>
          </li>
        ))}
      </Line>
    </Box>
  );
};

export const Now = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { operators, low_balances: low } = overview;
  return (
    <Section title={say('overview.now')}>
      <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
        <Figures overview={overview} />
        {operators.length === 0 ? null : <Operators operators={operators} />}
        {low.length === 0 ? null : <LowBalances low={low} />}
      </Box>
    </Section>
  );
};
