/** Builds the overview from rollups and live data, once for all viewers. */
import type { Db } from '../../db/types.ts';
import { type DayAt, utcDays } from '../../lib/business-day.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operator } from '../../operators/registry.ts';
import type { Float } from '../../purchases/floats/float.ts';
import { percentilesOf } from '../../purchases/stats/buckets.ts';
import { beginningOf, type CountsRow, spanMs } from '../../purchases/stats/rows.ts';
import { readCounts, readTimes } from '../../purchases/stats/store.ts';
import { readConsoleSettings } from '../settings/settings.ts';
import { type AlertSources, alertsOf } from './alerts.ts';
import { type Alerts, alertsToWire, type Setup } from './alerts-wire.ts';
import {
  type ChartName,
  mergedTimes,
  type Parts,
  partOf,
  partsOf,
  perMinute,
  pointsOf,
  rowsOf,
  successRate,
  sumOf,
  timesOf,
} from './figures.ts';
import {
  countLowBalances,
  hasClient,
  hasSale,
  readCreditUse,
  readLive,
  readLowBalances,
} from './store.ts';
import { type Figures, type Health, overviewToWire, type WireOverview } from './wire.ts';

export type OverviewDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly operators: () => readonly Pick<Operator, 'id' | 'name' | 'names'>[];
  /** The same with the suppliers: each may need attention. */
  readonly connections: () => readonly Pick<Operator, 'id' | 'names'>[];
  /** Whether an operator has a connector that delivers. */
  readonly isConnected: () => boolean;
  /** Whether there is anything to sell. */
  readonly hasProducts: () => boolean;
  /** An operator's state, as this process sees it. */
  readonly healthOf: (operatorId: number) => {
    readonly health: Health;
    /** Undefined if it has not changed since the start. */
    readonly since: number | undefined;
  };
  /** What lies at it, if that is watched, and how many of its last deliveries cost more than was charged. */
  readonly moneyAt?: (supplierId: number) => {
    readonly float: Float | undefined;
    readonly losses: number;
  };
  /** How many calls to it are in flight here. */
  readonly inFlight: (operatorId: number) => number;
  /** The business day of a moment; in UTC by default. */
  readonly dayAt?: DayAt;
};

/** The overview, and its JSON, rendered once for all viewers. */
export type Seen = { readonly overview: WireOverview; readonly text: string };

export type Overview = {
  readonly read: (chart: ChartName) => Promise<Seen>;
  /** What someone should act on now. */
  readonly alerts: () => Promise<Alerts>;
  /** What that is decided from. */
  readonly alertSources: () => Promise<AlertSources>;
  /** What a new gateway has already. */
  readonly setup: () => Promise<Setup>;
};

const mostLow = 10;
// Long enough to be useful at low volume, short enough to be current.
const recentMs = 5 * spanMs.minute;

/** Where the minutes that count as now begin. */
const recentFrom = (now: number): number => beginningOf('minute', now) - recentMs;

type Read = Pick<Figures, 'live' | 'lowBalances'> & {
  readonly rows: readonly CountsRow[];
  readonly recent: readonly CountsRow[];
  readonly recentTimes: ReturnType<typeof timesOf>;
  readonly timesByPart: ReturnType<typeof timesOf>;
  readonly timesByOperator: ReturnType<typeof timesOf>;
};

/** A chart at a moment, with its parts. */
type Figured = {
  readonly chart: ChartName;
  readonly now: number;
  readonly parts: Parts;
};

/** One statement after another: viewers must not take all connections. */
const readAll = async (db: Db, { now, parts }: Figured): Promise<Read> => {
  const wanted = rowsOf(parts);
  const placed = partOf(parts);
  const rows = await readCounts(db, wanted.span, wanted.from, wanted.until);
  const times = await readTimes(db, 'at', wanted);
  const from = recentFrom(now);
  return {
    rows: rows.map((row) => ({ ...row, at: placed(row.at) })),
    recent: await readCounts(db, 'minute', from),
    recentTimes: timesOf(await readTimes(db, 'operator_id', { span: 'minute', from })),
    timesByPart: timesOf(times.map((one) => ({ ...one, of: placed(one.of) }))),
    timesByOperator: timesOf(await readTimes(db, 'operator_id', wanted)),
    live: await readLive(db),
    lowBalances: await readLowBalances(
      db,
      (await readConsoleSettings(db)).low_balance_below,
      mostLow,
    ),
  };
};

const readAlertSources = async (deps: OverviewDeps, now: number): Promise<AlertSources> => {
  const { db } = deps;
  const below = (await readConsoleSettings(db)).low_balance_below;
  const [lowest] = await readLowBalances(db, below, 1);
  return {
    live: await readLive(db),
    low: lowest === undefined ? undefined : { count: await countLowBalances(db, below), lowest },
    credit: await readCreditUse(db),
    recent: await readCounts(db, 'minute', recentFrom(now)),
    usual: await readCounts(db, 'hour', now - spanMs.day),
    operators: deps.connections().map(({ id, names }) => ({
      id,
      names,
      ...deps.healthOf(id),
      ...deps.moneyAt?.(id),
    })),
  };
};

const figuresOf = (deps: OverviewDeps, { chart, now, parts }: Figured, read: Read): Figures => {
  const countsOf = Map.groupBy(read.rows, ({ operator_id: id }) => id);
  const recentOf = Map.groupBy(read.recent, ({ operator_id: id }) => id);
  return {
    at: now,
    chart,
    points: pointsOf(parts.begins, read.rows, read.timesByPart),
    times: percentilesOf(mergedTimes(parts.begins, read.timesByPart)),
    recentTimes: percentilesOf(mergedTimes([...read.recentTimes.keys()], read.recentTimes)),
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
      successRate: successRate(sumOf(countsOf.get(id) ?? [])),
      ...percentilesOf(read.timesByOperator.get(id) ?? new Map()),
      points: pointsOf(parts.begins, countsOf.get(id) ?? [], new Map()),
    })),
  };
};

// The interval between updates, less a little for a timer that fires early.
const freshMs = 1900;

/** Reads once for all who ask within two seconds. */
const shared = <Key, T>(
  clock: Pick<Clock, 'monotonic'>,
  make: (key: Key) => Promise<T>,
): ((key: Key) => Promise<T>) => {
  const known = new Map<Key, { readonly at: number; readonly made: Promise<T> }>();
  return (key) => {
    const at = clock.monotonic();
    const last = known.get(key);
    if (last !== undefined && at - last.at < freshMs) return last.made;
    const next = { at, made: make(key) };
    known.set(key, next);
    // After a failure, the next call reads again.
    next.made.catch(() => {
      if (known.get(key) === next) known.delete(key);
    });
    return next.made;
  };
};

export const createOverview = (deps: OverviewDeps): Overview => {
  const { db, clock, dayAt = utcDays } = deps;
  const read = shared(clock, async (chart: ChartName): Promise<Seen> => {
    const now = clock.now();
    const figured = { chart, now, parts: partsOf(chart, now, dayAt) };
    const overview = overviewToWire(figuresOf(deps, figured, await readAll(db, figured)));
    return { overview, text: JSON.stringify(overview) };
  });
  const alerts = shared(clock, async (_all: 'all'): Promise<Alerts> => {
    const now = clock.now();
    return alertsToWire(now, alertsOf(await readAlertSources(deps, now)));
  });
  const setup = shared(
    clock,
    async (_all: 'all'): Promise<Setup> => ({
      operator: deps.isConnected(),
      catalogue: deps.hasProducts(),
      client: await hasClient(db),
      sale: await hasSale(db),
    }),
  );
  return {
    read,
    alerts: () => alerts('all'),
    alertSources: () => readAlertSources(deps, clock.now()),
    setup: () => setup('all'),
  };
};
