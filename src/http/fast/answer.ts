/** Answers requests on the fast path: authenticates, counts and logs them. */
import type { Socket } from 'node:net';
import type { Auth, AuthenticatedCaller } from '../../clients/auth.ts';
import type { Scope } from '../../clients/token.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Origin, RequestIdFrom } from '../../lib/http/trace.ts';
import type { Spans } from '../../tracing/spans.ts';
import type { ConcurrencyLimit } from '../limits/concurrency.ts';
import type { Connections } from '../limits/connections.ts';
import type { LogRequest } from '../request-log.ts';
import { beginRequest } from '../traced-requests.ts';
import type { RequestHead } from './request.ts';
import type { CommonAnswer, FastAnswer } from './write.ts';

/**
 * Answers a client's request under its id and trace, synchronously if possible. Undefined: the framework
 * answers.
 */
export type Answerer = (
  client: AuthenticatedCaller,
  origin: Origin,
) => FastAnswer | undefined | Promise<FastAnswer | undefined>;

/** One kind of request. */
export type FastRoute = {
  /** Its name in the log. */
  readonly route: string;
  readonly method: 'GET' | 'POST';
  readonly scope: Scope;
  /** Whether an address belongs to this route. */
  readonly takes: (url: string) => boolean;
  /**
   * Examines a request and its body, synchronously and without lasting effects. Undefined if anything is
   * unusual: the framework handles that.
   */
  readonly match: (request: RequestHead, body: Buffer) => Answerer | undefined;
};

export type AnsweringDeps = {
  readonly routes: readonly FastRoute[];
  readonly auth: Pick<Auth, 'pass'>;
  /** Whether a proxy may speak for the client: then its address is not that of the connection. */
  readonly behindProxy: boolean;
  readonly draining: () => boolean;
  /** Whether the gateway is about to drain, and still answers everything. */
  readonly stopping: () => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The id of a request, given the one that its caller sent. */
  readonly requestIdFrom: RequestIdFrom;
  readonly concurrency: ConcurrencyLimit;
  readonly connections: Pick<Connections, 'identified'>;
  readonly logRequest: LogRequest;
  readonly spans: Spans;
};

/** A request on a connection, with both ways to answer it. */
export type Exchange = {
  readonly request: RequestHead;
  readonly body: Buffer;
  readonly socket: Socket;
  /** Writes the answer, and calls back when it is sent or the client has left. */
  readonly send: (answer: FastAnswer, common: CommonAnswer, gone: () => void) => void;
  /** Passes it on as if nothing had been tried. */
  readonly passToFramework: () => void;
};

export type Answering = {
  /** The route of a request, if there is one and the fast path may take it. */
  readonly routeOf: (request: RequestHead) => FastRoute | undefined;
  /** Answers, or passes the request to the framework. */
  readonly answer: (route: FastRoute, exchange: Exchange) => void;
};

export const createAnswering = (deps: AnsweringDeps): Answering => {
  const pass = (route: FastRoute, { request, socket }: Exchange): AuthenticatedCaller | undefined =>
    deps.auth.pass(route.scope, {
      authorization: request.headers.authorization,
      address: deps.behindProxy ? undefined : socket.remoteAddress,
      connection: socket,
    });

  return {
    routeOf: ({ method, url = '' }) => {
      const route = deps.routes.find((one) => one.method === method && one.takes(url));
      return deps.draining() || deps.concurrency.reached() ? undefined : route;
    },
    answer: (route, exchange) => {
      const answerer = route.match(exchange.request, exchange.body);
      const passed = answerer === undefined ? undefined : pass(route, exchange);
      if (answerer === undefined || passed === undefined) {
        exchange.passToFramework();
        return;
      }
      deps.connections.identified(exchange.socket);
      const started = deps.clock.monotonic();
      const { 'x-request-id': sentId, traceparent } = exchange.request.headers;
      const id = deps.requestIdFrom(sentId);
      const { method, route: name } = route;
      const span = beginRequest(deps.spans, { method, route: name, traceparent });
      deps.concurrency.enter();
      const finish = (answer: FastAnswer | undefined): void => {
        if (answer === undefined) {
          deps.concurrency.leave();
          exchange.passToFramework();
          return;
        }
        const headers =
          sentId === undefined ? passed.headers : { 'x-request-id': id, ...passed.headers };
        const common = { requestId: id, headers, last: deps.draining() || deps.stopping() };
        exchange.send(answer, common, () => {
          deps.concurrency.leave();
          const ms = deps.clock.monotonic() - started;
          const { clientId } = passed;
          const { status, purchaseId } = answer;
          const about = { clientId, purchaseId, span };
          deps.logRequest({ request: id, method, route: name, status, ms, ...about });
        });
      };
      const answer = answerer(passed, { requestId: id, trace: span.trace });
      if (answer instanceof Promise) void answer.then(finish);
      else finish(answer);
    },
  };
};
