/** Shows a report of what was sold as a table with totals, which sorts. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { Empty } from '../design/states/empty.tsx';
import type { PhonePlace } from '../design/table/column.ts';
import { useShownColumns } from '../design/table/shown-columns.tsx';
import { type Column, type Sort, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { keyOf, type SalesRow, useRowNames } from './names.ts';
import { type Dimension, type Measure, measures, sortOf, type View } from './view.ts';

type Report = Answer<'getSales'>;

const labels = {
  sold: 'sales.sold',
  reversed: 'sales.reversed',
  failed: 'sales.failed',
  success_rate: 'sales.successRate',
  price: 'sales.price',
  commission: 'sales.commission',
  amount: 'sales.amount',
  cost: 'sales.cost',
  margin: 'sales.margin',
} as const satisfies Record<Measure, string>;

/** What a phone shows: the amount at the end, and the count and the margin on the line below. */
const phonePlaces: Partial<Record<Measure, PhonePlace>> = {
  amount: 'end',
  sold: 'labelled',
  margin: 'labelled',
};

const isCost = (measure: Measure): boolean => measure === 'cost' || measure === 'margin';

const useColumns = (report: Report, by: readonly Dimension[]): readonly Column<SalesRow>[] => {
  const say = useText();
  const { count, money, percent } = useFormat();
  const { nameOf } = useRowNames();
  const seesCost = useMay('cost');
  const write = (measure: Measure, value: number | null): string => {
    if (value === null) return say(isCost(measure) ? 'sales.unknownCost' : 'common.none');
    if (measure === 'success_rate') return percent(value);
    return measure === 'sold' || measure === 'reversed' || measure === 'failed'
      ? count(value)
      : money(value);
  };
  return [
    ...by.map(
      (one, place): Column<SalesRow> => ({
        key: one,
        label: say(`sales.${one}`),
        cell: (row) => nameOf(row, one),
        isName: true,
        sortable: true,
        phone: place === 0 ? 'title' : 'line',
      }),
    ),
    ...measures
      .filter((measure) => seesCost || !isCost(measure))
      .map(
        (measure): Column<SalesRow> => ({
          key: measure,
          label: say(labels[measure]),
          cell: (row) => write(measure, row[measure]),
          numeric: true,
          sortable: true,
          total: write(measure, report.totals[measure]),
          phone: phonePlaces[measure] ?? 'hidden',
        }),
      ),
    ...(report.previous === null
      ? []
      : [
          {
            key: 'previous',
            label: say('sales.previous'),
            cell: ({ previous }: SalesRow) => money(previous?.amount ?? 0),
            numeric: true,
            sortable: true,
            total: money(report.previous.totals.amount),
          },
        ]),
  ];
};

// What is not known comes after all that is.
const none = -Number.MAX_VALUE;

/** The rows in the chosen order; names by the language's alphabet, days by the calendar. */
const useSorted = (rows: readonly SalesRow[], { key, descending }: Sort): readonly SalesRow[] => {
  const { nameOf } = useRowNames();
  const { locale } = useFormat();
  const measure = measures.find((one) => one === key);
  const dimension = (['client', 'product', 'operator', 'supplier'] as const).find(
    (one) => one === key,
  );
  const compare = (one: SalesRow, other: SalesRow): number => {
    if (measure !== undefined) return (one[measure] ?? none) - (other[measure] ?? none);
    if (key === 'previous') return (one.previous?.amount ?? 0) - (other.previous?.amount ?? 0);
    if (dimension !== undefined)
      return nameOf(one, dimension).localeCompare(nameOf(other, dimension), locale);
    return (one.day ?? '').localeCompare(other.day ?? '');
  };
  const sorted = [...rows].sort(compare);
  return descending ? sorted.reverse() : sorted;
};

const Freshness = ({ report }: { readonly report: Report }) => {
  const say = useText();
  const { time, count } = useFormat();
  const { complete_to: to, time_zone: zone, progress, left, refused, totals } = report;
  const { uncosted } = totals;
  const { postings, counted } = progress;
  return (
    <Typography variant="body2" color="textSecondary" component="div">
      <p>{say('sales.complete', { time: time(to, 'short'), zone })}</p>
      {left.groups === 0 ? null : <p>{say('sales.left', { count: count(left.groups) })}</p>}
      {uncosted === null || uncosted === 0 ? null : (
        <p>{say('sales.uncosted', { count: count(uncosted) })}</p>
      )}
      {refused === null ? null : <p>{say('sales.refused', { count: count(refused) })}</p>}
      {counted < postings ? (
        <p>{say('sales.counting', { counted: count(counted), all: count(postings) })}</p>
      ) : null}
    </Typography>
  );
};

export const ReportTable = ({
  report,
  view,
  onSort,
}: {
  readonly report: Report;
  readonly view: View;
  readonly onSort: (sort: Sort) => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const { linkOf } = useRowNames();
  const by = report.by;
  const { shown, menu } = useShownColumns('sales', useColumns(report, by));
  const sort = sortOf(view);
  const rows = useSorted(report.rows, sort);
  const [only, ...more] = by;
  const leads =
    only !== undefined && more.length === 0 && rows.every((row) => linkOf(row, only) !== undefined);
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography role="status" variant="body2" color="textSecondary">
          {say('sales.rows', { count: count(rows.length) })}
        </Typography>
        {menu}
      </Box>
      {rows.length === 0 ? (
        <Empty text={say('sales.none')} />
      ) : (
        <Table
          name={say('sales.report')}
          columns={shown}
          rows={rows}
          keyOf={keyOf}
          sort={sort}
          onSort={onSort}
          {...(leads ? { linkOf: (row: SalesRow) => linkOf(row, only) ?? '' } : {})}
        />
      )}
      <Freshness report={report} />
    </>
  );
};
