/** Owns one exchange with an operator: under a deadline, and never throwing. */
import type { Clock } from '../lib/clock.ts';
import type { Asked } from '../lib/metrics.ts';

/** An exchange either gave an answer or ended in the unknown: timeout, reset, nonsense. */
export type CallResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * Runs `exchange` under a deadline in milliseconds. Its signal fires when the deadline passes. What is
 * `asked` is for the metrics.
 */
export type Call = <T>(
  deadline: number,
  exchange: (signal: AbortSignal) => Promise<T>,
  asked?: Asked,
) => Promise<CallResult<T>>;

export const callWithin =
  (clock: Clock): Call =>
  async <T>(deadline: number, exchange: (signal: AbortSignal) => Promise<T>) => {
    const abort = new AbortController();
    const late = Promise.withResolvers<CallResult<T>>();
    const cancel = clock.after(deadline, () => {
      late.resolve({ kind: 'unknown', detail: `no answer within ${deadline} ms` });
      abort.abort();
    });
    const answered = Promise.try(exchange, abort.signal).then(
      (value): CallResult<T> => ({ kind: 'answer', value }),
      (error: unknown): CallResult<T> => ({
        kind: 'unknown',
        detail: error instanceof Error ? error.message : 'the exchange failed',
      }),
    );
    try {
      return await Promise.race([answered, late.promise]);
    } finally {
      cancel();
    }
  };
