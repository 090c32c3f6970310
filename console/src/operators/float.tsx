/** Shows what lies at a supplier, and the top-ups and corrections that people recorded. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { Badge, type Tone } from '../design/data/badge.tsx';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { FloatActions } from './float-actions.tsx';
import type { Listed } from './operator.ts';

type Page = Answer<'getFloat'> & object;
export type Float = Page['float'];
type Entry = Page['data'][number];
type Gap = Page['gaps'][number];

const tones: Readonly<Record<NonNullable<Float['level']>, Tone>> = {
  enough: 'good',
  approaching: 'attention',
  low: 'attention',
  empty: 'bad',
};

// Below three days, hours matter.
const daysFrom = 72;

const Figures = ({ float }: { readonly float: Float }) => {
  const say = useText();
  const { money, count, time } = useFormat();
  const lasts = (hours: number | null): string => {
    if (hours === null) return say('floats.noRate');
    return hours < daysFrom
      ? say('floats.hours', { count: count(Math.floor(hours)) })
      : say('floats.days', { count: count(Math.floor(hours / 24)) });
  };
  const { level, cover_hours: hours, balance, balance_at: at, drift } = float;
  return (
    <DescriptionList
      rows={[
        [
          say('floats.level'),
          level === null ? (
            say('floats.notWatched')
          ) : (
            <Badge key="level" tone={tones[level]} label={say(`floats.levels.${level}`)} />
          ),
        ],
        [say('floats.held'), money(float.held)],
        [say('floats.inFlight'), money(float.in_flight)],
        [say('floats.free'), money(float.free)],
        [say('floats.perHour'), money(float.per_hour)],
        [say('floats.lasts'), lasts(hours)],
        [
          say('floats.balance'),
          balance === null || at === null
            ? say('floats.saysNone')
            : say('floats.balanceAt', { amount: money(balance), time: time(at, 'short') }),
        ],
        ...(drift === null
          ? []
          : [[say('floats.drift'), drift === 0 ? say('floats.noDrift') : money(drift)] as const]),
      ]}
    />
  );
};

const useColumns = (): readonly Column<Entry>[] => {
  const say = useText();
  const { time, money } = useFormat();
  return [
    { key: 'at', label: say('floats.at'), cell: ({ at }) => time(at, 'short') },
    {
      key: 'kind',
      phone: 'line',
      label: say('floats.kind'),
      cell: ({ kind }) => say(`floats.kinds.${kind}`),
    },
    {
      key: 'amount',
      phone: 'end',
      numeric: true,
      label: say('floats.amount'),
      cell: ({ amount }) => money(amount),
    },
    {
      key: 'reference',
      label: say('floats.reference'),
      cell: ({ reference }) => <bdi>{reference}</bdi>,
    },
    {
      key: 'reason',
      wrap: true,
      label: say('floats.reason'),
      cell: ({ reason }) => <bdi>{reason}</bdi>,
    },
    { key: 'by', label: say('floats.by'), cell: ({ by }) => <bdi>{by}</bdi> },
  ];
};

const useGapColumns = (): readonly Column<Gap>[] => {
  const say = useText();
  const { time, money } = useFormat();
  const purchase = (id: string) => (
    <Link component={RouterLink} to={`/purchases/${id}`}>
      <bdi>{id}</bdi>
    </Link>
  );
  return [
    { key: 'at', label: say('floats.at'), cell: ({ at }) => time(at, 'short') },
    {
      key: 'missing',
      phone: 'end',
      numeric: true,
      label: say('floats.missing'),
      cell: ({ missing }) => money(missing),
    },
    {
      key: 'after',
      phone: 'line',
      label: say('floats.after'),
      cell: ({ after }) => purchase(after),
    },
    {
      key: 'before',
      label: say('floats.before'),
      cell: ({ before }) => purchase(before),
    },
  ];
};

const Gaps = ({ chain, gaps }: Pick<Page, 'chain' | 'gaps'>) => {
  const say = useText();
  const columns = useGapColumns();
  if (chain === 'broken') return <Alert severity="warning">{say('floats.broken')}</Alert>;
  if (gaps.length === 0) return null;
  return (
    <>
      <Alert severity="warning">{say('floats.gapsAbout')}</Alert>
      <Table
        name={say('floats.gaps')}
        columns={columns}
        rows={gaps}
        keyOf={({ after, before }) => `${after} ${before}`}
      />
    </>
  );
};

// The gateway reads them every five seconds.
const refetchMs = 10_000;

const Shown = ({ operator }: { readonly operator: Listed }) => {
  const say = useText();
  const columns = useColumns();
  const mayRecord = useMay('float');
  const read = useRead(
    'getFloat',
    { params: { operator_id: String(operator.id) } },
    { refetchInterval: refetchMs },
  );
  const { data } = read;
  return (
    <Section
      title={say('floats.title')}
      actions={
        mayRecord && data ? <FloatActions operator={operator} float={data.float} /> : undefined
      }
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {/* What comes below stays where it is when the figures arrive. */}
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start', minHeight: { xs: 330, md: 270 } }}>
        {read.isPending ? <Loading shape="text" /> : null}
        {data ? (
          <>
            <Figures float={data.float} />
            <Gaps chain={data.chain} gaps={data.gaps} />
            {data.data.length === 0 ? (
              <Empty text={say('floats.none')} />
            ) : (
              <Table
                name={say('floats.entries')}
                columns={columns}
                rows={data.data}
                keyOf={({ number }) => String(number)}
              />
            )}
            {data.next === null ? null : (
              <Typography variant="body2">{say('floats.older')}</Typography>
            )}
          </>
        ) : null}
      </Box>
    </Section>
  );
};

/** Only for those who may see costs. */
export const FloatSection = ({ operator }: { readonly operator: Listed }) =>
  useMay('cost') ? <Shown operator={operator} /> : null;
