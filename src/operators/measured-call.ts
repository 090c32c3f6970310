/** Measures calls to operators: duration and outcome. */
import type { CallResult, OnCall } from '../connector/call.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isTestSupplier } from './supplier.ts';

const kindOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
    ? value.kind
    : 'other';

const outcomeOf = (result: CallResult<unknown>): string =>
  result.kind === 'unknown' ? result.kind : kindOf(result.value);

/** Receives the durations of orders, with or without metrics. */
export type OrderTimes = { readonly took: (operatorId: number, ms: number) => void };

/**
 * A connector's exchanges within a call have no subject, and are not counted again. Those of test clients
 * count nowhere.
 */
export const measureCalls =
  (metrics: Pick<Metrics, 'call'>, orders: OrderTimes): OnCall =>
  (asked, result, ms) => {
    if (isTestSupplier(asked.operatorId)) return;
    metrics.call(asked, outcomeOf(result), ms);
    if (asked.kind === 'order') orders.took(asked.operatorId, ms);
  };
