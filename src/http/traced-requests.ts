/** Traces requests: one span for each, from its arrival to its answer. */
import type { FastifyInstance } from 'fastify';
import { traceFrom } from '../lib/http/trace.ts';
import { type Span, type Spans, unrecorded } from '../tracing/spans.ts';
import { metricsPath } from './metrics.ts';
import type { LogRequest } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the framework answers before any hook. */
    span: Span | undefined;
    /** Its trace, from `traceFrom`; null if there is none. */
    trace: string | null;
  }
}

type Arrived = {
  readonly method: string;
  /** Null if there is none. */
  readonly route: string | null;
  readonly traceparent: string | readonly string[] | undefined;
};

/** Probes and scrapes come every few seconds, forever. */
const isTraced = (route: string | null): boolean =>
  route?.startsWith('/health/') !== true && route !== metricsPath;

/** Begins the span of a request. Never its address: queries and paths may contain numbers. */
export const beginRequest = (spans: Spans, { method, route, traceparent }: Arrived): Span => {
  const trace = traceFrom(traceparent) ?? null;
  if (!isTraced(route)) return unrecorded(trace);
  return spans.begin({
    name: route === null ? method : `${method} ${route}`,
    kind: 'server',
    trace,
    attributes: { 'http.request.method': method, 'http.route': route ?? undefined },
  });
};

export const traceRequests = (app: FastifyInstance, spans: Spans): void => {
  app.decorateRequest('span', undefined);
  app.decorateRequest('trace', null);
  app.addHook('onRequest', async (request) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url ?? null;
    const span = beginRequest(spans, { method, route, traceparent: headers['traceparent'] });
    request.span = span;
    request.trace = span.trace;
  });
};

const leastFault = 500;

/** The same line for the log, after its span has ended. */
export const tracedRequests =
  (log: LogRequest): LogRequest =>
  (line) => {
    const { span, status, request, clientId, purchaseId } = line;
    if (span.isRecorded) {
      const attributes = {
        'http.response.status_code': status,
        'simgate.request.id': request,
        'simgate.client.id': clientId === '' ? undefined : clientId,
        'simgate.purchase.id': purchaseId,
      };
      // By the conventions a refusal is the caller's error, not the server's.
      span.end(attributes, status >= leastFault ? String(status) : undefined);
    }
    log(line);
  };
