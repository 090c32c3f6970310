/** Owns calls that are measured: how long each operator takes, and what comes of asking it. */
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Call, CallResult } from './call.ts';

const kindOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
    ? value.kind
    : 'other';

const outcomeOf = (result: CallResult<unknown>): string =>
  result.kind === 'unknown' ? result.kind : kindOf(result.value);

/** A connector's exchanges within a call say not what they are about, and are not counted again. */
export const measuredCall =
  (call: Call, clock: Pick<Clock, 'monotonic'>, metrics: Pick<Metrics, 'call'>): Call =>
  async (deadline, exchange, asked) => {
    if (asked === undefined) return call(deadline, exchange);
    const started = clock.monotonic();
    const result = await call(deadline, exchange);
    metrics.call(asked, outcomeOf(result), clock.monotonic() - started);
    return result;
  };
