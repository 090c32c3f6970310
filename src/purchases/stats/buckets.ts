/** Counts times in buckets, each a tenth wider than the one before, and reads percentiles from them. Pure. */

const growth = 1.1;
const logGrowth = Math.log(growth);

/** The first holds all below a millisecond, the last all from ten minutes on, longer than any call. */
export const bucketCount = 142;

export const bucketOf = (ms: number): number =>
  ms < 1 ? 0 : Math.min(bucketCount - 1, 1 + Math.floor(Math.log(ms) / logGrowth));

/** The middle of a bucket: off by a twentieth at most, or by half a millisecond in the first. */
export const timeOf = (bucket: number): number => (bucket === 0 ? 0.5 : growth ** (bucket - 0.5));

/** How many calls each bucket counts. */
export type Times = ReadonlyMap<number, number>;

export type Percentiles = {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
};

/** The percentiles in ms; null if nothing was measured. */
export const percentilesOf = (times: Times): Percentiles => {
  const buckets = [...times].sort(([one], [other]) => one - other);
  const all = buckets.reduce((sum, [, calls]) => sum + calls, 0);
  const within = (percent: number): number | null => {
    const rank = Math.ceil((all * percent) / 100);
    let passed = 0;
    for (const [bucket, calls] of buckets) {
      passed += calls;
      if (calls > 0 && passed >= rank) return timeOf(bucket);
    }
    return null;
  };
  return { p50: within(50), p95: within(95), p99: within(99) };
};
