/** Calls an operator under a deadline, and never throws. */
import type { Clock } from '../lib/clock.ts';
import type { CallContext } from '../lib/http/trace.ts';
import type { Asked } from '../metrics/metrics.ts';
import { noSpans, type Spans } from '../tracing/spans.ts';
import { type Unknown, unknownBecause } from './cause.ts';
import { type About, beginCall } from './traced.ts';

/** An exchange either gave an answer or is unknown: timeout, reset, nonsense. */
export type CallResult<T> = { readonly kind: 'answer'; readonly value: T } | Unknown;

/**
 * Runs `exchange` under a deadline in milliseconds. What it is `about` is for metrics and traces; where it has an
 * origin, the exchange gets the context to pass on.
 */
export type Call = <T>(
  deadline: number,
  exchange: (context: CallContext | undefined) => Promise<T>,
  about?: About,
) => Promise<CallResult<T>>;

/** Called for every call with a subject: its outcome and its duration. */
export type OnCall = (asked: Asked, result: CallResult<unknown>, ms: number) => void;

const why = (error: unknown): string =>
  error instanceof Error ? error.message : 'the exchange failed';

export const callWithin =
  (clock: Clock, onCall: OnCall = () => {}, spans: Spans = noSpans): Call =>
  <T>(
    deadline: number,
    exchange: (context: CallContext | undefined) => Promise<T>,
    about?: About,
  ) =>
    new Promise<CallResult<T>>((resolve) => {
      const started = about === undefined ? 0 : clock.monotonic();
      const span = beginCall(spans, about);
      let over = false;
      const end = (result: CallResult<T>): void => {
        if (over) return;
        over = true;
        cancel();
        if (about !== undefined) onCall(about, result, clock.monotonic() - started);
        span.end(result);
        resolve(result);
      };
      const fail = (error: unknown): void => end({ kind: 'unknown', detail: why(error) });
      const timedOut = { code: 'no_answer_within', values: { ms: deadline } } as const;
      const cancel = clock.after(deadline, () => end(unknownBecause(timedOut)));
      try {
        exchange(span.context).then((value) => end({ kind: 'answer', value }), fail);
      } catch (error) {
        fail(error);
      }
    });
