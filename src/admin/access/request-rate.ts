/** Limits the request rate of the back office, by session or by address. */
import { networkOf } from '../../clients/network.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Rate, rateHeaders, rateLimiter } from '../../lib/rate-limit.ts';
import { AdminError } from '../errors.ts';

/** Null: as often as they like. */
export type Rates = { readonly rate: Rate | null; readonly anonymousRate: Rate | null };

/** Each counts a request, or refuses it. */
export type RequestRate = {
  readonly bySession: (hash: string) => void;
  readonly byAddress: (address: string) => void;
};

const countBy = (rate: Rate | null, clock: Pick<Clock, 'monotonic'>): ((who: string) => void) => {
  if (rate === null) return () => {};
  const limiter = rateLimiter(rate, clock);
  return (who) => {
    const verdict = limiter(who);
    if (verdict.allowed) return;
    throw new AdminError('TOO_MANY_REQUESTS', { headers: rateHeaders(rate, verdict) });
  };
};

/** Buckets in memory, as those of clients are, and apart from them. */
export const createRequestRate = (
  { rate, anonymousRate }: Rates,
  clock: Pick<Clock, 'monotonic'>,
): RequestRate => {
  const byPlace = countBy(anonymousRate, clock);
  return {
    bySession: countBy(rate, clock),
    byAddress: (address) => byPlace(networkOf(address)),
  };
};
