/** Writes the log line of each request. */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';

export type RequestLine = {
  readonly request: string;
  readonly method: string;
  /** The route and never the address: queries and paths may hold numbers. Null where there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Empty where the caller is not known. */
  readonly clientId: string;
  /** The purchase that it made or asked for again. */
  readonly purchaseId?: string | undefined;
  /** The trace that it belongs to, where its caller keeps one. */
  readonly traceId?: string | undefined;
};

export type LogRequest = (line: RequestLine) => void;

/** A time as text; asked for many times in a millisecond, it is made once. */
const createIsoTime = (): ((ms: number) => string) => {
  let [last, text] = [Number.NaN, ''];
  return (ms) => {
    if (ms !== last) [last, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
};

/** Nothing in it needs to be masked or escaped: ids of ours or checked, a route, a method that the server knows. */
export const requestLogger = (log: Pick<Log, 'line'>, clock: Pick<Clock, 'now'>): LogRequest => {
  const isoTime = createIsoTime();
  return ({ request, method, route, status, ms, clientId, purchaseId, traceId }) => {
    // Probes ask every few seconds, for ever. What keeps it from being ready is logged where it is met.
    if (route?.startsWith('/health/') === true) return;
    const time = isoTime(clock.now());
    const place = route === null ? 'null' : `"${route}"`;
    const client = clientId === '' ? '' : `"client":"${clientId}",`;
    const purchase = purchaseId === undefined ? '' : `"purchase":"${purchaseId}",`;
    const trace = traceId === undefined ? '' : `"trace":"${traceId}",`;
    const rounded = Math.round(ms * 10) / 10;
    log.line(
      `"level":"info","time":"${time}","request":"${request}","method":"${method}","route":${place},"status":${status},"ms":${rounded},${client}${purchase}${trace}"msg":"request"`,
    );
  };
};
