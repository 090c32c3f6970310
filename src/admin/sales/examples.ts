/** Shows what reports of sales look like, for the API's description. */
import type { Static } from 'typebox';
import { exampleId, exampleTime } from '../wire.ts';
import type { SalesOverviewSchema, SalesSchema, WireSalesRow } from './wire.ts';

const exampleSums = {
  sold: 120,
  sold_amount: 6_600_000,
  reversed: 1,
  reversed_amount: 55_000,
  failed: 2,
  success_rate: 0.9836,
  price: 6_800_000,
  commission: 255_000,
  amount: 6_545_000,
  cost: 6_300_000,
  margin: 245_000,
  uncosted: 0,
};

const exampleRow: WireSalesRow = {
  day: null,
  client: null,
  product: null,
  operator: { id: 1, names: { en: 'Operator 1', fa: 'اپراتور ۱' } },
  supplier: null,
  ...exampleSums,
  refused: 3,
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
  refused: 3,
  previous: examplePrevious,
  rows: [exampleRow],
  left: {
    groups: 0,
    sold: 0,
    sold_amount: 0,
    reversed: 0,
    reversed_amount: 0,
    failed: 0,
    success_rate: null,
    price: 0,
    commission: 0,
    amount: 0,
    cost: 0,
    margin: 0,
    uncosted: 0,
  },
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
    suppliers: [],
  },
};
