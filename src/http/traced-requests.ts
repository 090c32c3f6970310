/** Traces requests: one span for each, from its arrival to its answer. */
import type { FastifyInstance } from 'fastify';
import { traceFrom } from '../lib/http/trace.ts';
import { type Span, type Spans, unrecorded } from '../tracing/spans.ts';
import { metricsPath } from './metrics.ts';
import type { LogRequest } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where the framework answers before any hook. */
    span: Span | undefined;
    /** The trace that it belongs to, as `traceFrom` gives it; null where there is none. */
    trace: string | null;
  }
}

type Arrived = {
  readonly method: string;
  /** Null where there is none. */
  readonly route: string | null;
  readonly traceparent: string | readonly string[] | undefined;
};

/** Probes and scrapes come every few seconds, for ever. */
const isTraced = (route: string | null): boolean =>
  route?.startsWith('/health/') !== true && route !== metricsPath;

/** Begins the span of a request. Never its address: queries and paths may hold numbers. */
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
      // A refusal is the caller's affair, by the conventions: no error of the server.
      span.end(attributes, status >= leastFault ? String(status) : undefined);
    }
    log(line);
  };
