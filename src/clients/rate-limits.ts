/** Limits request rates: of each client, and of each address without a valid token. */
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Rate, rateHeaders, rateLimiter } from '../lib/rate-limit.ts';
import { networkOf } from './network.ts';

type Counted = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

/** Where an answer's headers are written. */
type Reply = { readonly headers: (values: Record<string, string>) => unknown };

export type Limit = {
  /** Counts a request against a caller's bucket. */
  readonly count: (caller: string) => Counted;
  /** Throws if a caller's bucket is empty; counts nothing. */
  readonly assertLeft: (caller: string) => void;
};

const refuse = (headers: Counted['headers']): never => {
  throw new GatewayError('RATE_LIMITED', { headers });
};

const noLimit: Limit = { count: () => ({ allowed: true, headers: {} }), assertLeft: () => {} };

export const createLimit = (
  rate: Rate | null | undefined,
  clock: Pick<Clock, 'monotonic'>,
): Limit => {
  if (!rate) return noLimit;
  const limiter = rateLimiter(rate, clock);
  return {
    count: (caller) => {
      const verdict = limiter(caller);
      return { allowed: verdict.allowed, headers: rateHeaders(rate, verdict) };
    },
    assertLeft: (caller) => {
      const verdict = limiter(caller, 0);
      if (!verdict.allowed) refuse(rateHeaders(rate, verdict));
    },
  };
};

/** Writes a bucket's headers, or refuses if it is empty. */
export const applyLimit = ({ allowed, headers }: Counted, reply: Reply): void => {
  if (!allowed) refuse(headers);
  reply.headers(headers);
};

/** Limits callers without a valid token by their addresses. */
export const createAddressLimit = (...given: Parameters<typeof createLimit>) => {
  const { count, assertLeft } = createLimit(...given);
  return {
    limitAnonymous: (address: string, reply: Reply): void =>
      applyLimit(count(networkOf(address)), reply),
    assertLookupAllowed: (address: string): void => assertLeft(networkOf(address)),
  };
};
