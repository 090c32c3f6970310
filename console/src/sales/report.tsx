/** Shows a report of what was sold as a table with totals, which sorts. */
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { Empty } from '../design/states/empty.tsx';
import type { PhonePlace } from '../design/table/column.ts';
import { type Column, type Sort, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { keyOf, type SalesRow, useRowNames } from './names.ts';
import { type Dimension, type Measure, measures, sortOf, type View } from './view.ts';

type Report = Answer<'getSales'>;

const labels = {
  sold: 'sales.sold',
  sold_amount: 'sales.soldAmount',
  reversed: 'sales.reversed',
  reversed_amount: 'sales.reversedAmount',
  amount: 'sales.amount',
} as const satisfies Record<Measure, string>;

/** Two lines: without what the amount was made of, nor what is nearly always zero. */
const phonePlace = {
  sold: 'labelled',
  sold_amount: 'hidden',
  reversed: 'labelled',
  reversed_amount: 'hidden',
  amount: 'end',
} as const satisfies Record<Measure, PhonePlace>;

const useColumns = (report: Report, by: readonly Dimension[]): readonly Column<SalesRow>[] => {
  const say = useText();
  const { count, money } = useFormat();
  const { nameOf } = useRowNames();
  const write = (measure: Measure, value: number): string =>
    measure === 'sold' || measure === 'reversed' ? count(value) : money(value);
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
    ...measures.map(
      (measure): Column<SalesRow> => ({
        key: measure,
        label: say(labels[measure]),
        cell: (row) => write(measure, row[measure]),
        numeric: true,
        sortable: true,
        total: write(measure, report.totals[measure]),
        phone: phonePlace[measure],
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

/** The rows in the chosen order; names by the language's alphabet, days by the calendar. */
const useSorted = (rows: readonly SalesRow[], { key, descending }: Sort): readonly SalesRow[] => {
  const { nameOf } = useRowNames();
  const { locale } = useFormat();
  const measure = measures.find((one) => one === key);
  const dimension = (['client', 'product', 'operator'] as const).find((one) => one === key);
  const compare = (one: SalesRow, other: SalesRow): number => {
    if (measure !== undefined) return one[measure] - other[measure];
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
  const { complete_to: to, time_zone: zone, progress, left } = report;
  const { postings, counted } = progress;
  return (
    <Typography variant="body2" color="textSecondary" component="div">
      <p>{say('sales.complete', { time: time(to, 'short'), zone })}</p>
      {left.groups === 0 ? null : <p>{say('sales.left', { count: count(left.groups) })}</p>}
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
  const columns = useColumns(report, by);
  const sort = sortOf(view);
  const rows = useSorted(report.rows, sort);
  const [only, ...more] = by;
  const leads =
    only !== undefined && more.length === 0 && rows.every((row) => linkOf(row, only) !== undefined);
  return (
    <>
      <Typography role="status" variant="body2" color="textSecondary">
        {say('sales.rows', { count: count(rows.length) })}
      </Typography>
      {rows.length === 0 ? (
        <Empty text={say('sales.none')} />
      ) : (
        <Table
          name={say('sales.report')}
          columns={columns}
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
