/** Shows how the purchases of each operator went in the chosen period. */
import { useTheme } from '@mui/material/styles';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import type { Overview } from './live.ts';

type Operator = Overview['operators'][number];

const sumOf = ({ points }: Operator, part: 'begun' | 'succeeded' | 'failed'): number =>
  points.reduce((all, point) => all + point[part], 0);

/** A small chart of an operator's purchases, which also has a text. */
const Sparkline = ({ operator }: { readonly operator: Operator }) => {
  const say = useText();
  const name = useOperatorName()(operator);
  const { points } = operator;
  const { count } = useFormat();
  const { palette } = useTheme();
  const label = say('overview.courseOf', {
    name,
    begun: count(sumOf(operator, 'begun')),
    succeeded: count(sumOf(operator, 'succeeded')),
    failed: count(sumOf(operator, 'failed')),
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

const useColumns = (): readonly Column<Operator>[] => {
  const say = useText();
  const { count, percent } = useFormat();
  const nameOf = useOperatorName();
  const timeOf = (ms: number | null): string =>
    ms === null ? say('common.none') : say('overview.ms', { value: count(Math.round(ms)) });
  return [
    {
      key: 'name',
      label: say('overview.operator'),
      cell: (operator) => <bdi>{nameOf(operator)}</bdi>,
    },
    {
      key: 'begun',
      label: say('overview.begun'),
      cell: (one) => count(sumOf(one, 'begun')),
      numeric: true,
    },
    {
      key: 'rate',
      label: say('overview.rate'),
      cell: ({ success_rate: rate }) => (rate === null ? say('common.none') : percent(rate)),
      numeric: true,
      phone: 'end',
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
