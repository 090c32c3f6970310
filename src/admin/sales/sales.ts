/** Reads reports of what was sold, with names and how fresh they are, and the sales of the overview. */
import type { Static } from 'typebox';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { daysIn } from '../../lib/business-day.ts';
import type { Day } from '../../lib/calendar-day.ts';
import type { Operator } from '../../operators/registry.ts';
import {
  type Dimension,
  type Period,
  periodBefore,
  type SalesQuery,
} from '../../purchases/sales/report/query.ts';
import { readRefused } from '../../purchases/sales/report/refused.ts';
import {
  readGroups,
  readReport,
  type SalesReport,
  textOfKey,
  totalOf,
} from '../../purchases/sales/report/report.ts';
import type { Group } from '../../purchases/sales/report/store.ts';
import { readProgress } from '../../purchases/sales/store.ts';
import { listClientNames } from './store.ts';
import {
  type Freshness,
  freshnessToWire,
  periodToWire,
  rowToWire,
  type SalesNames,
  type SalesOverviewSchema,
  type Showing,
  sumsToWire,
} from './wire.ts';

export type SalesDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** The business's time zone, as it is in the database now. */
  readonly timeZone: (db: Db) => Promise<string>;
  readonly product: SalesNames['product'];
  readonly operators: () => readonly Pick<Operator, 'id' | 'names'>[];
  /** All of them, also those that are operators. */
  readonly suppliers: () => readonly Pick<Operator, 'id' | 'names'>[];
};

/** The present, by the business's own calendar. */
export type Present = Freshness & { readonly today: Day };

/** Read before the sums: what is added in between is in them too. */
export const readPresent = async ({ db, databaseTime, timeZone }: SalesDeps): Promise<Present> => {
  const zone = await timeZone(db);
  const now = await databaseTime(db);
  const progress = await readProgress(db);
  const completeTo = progress.firstUncountedAt ?? now;
  return { zone, completeTo, progress, today: daysIn(zone)(now).date };
};

export const readNames = async (deps: SalesDeps): Promise<SalesNames> => {
  const { db, product } = deps;
  const clients = new Map((await listClientNames(db)).map(({ id, name }) => [id, name]));
  const operators = new Map(deps.operators().map((operator) => [operator.id, operator]));
  const suppliers = new Map(deps.suppliers().map((supplier) => [supplier.id, supplier]));
  return {
    client: (id) => clients.get(id),
    product,
    operator: (id) => operators.get(id),
    supplier: (id) => suppliers.get(id),
  };
};

export type ReadReport = {
  readonly report: SalesReport;
  readonly refused: number | null;
  readonly showing: Showing;
};

/** A report, and how it is shown to someone. */
export const readShown = async (
  deps: SalesDeps,
  query: SalesQuery,
  shown: {
    readonly limit: number;
    readonly compare: boolean;
    readonly seesCost: boolean;
    readonly zone: string;
  },
): Promise<ReadReport> => {
  const { limit, compare, seesCost, zone } = shown;
  const report = await readReport(deps.db, query, { limit, compare });
  const refused = await readRefused(deps.db, query, daysIn(zone));
  const refusedOf: Showing['refusedOf'] = (key) =>
    refused === undefined ? null : (refused.of.get(textOfKey(key)) ?? 0);
  const names = await readNames(deps);
  return { report, refused: refused?.total ?? null, showing: { names, seesCost, refusedOf } };
};

export const periodNames = ['today', 'yesterday', 'last_7_days', 'last_30_days'] as const;
export type PeriodName = (typeof periodNames)[number];

/** Today is not over yet; the last days end with it. */
const periodsOf = (today: Day): Readonly<Record<PeriodName, Period>> => ({
  today: { from: today, to: today },
  yesterday: { from: today - 1, to: today - 1 },
  last_7_days: { from: today - 6, to: today },
  last_30_days: { from: today - 29, to: today },
});

const mostTop = 10;

const topBy = (deps: SalesDeps, period: Period, by: Dimension): Promise<SalesReport> => {
  const query: SalesQuery = { period, by: [by] };
  return readReport(deps.db, query, { limit: mostTop, compare: true });
};

export const readSalesOverview = async (
  deps: SalesDeps,
  chosen: PeriodName,
  seesCost: boolean,
): Promise<Static<typeof SalesOverviewSchema>> => {
  const present = await readPresent(deps);
  const periods = periodsOf(present.today);
  const all = { from: periodBefore(periods.last_30_days).from, to: present.today };
  const days = [...(await readGroups(deps.db, { period: all, by: ['day'] })).values()];
  const totalsOf = ({ from, to }: Period) => {
    const isWithin = ({ key: { day = 0 } }: Group): boolean => day >= from && day <= to;
    return sumsToWire(totalOf(days.filter(isWithin)), { seesCost });
  };
  const shown = (period: Period) => ({ ...periodToWire(period), totals: totalsOf(period) });
  const compared = (name: PeriodName) => ({
    ...shown(periods[name]),
    previous: shown(periodBefore(periods[name])),
  });
  const showing = { names: await readNames(deps), seesCost, refusedOf: () => null };
  const hasSales = ({ sums: { sold, reversed } }: Group): boolean => sold + reversed > 0;
  const top = async (by: Dimension) =>
    (await topBy(deps, periods[chosen], by)).rows
      .filter(hasSales)
      .map((row) => rowToWire(row, showing));
  return {
    ...freshnessToWire(present),
    today: compared('today'),
    yesterday: compared('yesterday'),
    last_7_days: compared('last_7_days'),
    last_30_days: compared('last_30_days'),
    top: {
      operators: await top('operator'),
      products: await top('product'),
      clients: await top('client'),
      suppliers: await top('supplier'),
    },
  };
};
