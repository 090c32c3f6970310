/** Owns one exchange with an operator: under a deadline, and never throwing. */
import type { Clock } from '../lib/clock.ts';
import type { Asked } from '../lib/metrics.ts';

/** An exchange either gave an answer or ended in the unknown: timeout, reset, nonsense. */
export type CallResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Runs `exchange` under a deadline in milliseconds. What is `asked` is for the metrics. */
export type Call = <T>(
  deadline: number,
  exchange: () => Promise<T>,
  asked?: Asked,
) => Promise<CallResult<T>>;

const unknown = (detail: string): CallResult<never> => ({ kind: 'unknown', detail });

export const callWithin =
  (clock: Clock): Call =>
  <T>(deadline: number, exchange: () => Promise<T>) =>
    new Promise<CallResult<T>>((resolve) => {
      const end = (result: CallResult<T>): void => {
        cancel();
        resolve(result);
      };
      const cancel = clock.after(deadline, () =>
        resolve(unknown(`no answer within ${deadline} ms`)),
      );
      Promise.try(exchange).then(
        (value) => end({ kind: 'answer', value }),
        (error: unknown) =>
          end(unknown(error instanceof Error ? error.message : 'the exchange failed')),
      );
    });
