/** Writes the log line of each request. */
import type { Clock } from '../lib/clock.ts';
import { traceIdOf } from '../lib/http/trace.ts';
import type { Log } from '../lib/log/log.ts';
import type { Span } from '../tracing/spans.ts';

export type RequestLine = {
  readonly request: string;
  readonly method: string;
  /** The route and never the address: queries and paths may contain numbers. Null if there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Empty if the caller is unknown. */
  readonly clientId: string;
  /** The purchase that it created or replayed. */
  readonly purchaseId?: string | undefined;
  readonly span: Span;
};

export type LogRequest = (line: RequestLine) => void;

/** A time as text, cached for the current millisecond. */
const createIsoTime = (): ((ms: number) => string) => {
  let [last, text] = [Number.NaN, ''];
  return (ms) => {
    if (ms !== last) [last, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
};

/** Nothing in it needs masking or escaping: our own or validated ids, a route, a known method. */
export const requestLogger = (log: Pick<Log, 'line'>, clock: Pick<Clock, 'now'>): LogRequest => {
  const isoTime = createIsoTime();
  return ({ request, method, route, status, ms, clientId, purchaseId, span }) => {
    // Probes run every few seconds, forever. A fault that prevents readiness is logged where it occurs.
    if (route?.startsWith('/health/') === true) return;
    const time = isoTime(clock.now());
    const place = route === null ? 'null' : `"${route}"`;
    const client = clientId === '' ? '' : `"client":"${clientId}",`;
    const purchase = purchaseId === undefined ? '' : `"purchase":"${purchaseId}",`;
    const traced = span.trace === null ? '' : `"trace":"${traceIdOf(span.trace)}",`;
    const rounded = Math.round(ms * 10) / 10;
    log.line(
      `"level":"info","time":"${time}","request":"${request}","method":"${method}","route":${place},"status":${status},"ms":${rounded},${client}${purchase}${traced}"msg":"request"`,
    );
  };
};
