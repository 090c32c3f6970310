/** Describes what was sold as the back office's API shows it. */
import { type Static, Type } from 'typebox';
import type { Product } from '../../catalogue/product.ts';
import { formatDay } from '../../lib/calendar-day.ts';
import { formatTime } from '../../lib/time.ts';
import type { Operator } from '../../operators/registry.ts';
import { dimensions, type GroupKey, type Period } from '../../purchases/sales/report/query.ts';
import {
  amountOf,
  earnedOf,
  type ReportRow,
  type SalesReport,
} from '../../purchases/sales/report/report.ts';
import type { Progress } from '../../purchases/sales/store.ts';
import type { Sums } from '../../purchases/sales/sums.ts';
import { NamesSchema, orNull, textOrNull } from '../wire.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const sums = {
  sold: count('Purchases that succeeded.'),
  sold_amount: count('What the clients were charged for them.'),
  reversed: count('Purchases that were reversed, on the day of the reversal.'),
  reversed_amount: count('What the clients got back for them.'),
  failed: count('Purchases that were begun and not delivered: nothing was charged.'),
  success_rate: orNull(
    Type.Number({ minimum: 0, maximum: 1 }),
    '`sold` as a part of `sold` and `failed`, from 0 to 1; null without any.',
  ),
  price: Type.Integer({ description: 'The price of what was sold, less that of reversals.' }),
  commission: Type.Integer({ description: '`price` less `amount`.' }),
  amount: Type.Integer({ description: '`sold_amount` less `reversed_amount`.' }),
  cost: orNull(
    Type.Integer(),
    'The cost at the suppliers, less that of reversals. Null if it is not known of any, or if you may not see it.',
  ),
  margin: orNull(
    Type.Integer(),
    '`amount` less `cost`, of those whose cost is known; null where `cost` is.',
  ),
  uncosted: orNull(
    Type.Integer({ minimum: 0 }),
    'How many sales and reversals have no known cost, and count neither in `cost` nor in `margin`; null if you may not see costs.',
  ),
};

const SumsSchema = Type.Object(sums, { title: 'SalesSums', description: 'What was sold.' });

const period = {
  from: Type.String({ description: 'The first business day.' }),
  to: Type.String({ description: 'The last business day.' }),
};

const refused = orNull(
  Type.Integer({ minimum: 0 }),
  'Requests that were refused before anything was held. Approximate: they are counted in memory. Null where a client, a product or a supplier is asked for.',
);

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
    supplier: orNull(
      Type.Object({
        id: Type.Integer({ description: 'The ID of the supplier; 0 where it is not known.' }),
        names: orNull(NamesSchema, 'The names; null if it is not configured.'),
      }),
      'The supplier; null unless it is in `by`.',
    ),
    ...sums,
    refused,
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
    refused,
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
      {
        operators: top('operators'),
        products: top('products'),
        clients: top('clients'),
        suppliers: top('suppliers'),
      },
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
  readonly supplier: (id: number) => Pick<Operator, 'names'> | undefined;
};

/** How rows are shown to someone. */
export type Showing = {
  readonly names: SalesNames;
  readonly seesCost: boolean;
  /** How many requests of a group were refused; null where that is not known. */
  readonly refusedOf: (key: GroupKey) => number | null;
};

export type Freshness = {
  readonly zone: string;
  readonly completeTo: number;
  readonly progress: Pick<Progress, 'postings' | 'counted'>;
};

const rateDigits = 10_000;

/** Rounded down, so that only what never failed is shown as complete. */
const successRate = ({ sold, failed }: Readonly<Sums>): number | null =>
  sold + failed === 0 ? null : Math.floor((sold / (sold + failed)) * rateDigits) / rateDigits;

export const sumsToWire = (
  of: Readonly<Sums>,
  { seesCost }: Pick<Showing, 'seesCost'>,
): Static<typeof SumsSchema> => {
  const earned = seesCost ? earnedOf(of) : undefined;
  const price = of.sold_price - of.reversed_price;
  const amount = amountOf(of);
  return {
    sold: of.sold,
    sold_amount: of.sold_amount,
    reversed: of.reversed,
    reversed_amount: of.reversed_amount,
    failed: of.failed,
    success_rate: successRate(of),
    price,
    commission: price - amount,
    amount,
    cost: earned?.cost ?? null,
    margin: earned?.margin ?? null,
    uncosted: seesCost ? of.sold_uncosted + of.reversed_uncosted : null,
  };
};

export const periodToWire = ({ from, to }: Period) => ({
  from: formatDay(from),
  to: formatDay(to),
});

const keyToWire = ({ day, client, product, operator, supplier }: GroupKey, names: SalesNames) => ({
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
  supplier:
    supplier === undefined
      ? null
      : { id: supplier, names: names.supplier(supplier)?.names ?? null },
});

export type WireSalesRow = Static<typeof RowSchema>;

export const rowToWire = (row: ReportRow, showing: Showing): WireSalesRow => ({
  ...keyToWire(row.key, showing.names),
  ...sumsToWire(row.sums, showing),
  refused: showing.refusedOf(row.key),
  previous: row.before === undefined ? null : sumsToWire(row.before, showing),
});

export const freshnessToWire = ({ zone, completeTo, progress }: Freshness) => ({
  time_zone: zone,
  complete_to: formatTime(completeTo),
  progress: { postings: progress.postings, counted: progress.counted },
});

export const reportToWire = (
  report: SalesReport,
  by: Static<typeof SalesSchema>['by'],
  { refused, ...fresh }: Freshness & { readonly refused: number | null },
  showing: Showing,
): Static<typeof SalesSchema> => ({
  ...periodToWire(report.period),
  by,
  ...freshnessToWire(fresh),
  totals: sumsToWire(report.totals, showing),
  refused,
  previous:
    report.before === undefined
      ? null
      : {
          ...periodToWire(report.before.period),
          totals: sumsToWire(report.before.totals, showing),
        },
  rows: report.rows.map((row) => rowToWire(row, showing)),
  left: { groups: report.left.groups, ...sumsToWire(report.left.sums, showing) },
});
