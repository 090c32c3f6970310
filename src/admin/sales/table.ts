/** Turns a report of what was sold into a table: titles, and rows of cells in batches. */
import type { Locale } from '../../lib/text.ts';
import type { Turn } from '../../lib/time-slices.ts';
import type { Dimension } from '../../purchases/sales/report/query.ts';
import type { SalesReport } from '../../purchases/sales/report/report.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
import { rowToWire, type Showing, type WireSalesRow } from './wire.ts';

/** As many as a spreadsheet handles easily and a person would look at. */
export const mostLines = 100_000;

// Some tens of kilobytes.
const linesAtATime = 500;

export type Cell = string | number | null;

const cellsOf = {
  day: ({ day }) => [day],
  client: ({ client }) => [client?.id ?? null, client?.name ?? null],
  product: ({ product }, locale) => [
    product?.id ?? null,
    (locale === 'en' ? product?.name_en : undefined) ?? product?.name ?? null,
  ],
  operator: ({ operator }, locale) => [operator?.id ?? null, operator?.names?.[locale] ?? null],
  supplier: ({ supplier }, locale) => [supplier?.id ?? null, supplier?.names?.[locale] ?? null],
} as const satisfies Record<Dimension, (row: WireSalesRow, locale: Locale) => Cell[]>;

const titlesOf = {
  day: ['day'],
  client: ['client_id', 'client'],
  product: ['product_id', 'product'],
  operator: ['operator_id', 'operator'],
  supplier: ['supplier_id', 'supplier'],
} as const satisfies Record<Dimension, readonly string[]>;

const sums = [
  'sold',
  'sold_amount',
  'reversed',
  'reversed_amount',
  'failed',
  'success_rate',
  'price',
  'commission',
  'amount',
] as const;
const costs = ['cost', 'margin', 'uncosted'] as const;

export type SalesTable = {
  readonly titles: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
};

export type Printing = {
  readonly by: readonly Dimension[];
  readonly showing: Showing;
  /** The language of the names. */
  readonly locale: Locale;
  readonly currency: Currency | null;
  /** Awaited between two pieces. */
  readonly rest: Turn;
};

export const salesTable = (
  { rows, left, before }: SalesReport,
  { by, showing, locale, currency, rest }: Printing,
): SalesTable => {
  const { header, cell } = currencyColumn(currency);
  const figures = [...sums, ...(showing.seesCost ? costs : [])];
  const titles = [
    ...by.flatMap((one): readonly string[] => titlesOf[one]),
    ...figures,
    ...(before === undefined ? [] : figures.map((name) => `previous_${name}`)),
    ...header,
  ];
  const lineOf = (row: WireSalesRow): readonly Cell[] => [
    ...by.flatMap((one): Cell[] => cellsOf[one](row, locale)),
    ...figures.map((name) => row[name]),
    ...(before === undefined ? [] : figures.map((name) => row.previous?.[name] ?? null)),
    ...cell,
  ];
  async function* batches(): AsyncGenerator<readonly (readonly Cell[])[]> {
    for (let start = 0; start < rows.length; start += linesAtATime) {
      await rest();
      const batch = rows.slice(start, start + linesAtATime);
      yield batch.map((row) => lineOf(rowToWire(row, showing)));
    }
    if (left.groups === 0) return;
    const missing = `${left.groups} smaller groups are not here: choose a shorter period`;
    yield [[missing, ...titles.slice(1).map(() => null)]];
  }
  return { titles, batches: batches() };
};
