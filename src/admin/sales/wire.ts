/** Describes what was sold as the back office's API shows it. */
import { type Static, Type } from 'typebox';
import type { Product } from '../../catalogue/product.ts';
import { formatDay } from '../../lib/calendar-day.ts';
import { formatTime } from '../../lib/time.ts';
import type { Operator } from '../../operators/registry.ts';
import { dimensions, type GroupKey, type Period } from '../../purchases/sales/report/query.ts';
import { amountOf, type ReportRow, type SalesReport } from '../../purchases/sales/report/report.ts';
import type { Progress } from '../../purchases/sales/store.ts';
import type { Sums } from '../../purchases/sales/sums.ts';
import { exampleId, exampleTime, NamesSchema, orNull, textOrNull } from '../wire.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const sums = {
  sold: count('Purchases that succeeded.'),
  sold_amount: count('Their price.'),
  reversed: count('Purchases that were reversed, on the day of the reversal.'),
  reversed_amount: count('Their price, which the clients got back.'),
  amount: Type.Integer({ description: '`sold_amount` less `reversed_amount`.' }),
};

const SumsSchema = Type.Object(sums, { title: 'SalesSums', description: 'What was sold.' });

const period = {
  from: Type.String({ description: 'The first business day.' }),
  to: Type.String({ description: 'The last business day.' }),
};

const previous = orNull(SumsSchema, 'The same in the period before; null unless you compare.');

const RowSchema = Type.Object(
  {
    day: textOrNull('The business day; null unless it is in `by`.'),
    client: orNull(
      Type.Object({
        id: Type.String({ description: 'The ID of the client.' }),
        name: Type.String({ description: 'The name of the client.' }),
      }),
      'The client; null unless it is in `by`.',
    ),
    product: orNull(
      Type.Object({
        id: Type.Integer({ description: 'The ID of the product.' }),
        name: textOrNull('The name of the product; null if it was removed.'),
        name_en: textOrNull('The name in Latin script; null if there is none.'),
      }),
      'The product; null unless it is in `by`.',
    ),
    operator: orNull(
      Type.Object({
        id: Type.Integer({ description: 'The ID of the operator.' }),
        names: orNull(NamesSchema, 'The names; null if it is not configured.'),
      }),
      'The operator; null unless it is in `by`.',
    ),
    ...sums,
    previous,
  },
  { title: 'SalesRow', description: 'What was sold in one group.' },
);

const freshness = {
  time_zone: Type.String({ description: 'The time zone of business days.' }),
  complete_to: Type.String({
    description: 'Everything committed before this time is included.',
  }),
  progress: Type.Object(
    {
      postings: count('The ledger’s entries.'),
      counted: count('Those that are counted.'),
    },
    { description: 'How far counting is. After an upgrade, the past takes a while.' },
  ),
};

export const SalesSchema = Type.Object(
  {
    ...period,
    by: Type.Array(Type.Enum([...dimensions]), { description: 'The dimensions.' }),
    ...freshness,
    totals: SumsSchema,
    previous: orNull(
      Type.Object({ ...period, totals: SumsSchema }),
      'The period of the same length before; null unless you compare.',
    ),
    rows: Type.Array(RowSchema, {
      description: 'The groups with the largest amount, sorted by day, then by amount.',
    }),
    left: Type.Object(
      { groups: count('How many groups are not in `rows`.'), ...sums },
      { description: 'The groups that are not in `rows`, together.' },
    ),
  },
  { title: 'Sales', description: 'What was sold in a period.' },
);

const PeriodSchema = Type.Object(
  {
    ...period,
    totals: SumsSchema,
    previous: Type.Object(
      { ...period, totals: SumsSchema },
      { description: 'The period of the same length before.' },
    ),
  },
  { title: 'SalesPeriod', description: 'What was sold in a period, and in the one before.' },
);

const top = (what: string) =>
  Type.Array(RowSchema, { description: `The ${what} with the largest amount.` });

export const SalesOverviewSchema = Type.Object(
  {
    ...freshness,
    today: PeriodSchema,
    yesterday: PeriodSchema,
    last_7_days: PeriodSchema,
    last_30_days: PeriodSchema,
    top: Type.Object(
      { operators: top('operators'), products: top('products'), clients: top('clients') },
      { description: 'The largest of the chosen period.' },
    ),
  },
  { title: 'SalesOverview', description: 'What was sold, compared with the period before.' },
);

/** What names are shown for the ids in a report. */
export type SalesNames = {
  readonly client: (id: string) => string | undefined;
  readonly product: (id: number) => Pick<Product, 'name' | 'name_en'> | undefined;
  readonly operator: (id: number) => Pick<Operator, 'names'> | undefined;
};

export type Freshness = {
  readonly zone: string;
  readonly completeTo: number;
  readonly progress: Pick<Progress, 'postings' | 'counted'>;
};

export const sumsToWire = (of: Readonly<Sums>): Static<typeof SumsSchema> => ({
  sold: of.sold,
  sold_amount: of.sold_amount,
  reversed: of.reversed,
  reversed_amount: of.reversed_amount,
  amount: amountOf(of),
});

export const periodToWire = ({ from, to }: Period) => ({
  from: formatDay(from),
  to: formatDay(to),
});

const keyToWire = ({ day, client, product, operator }: GroupKey, names: SalesNames) => ({
  day: day === undefined ? null : formatDay(day),
  client: client === undefined ? null : { id: client, name: names.client(client) ?? '' },
  product:
    product === undefined
      ? null
      : {
          id: product,
          name: names.product(product)?.name ?? null,
          name_en: names.product(product)?.name_en ?? null,
        },
  operator:
    operator === undefined
      ? null
      : { id: operator, names: names.operator(operator)?.names ?? null },
});

export type WireSalesRow = Static<typeof RowSchema>;

export const rowToWire = (row: ReportRow, names: SalesNames): WireSalesRow => ({
  ...keyToWire(row.key, names),
  ...sumsToWire(row.sums),
  previous: row.before === undefined ? null : sumsToWire(row.before),
});

export const freshnessToWire = ({ zone, completeTo, progress }: Freshness) => ({
  time_zone: zone,
  complete_to: formatTime(completeTo),
  progress: { postings: progress.postings, counted: progress.counted },
});

export const reportToWire = (
  report: SalesReport,
  by: Static<typeof SalesSchema>['by'],
  { names, ...fresh }: Freshness & { readonly names: SalesNames },
): Static<typeof SalesSchema> => ({
  ...periodToWire(report.period),
  by,
  ...freshnessToWire(fresh),
  totals: sumsToWire(report.totals),
  previous:
    report.before === undefined
      ? null
      : { ...periodToWire(report.before.period), totals: sumsToWire(report.before.totals) },
  rows: report.rows.map((row) => rowToWire(row, names)),
  left: { groups: report.left.groups, ...sumsToWire(report.left.sums) },
});

const exampleSums = {
  sold: 120,
  sold_amount: 6_600_000,
  reversed: 1,
  reversed_amount: 55_000,
  amount: 6_545_000,
};

const exampleRow: WireSalesRow = {
  day: null,
  client: null,
  product: null,
  operator: { id: 1, names: { en: 'Operator 1', fa: 'اپراتور ۱' } },
  ...exampleSums,
  previous: exampleSums,
};

const exampleFresh = {
  time_zone: 'Asia/Tehran',
  complete_to: exampleTime,
  progress: { postings: 241, counted: 241 },
};

const examplePrevious = { from: '2026-01-30', to: '2026-01-30', totals: exampleSums };

export const exampleSales: Static<typeof SalesSchema> = {
  from: '2026-01-31',
  to: '2026-01-31',
  by: ['operator'],
  ...exampleFresh,
  totals: exampleSums,
  previous: examplePrevious,
  rows: [exampleRow],
  left: { groups: 0, sold: 0, sold_amount: 0, reversed: 0, reversed_amount: 0, amount: 0 },
};

const examplePeriod = {
  from: '2026-01-31',
  to: '2026-01-31',
  totals: exampleSums,
  previous: examplePrevious,
};

export const exampleSalesOverview: Static<typeof SalesOverviewSchema> = {
  ...exampleFresh,
  today: examplePeriod,
  yesterday: examplePeriod,
  last_7_days: examplePeriod,
  last_30_days: examplePeriod,
  top: {
    operators: [exampleRow],
    products: [],
    clients: [{ ...exampleRow, operator: null, client: { id: exampleId, name: 'Example shop' } }],
  },
};
