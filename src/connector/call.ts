/** Calls an operator under a deadline, and never throws. */
import type { Clock } from '../lib/clock.ts';
import type { Asked } from '../metrics/metrics.ts';
import { type Unknown, unknownBecause } from './cause.ts';

/** An exchange either gave an answer or ended in the unknown: timeout, reset, nonsense. */
export type CallResult<T> = { readonly kind: 'answer'; readonly value: T } | Unknown;

/** Runs `exchange` under a deadline in milliseconds. What is `asked` is for the metrics. */
export type Call = <T>(
  deadline: number,
  exchange: () => Promise<T>,
  asked?: Asked,
) => Promise<CallResult<T>>;

/** Hears of every call that says what it is about: what came of it, and how long it took. */
export type OnCall = (asked: Asked, result: CallResult<unknown>, ms: number) => void;

const why = (error: unknown): string =>
  error instanceof Error ? error.message : 'the exchange failed';

export const callWithin =
  (clock: Clock, onCall: OnCall = () => {}): Call =>
  <T>(deadline: number, exchange: () => Promise<T>, asked?: Asked) =>
    new Promise<CallResult<T>>((resolve) => {
      const started = asked === undefined ? 0 : clock.monotonic();
      let over = false;
      const end = (result: CallResult<T>): void => {
        if (over) return;
        over = true;
        cancel();
        if (asked !== undefined) onCall(asked, result, clock.monotonic() - started);
        resolve(result);
      };
      const fail = (error: unknown): void => end({ kind: 'unknown', detail: why(error) });
      const timedOut = { code: 'no_answer_within', values: { ms: deadline } } as const;
      const cancel = clock.after(deadline, () => end(unknownBecause(timedOut)));
      try {
        exchange().then((value) => end({ kind: 'answer', value }), fail);
      } catch (error) {
        fail(error);
      }
    });
