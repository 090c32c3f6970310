/** Turns rollup rows into the figures of the overview. Pure. */
import { type DayAt, lastDays } from '../../lib/business-day.ts';
import { keysOf } from '../../lib/record.ts';
import { type Percentiles, percentilesOf, type Times } from '../../purchases/stats/buckets.ts';
import { beginningOf, type CountsRow, type Span, spanMs } from '../../purchases/stats/rows.ts';
import type { TimesOf } from '../../purchases/stats/store.ts';
import { addCounts, type Counts, noCounts } from '../../purchases/stats/tally.ts';

/** The business days of a period, how many of the newest are not in it, and how long its parts are. */
export const charts = {
  today: { span: 'hour', days: 1, back: 0 },
  yesterday: { span: 'hour', days: 1, back: 1 },
  last_7_days: { span: 'day', days: 7, back: 0 },
  last_30_days: { span: 'day', days: 30, back: 0 },
} as const satisfies Record<
  string,
  { readonly span: Span; readonly days: number; readonly back: number }
>;

export type ChartName = keyof typeof charts;
export const chartNames = keysOf(charts);

/** The parts of a period: when each begins, the oldest first, and when the last one ends. */
export type Parts = {
  readonly span: Span;
  readonly begins: readonly number[];
  readonly until: number;
};

/** Hours that have not begun are left out; the last part of the present is not over yet. */
export const partsOf = (chart: ChartName, now: number, dayAt: DayAt): Parts => {
  const { span, days, back } = charts[chart];
  const all = lastDays(dayAt, now, days + back).slice(0, days);
  const { begins: first = 0 } = all[0] ?? {};
  const { ends: until = now } = all.at(-1) ?? {};
  if (span === 'day') return { span, begins: all.map(({ begins }) => begins), until };
  const hours = Math.ceil((Math.min(now + 1, until) - first) / spanMs.hour);
  const begins = Array.from({ length: hours }, (_, index) => first + index * spanMs.hour);
  return { span, begins, until };
};

/** Which rows belong to the parts: those with their middle in them. */
export const rowsOf = ({ span, begins: [first = 0], until }: Parts) => ({
  span,
  from: first - spanMs[span] / 2,
  until: until - spanMs[span] / 2,
});

/** The part of a row. What was counted in another time zone counts for the part that has its middle. */
export const partOf =
  ({ span, begins }: Parts) =>
  (at: number): number =>
    begins.findLast((one) => one <= at + spanMs[span] / 2) ?? at;

export const sumOf = (rows: readonly Readonly<Counts>[]): Counts => {
  const sum = noCounts();
  for (const row of rows) addCounts(sum, row);
  return sum;
};

/** The share of completed orders that succeeded; null if none completed. */
export const successRate = ({ succeeded, failed }: Readonly<Counts>): number | null =>
  succeeded + failed === 0 ? null : Math.round((succeeded / (succeeded + failed)) * 1e4) / 1e4;

/** The number begun in the last sixty seconds, as exact as minutes allow. */
export const perMinute = (minutes: readonly CountsRow[], now: number): number => {
  const current = beginningOf('minute', now);
  const begunAt = (at: number): number => sumOf(minutes.filter((row) => row.at === at)).begun;
  const left = 1 - (now - current) / spanMs.minute;
  return Math.round(begunAt(current) + begunAt(current - spanMs.minute) * left);
};

export type Point = Readonly<Counts> & Percentiles & { readonly at: number };

const noTimes: Times = new Map();

/** The times of each span or operator. */
export const timesOf = (rows: readonly TimesOf[]): ReadonlyMap<number, Times> => {
  const all = new Map<number, Map<number, number>>();
  for (const { of, bucket, calls } of rows) {
    const known = all.get(of) ?? new Map<number, number>();
    all.set(of, known.set(bucket, (known.get(bucket) ?? 0) + calls));
  }
  return all;
};

/** The times of some parts together: counts per duration add up, percentiles do not. */
export const mergedTimes = (parts: readonly number[], times: ReadonlyMap<number, Times>): Times => {
  const all = new Map<number, number>();
  for (const part of parts) {
    for (const [bucket, calls] of times.get(part) ?? noTimes) {
      all.set(bucket, (all.get(bucket) ?? 0) + calls);
    }
  }
  return all;
};

/** A point for each part, zero if nothing was counted. */
export const pointsOf = (
  parts: readonly number[],
  rows: readonly CountsRow[],
  times: ReadonlyMap<number, Times>,
): Point[] => {
  const byPart = Map.groupBy(rows, ({ at }) => at);
  return parts.map((at) => ({
    at,
    ...sumOf(byPart.get(at) ?? []),
    ...percentilesOf(times.get(at) ?? noTimes),
  }));
};
