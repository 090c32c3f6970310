/** Turns counts into rollup rows by minute, hour and day. Pure. */
import { type DayAt, utcDays } from '../../lib/business-day.ts';
import { addCounts, type Counts, minuteMs, noCounts, type Taken } from './tally.ts';

export const spans = ['minute', 'hour', 'day'] as const;
export type Span = (typeof spans)[number];

export const spanMs = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
} as const satisfies Record<Span, number>;

type Place = { readonly span: Span; readonly at: number; readonly operator_id: number };

export type CountsRow = Place & Readonly<Counts>;
export type TimesRow = Place & { readonly bucket: number; readonly calls: number };

export type StatsRows = {
  readonly counts: readonly CountsRow[];
  readonly times: readonly TimesRow[];
};

/**
 * The start of a moment's span. Days are those of the business time zone, UTC by default. Hours are counted from
 * the start of the day: in Tehran they begin at half past by UTC.
 */
export const beginningOf = (span: Span, moment: number, dayAt: DayAt = utcDays): number => {
  if (span === 'minute') return moment - (moment % spanMs.minute);
  const { begins } = dayAt(moment);
  return span === 'day' ? begins : moment - ((moment - begins) % spanMs.hour);
};

// All writers use one order, which prevents deadlocks.
const byPlace = (one: Place & { bucket?: number }, other: Place & { bucket?: number }): number =>
  spanMs[one.span] - spanMs[other.span] ||
  one.at - other.at ||
  one.operator_id - other.operator_id ||
  (one.bucket ?? 0) - (other.bucket ?? 0);

type Sum = { readonly place: Place; readonly counts: Counts; readonly times: Map<number, number> };

/** Sums by span, its start and operator. */
const sumsOf = (taken: Taken, dayAt: DayAt): Sum[] => {
  const sums = new Map<string, Sum>();
  for (const [minute, shares] of taken) {
    for (const [operator, share] of shares) {
      for (const span of spans) {
        const at = beginningOf(span, minute, dayAt);
        const key = `${span} ${at} ${operator}`;
        const place = { span, at, operator_id: operator };
        const sum: Sum = sums.get(key) ?? { place, counts: noCounts(), times: new Map() };
        sums.set(key, sum);
        addCounts(sum.counts, share.counts);
        share.times.forEach((calls, bucket) => {
          if (calls > 0) sum.times.set(bucket, (sum.times.get(bucket) ?? 0) + calls);
        });
      }
    }
  }
  return [...sums.values()];
};

export const rowsOf = (taken: Taken, dayAt: DayAt = utcDays): StatsRows => {
  const sums = sumsOf(taken, dayAt);
  return {
    counts: sums.map(({ place, counts }) => ({ ...place, ...counts })).sort(byPlace),
    times: sums
      .flatMap(({ place, times }) =>
        [...times].map(([bucket, calls]) => ({ ...place, bucket, calls })),
      )
      .sort(byPlace),
  };
};
