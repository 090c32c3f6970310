/** Turns rollup rows into the figures of the overview. Pure. */
import { type DayAt, lastDays } from '../../lib/business-day.ts';
import { type Percentiles, percentilesOf, type Times } from '../../purchases/stats/buckets.ts';
import { beginningOf, type CountsRow, type Span, spanMs } from '../../purchases/stats/rows.ts';
import type { TimesOf } from '../../purchases/stats/store.ts';
import { addCounts, type Counts, noCounts } from '../../purchases/stats/tally.ts';

/** The parts of a chart: how many, and how long each is. */
export const charts = {
  hour: { span: 'minute', parts: 60 },
  day: { span: 'hour', parts: 24 },
  month: { span: 'day', parts: 30 },
} as const satisfies Record<string, { readonly span: Span; readonly parts: number }>;

export type ChartName = keyof typeof charts;

/** The start of each part of a chart, the oldest first; the last is not over yet. */
export const partsOf = (chart: ChartName, now: number, dayAt: DayAt): number[] => {
  const { span, parts } = charts[chart];
  if (span === 'day') return lastDays(dayAt, now, parts).map(({ begins }) => begins);
  const last = beginningOf(span, now);
  return Array.from({ length: parts }, (_, index) => last - (parts - 1 - index) * spanMs[span]);
};

const halfDayMs = spanMs.day / 2;

/** From where on rows belong to the parts. */
export const readFrom = (chart: ChartName, [first = 0]: readonly number[]): number =>
  charts[chart].span === 'day' ? first - halfDayMs : first;

/** The part of a row. A day that was counted in another time zone counts for the day that has its middle. */
export const partOf =
  (chart: ChartName, parts: readonly number[]) =>
  (at: number): number =>
    (charts[chart].span === 'day'
      ? parts.findLast((begins) => begins <= at + halfDayMs)
      : undefined) ?? at;

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
