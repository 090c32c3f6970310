/** Prints a report of what was sold as CSV. */
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import type { Locale } from '../../lib/text.ts';
import type { Turn } from '../../lib/time-slices.ts';
import type { Dimension } from '../../purchases/sales/report/query.ts';
import { type ReportRow, type SalesReport } from '../../purchases/sales/report/report.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
import { rowToWire, type SalesNames, type WireSalesRow } from './wire.ts';

/** As many as a spreadsheet handles easily and a person would look at. */
export const mostLines = 100_000;

// Some tens of kilobytes.
const linesAtATime = 500;

type Cell = string | number | null | undefined;

const cellsOf = {
  day: ({ day }) => [day],
  client: ({ client }) => [client?.id, client?.name],
  product: ({ product }, locale) => [
    product?.id,
    (locale === 'en' ? product?.name_en : undefined) ?? product?.name,
  ],
  operator: ({ operator }, locale) => [operator?.id, operator?.names?.[locale]],
} as const satisfies Record<Dimension, (row: WireSalesRow, locale: Locale) => Cell[]>;

const titlesOf = {
  day: ['day'],
  client: ['client_id', 'client'],
  product: ['product_id', 'product'],
  operator: ['operator_id', 'operator'],
} as const satisfies Record<Dimension, readonly string[]>;

const sums = ['sold', 'sold_amount', 'reversed', 'reversed_amount', 'amount'] as const;

// Names are not ours, and a spreadsheet would evaluate those that begin with a sign.
const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? escapeFormula(cell) : `${cell ?? ''}`;

type Columns = {
  readonly by: readonly Dimension[];
  readonly compare: boolean;
  readonly locale: Locale;
  /** The last cells. */
  readonly more: readonly string[];
};

const lineOf = (row: WireSalesRow, { by, compare, locale, more }: Columns): string => {
  const own = sums.map((name) => row[name]);
  const before = compare ? sums.map((name) => row.previous?.[name]) : [];
  const cells = [...by.flatMap((one): Cell[] => cellsOf[one](row, locale)), ...own, ...before];
  return csvLine([...cells.map(textOf), ...more]);
};

type Printing = {
  readonly by: readonly Dimension[];
  readonly names: SalesNames;
  /** The language of the names. */
  readonly locale: Locale;
  readonly currency: Currency | null;
  /** Awaited between two pieces. */
  readonly rest: Turn;
};

export async function* printSales(
  { rows, left, before }: SalesReport,
  { by, names, locale, currency, rest }: Printing,
): AsyncGenerator<string> {
  const compare = before !== undefined;
  const { header, cell } = currencyColumn(currency);
  const titles = [
    ...by.flatMap((one): readonly string[] => titlesOf[one]),
    ...sums,
    ...(compare ? sums.map((name) => `previous_${name}`) : []),
    ...header,
  ];
  yield csvLine(titles);
  const print = (row: ReportRow): string =>
    lineOf(rowToWire(row, names), { by, compare, locale, more: cell });
  for (let start = 0; start < rows.length; start += linesAtATime) {
    await rest();
    yield rows
      .slice(start, start + linesAtATime)
      .map(print)
      .join('');
  }
  if (left.groups === 0) return;
  const missing = `${left.groups} smaller groups are not here: choose a shorter period`;
  yield csvLine([missing, ...titles.slice(1).map(() => '')]);
}
