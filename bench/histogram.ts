/** Counts times in fine logarithmic buckets, so that memory does not grow with the count. */

export type Histogram = {
  readonly add: (ms: number) => void;
  readonly count: () => number;
  /** The quantile of a share from 0 to 1; above the true one by a bucket at most. */
  readonly quantile: (share: number) => number;
  readonly max: () => number;
  readonly clear: () => void;
};

// A bucket is 2.2 % wider than the one before it: finer than two runs ever agree.
const perDoubling = 32;
const smallestMs = 0.01;
// Up to some three minutes; no request waits longer.
const buckets = 24 * perDoubling;

/** How far a quantile may lie above the true one. */
export const bucketWidth = 2 ** (1 / perDoubling);

const bucketOf = (ms: number): number => {
  const bucket = Math.ceil(Math.log2(ms / smallestMs) * perDoubling);
  return Math.min(Math.max(bucket, 0), buckets - 1);
};

export const createHistogram = (): Histogram => {
  const counts = new Uint32Array(buckets);
  let [count, max] = [0, 0];
  return {
    add: (ms) => {
      const bucket = bucketOf(ms);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      count += 1;
      max = Math.max(max, ms);
    },
    count: () => count,
    quantile: (share) => {
      let left = Math.max(1, Math.ceil(count * share));
      if (count === 0) return 0;
      for (const [bucket, held] of counts.entries()) {
        left -= held;
        if (left <= 0) return Math.min(max, smallestMs * 2 ** (bucket / perDoubling));
      }
      return max;
    },
    max: () => max,
    clear: () => {
      counts.fill(0);
      [count, max] = [0, 0];
    },
  };
};
