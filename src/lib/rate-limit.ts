/** Limits rates with token buckets in memory, one for each caller, bounded in number. */
import type { Clock } from './clock.ts';

export type Rate = {
  /** Requests that a second restores. */
  readonly perSecond: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
};

export type RateDecision = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until a request is allowed again; 0 if it is now. */
  readonly retryAfter: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetAfter: number;
};

/** Counts a request, or with a cost of 0 only checks whether one would be allowed. */
export type RateLimiter = (caller: string, cost?: 0 | 1) => RateDecision;

type Bucket = { level: number; at: number };

// The longest-waiting one is dropped first: most likely its bucket is full again anyway.
const callersKept = 100_000;

export const rateLimiter = (rate: Rate, clock: Pick<Clock, 'monotonic'>): RateLimiter => {
  const buckets = new Map<string, Bucket>();
  const keep = (caller: string, bucket: Bucket): void => {
    buckets.delete(caller);
    buckets.set(caller, bucket);
    if (buckets.size <= callersKept) return;
    const oldest = buckets.keys().next();
    if (!oldest.done) buckets.delete(oldest.value);
  };
  return (caller, cost = 1) => {
    const now = clock.monotonic();
    const bucket = buckets.get(caller) ?? { level: rate.burst, at: now };
    const refilled = bucket.level + ((now - bucket.at) / 1000) * rate.perSecond;
    const level = Math.min(refilled, rate.burst);
    const allowed = level >= 1;
    const left = allowed ? level - cost : level;
    if (cost > 0) keep(caller, { level: left, at: now });
    return {
      allowed,
      remaining: Math.floor(left),
      retryAfter: left >= 1 ? 0 : Math.ceil((1 - left) / rate.perSecond),
      resetAfter: Math.ceil((rate.burst - left) / rate.perSecond),
    };
  };
};

/** The headers of the IETF's draft on rate limits, and Retry-After if the caller has to wait. */
export const rateHeaders = (rate: Rate, decision: RateDecision): Record<string, string> => ({
  ratelimit: `"default";r=${decision.remaining};t=${decision.resetAfter}`,
  'ratelimit-policy': `"default";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`,
  ...(decision.allowed ? {} : { 'retry-after': String(decision.retryAfter) }),
});
