/** Builds the overview from rollups and live data, once for all viewers. */
import type { Db } from '../../db/types.ts';
import { type DayAt, utcDays } from '../../lib/business-day.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operator } from '../../operators/registry.ts';
import { percentilesOf } from '../../purchases/stats/buckets.ts';
import { beginningOf, type CountsRow, spanMs } from '../../purchases/stats/rows.ts';
import { readCounts, readTimes } from '../../purchases/stats/store.ts';
import { readConsoleSettings } from '../settings/settings.ts';
import {
  type ChartName,
  charts,
  mergedTimes,
  partOf,
  partsOf,
  perMinute,
  pointsOf,
  readFrom,
  successRate,
  sumOf,
  timesOf,
} from './figures.ts';
import { readLive, readLowBalances } from './store.ts';
import { type Figures, type Health, overviewToWire, type WireOverview } from './wire.ts';

export type OverviewDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly operators: () => readonly Pick<Operator, 'id' | 'name' | 'names'>[];
  /** An operator's state, as this process sees it. */
  readonly healthOf: (operatorId: number) => {
    readonly health: Health;
    /** Undefined if it has not changed since the start. */
    readonly since: number | undefined;
  };
  /** How many calls to it are in flight here. */
  readonly inFlight: (operatorId: number) => number;
  /** The business day of a moment; in UTC by default. */
  readonly dayAt?: DayAt;
};

/** The overview, and its JSON, rendered once for all viewers. */
export type Seen = { readonly overview: WireOverview; readonly text: string };

export type Overview = { readonly read: (chart: ChartName) => Promise<Seen> };

const mostLow = 10;
// Long enough to be useful at low volume, short enough to be current.
const recentMs = 5 * spanMs.minute;

type Read = Pick<Figures, 'live' | 'lowBalances'> & {
  readonly rows: readonly CountsRow[];
  readonly recent: readonly CountsRow[];
  readonly timesByPart: ReturnType<typeof timesOf>;
  readonly timesByOperator: ReturnType<typeof timesOf>;
};

/** A chart at a moment, with the beginning of each of its parts. */
type Figured = {
  readonly chart: ChartName;
  readonly now: number;
  readonly parts: readonly number[];
};

/** One statement after another: viewers must not take all connections. */
const readAll = async (db: Db, { chart, now, parts }: Figured): Promise<Read> => {
  const { span } = charts[chart];
  const from = readFrom(chart, parts);
  const placed = partOf(chart, parts);
  const rows = await readCounts(db, span, from);
  const times = await readTimes(db, 'at', { span, from });
  const recentFrom = beginningOf('minute', now) - recentMs;
  return {
    rows: rows.map((row) => ({ ...row, at: placed(row.at) })),
    recent: await readCounts(db, 'minute', recentFrom),
    timesByPart: timesOf(times.map((one) => ({ ...one, of: placed(one.of) }))),
    timesByOperator: timesOf(await readTimes(db, 'operator_id', { span, from })),
    live: await readLive(db),
    lowBalances: await readLowBalances(
      db,
      (await readConsoleSettings(db)).low_balance_below,
      mostLow,
    ),
  };
};

const figuresOf = (deps: OverviewDeps, { chart, now, parts }: Figured, read: Read): Figures => {
  const rowsOf = Map.groupBy(read.rows, ({ operator_id: id }) => id);
  const recentOf = Map.groupBy(read.recent, ({ operator_id: id }) => id);
  return {
    at: now,
    chart,
    points: pointsOf(parts, read.rows, read.timesByPart),
    times: percentilesOf(mergedTimes(parts, read.timesByPart)),
    perMinute: perMinute(read.recent, now),
    successRate: successRate(sumOf(read.recent)),
    live: read.live,
    lowBalances: read.lowBalances,
    operators: deps.operators().map(({ id, name, names }) => ({
      names,
      id,
      name,
      ...deps.healthOf(id),
      inFlight: deps.inFlight(id),
      perMinute: perMinute(recentOf.get(id) ?? [], now),
      successRate: successRate(sumOf(rowsOf.get(id) ?? [])),
      ...percentilesOf(read.timesByOperator.get(id) ?? new Map()),
      points: pointsOf(parts, rowsOf.get(id) ?? [], new Map()),
    })),
  };
};

// The interval between updates, less a little for a timer that fires early.
const freshMs = 1900;

export const createOverview = (deps: OverviewDeps): Overview => {
  const { db, clock, dayAt = utcDays } = deps;
  const known = new Map<ChartName, { readonly at: number; readonly seen: Promise<Seen> }>();
  const make = async (chart: ChartName): Promise<Seen> => {
    const now = clock.now();
    const figured = { chart, now, parts: partsOf(chart, now, dayAt) };
    const read = await readAll(db, figured);
    const overview = overviewToWire(figuresOf(deps, figured, read));
    return { overview, text: JSON.stringify(overview) };
  };
  return {
    read: (chart) => {
      const at = clock.monotonic();
      const last = known.get(chart);
      if (last !== undefined && at - last.at < freshMs) return last.seen;
      const next = { at, seen: make(chart) };
      known.set(chart, next);
      // After a failure, the next call reads again.
      next.seen.catch(() => {
        if (known.get(chart) === next) known.delete(chart);
      });
      return next.seen;
    },
  };
};
