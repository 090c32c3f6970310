/** Shows the health and recent figures of each operator. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Badge } from '../design/data/badge.tsx';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import type { Overview } from './live.ts';

type Operator = Overview['operators'][number];

const tones = { up: 'good', degraded: 'attention', down: 'bad', suspended: 'attention' } as const;

/** A small chart of an operator's purchases, which also has a text. */
const Sparkline = ({ operator }: { readonly operator: Operator }) => {
  const say = useText();
  const name = useOperatorName()(operator);
  const { points } = operator;
  const { count } = useFormat();
  const { palette } = useTheme();
  const sum = (part: 'begun' | 'succeeded' | 'failed'): string =>
    count(points.reduce((all, point) => all + point[part], 0));
  const label = say('overview.courseOf', {
    name,
    begun: sum('begun'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
  });
  const top = Math.max(1, ...points.map(({ begun }) => begun));
  return (
    <svg
      role="img"
      aria-label={label}
      width="120"
      height="22"
      viewBox={`0 0 ${points.length} 28`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      <rect width={points.length} height="28" fill={palette.action.hover} />
      {points.map(({ at, begun }, place) => (
        <rect
          key={at}
          x={place + 0.1}
          y={28 - (26 * begun) / top}
          width="0.8"
          height={(26 * begun) / top}
          fill={palette.info.main}
        />
      ))}
    </svg>
  );
};

const Health = ({ operator: { health, since } }: { readonly operator: Operator }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <Box sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
      <Badge tone={tones[health]} label={say(`overview.${health}`)} />
      {since === null ? null : (
        <Typography variant="caption" color="textSecondary">
          {say('overview.since', { time: time(since, 'short') })}
        </Typography>
      )}
    </Box>
  );
};

const useColumns = (): readonly Column<Operator>[] => {
  const say = useText();
  const { count, percent, duration } = useFormat();
  const nameOf = useOperatorName();
  const timeOf = (ms: number | null): string =>
    ms === null ? say('common.none') : duration(Math.round(ms));
  return [
    {
      key: 'name',
      label: say('overview.operator'),
      cell: (operator) => <bdi>{nameOf(operator)}</bdi>,
    },
    {
      key: 'health',
      label: say('overview.health'),
      cell: (one) => <Health operator={one} />,
      phone: 'line',
    },
    {
      key: 'pace',
      label: say('overview.perMinute'),
      cell: ({ per_minute: perMinute }) => count(perMinute),
      numeric: true,
    },
    {
      key: 'rate',
      label: say('overview.rate'),
      cell: ({ success_rate: rate }) => (rate === null ? say('common.none') : percent(rate)),
      numeric: true,
    },
    ...(['p50', 'p95', 'p99'] as const).map(
      (part): Column<Operator> => ({
        key: part,
        label: say(`overview.${part}`),
        cell: (one) => timeOf(one[part]),
        numeric: true,
      }),
    ),
    {
      key: 'under',
      label: say('overview.underWay'),
      cell: ({ under_way: under }) => count(under),
      numeric: true,
    },
    {
      key: 'course',
      label: say('overview.course'),
      cell: (one) => <Sparkline operator={one} />,
      phone: 'hidden',
    },
  ];
};

export const Operators = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const columns = useColumns();
  return (
    <Section title={say('overview.operators')}>
      <Typography variant="body2" color="textSecondary">
        {say('overview.operatorsHelp')}
      </Typography>
      <Table
        name={say('overview.operators')}
        columns={columns}
        rows={overview.operators}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => `/operators/${id}`}
      />
    </Section>
  );
};
