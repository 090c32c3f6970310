/** Owns the short way: plain requests of the most common kinds, answered without the framework. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Auth, Passed } from '../clients/auth.ts';
import type { Scope } from '../clients/token.ts';
import type { Clock } from '../lib/clock.ts';
import type { NewId } from '../lib/random.ts';
import type { Ceiling } from './ceiling.ts';
import type { LogRequest } from './request-log.ts';
import { type HeaderList, headerList, type ShortAnswer, writeAnswer } from './short-answer.ts';

/** Answers for a client under a request's id, at once where it can. Undefined: the long way is to be taken. */
export type Answerer = (
  client: Passed,
  requestId: string,
) => ShortAnswer | undefined | Promise<ShortAnswer | undefined>;

/** One kind of request. */
export type ShortRoute = {
  /** As the log names it. */
  readonly route: string;
  readonly method: 'GET' | 'POST';
  readonly scope: Scope;
  /** Whether an address is one of this route's. */
  readonly takes: (url: string) => boolean;
  /**
   * Looks at a request, and its body where it has one, without waiting and without a lasting effect.
   * Undefined where anything about it is not plain: the long way judges that.
   */
  readonly look: (request: IncomingMessage, body: Buffer) => Answerer | undefined;
};

export type ShortWayDeps = {
  readonly routes: readonly ShortRoute[];
  readonly auth: Pick<Auth, 'pass'>;
  /** Whether a proxy may speak for the client: then its address is not that of the connection. */
  readonly behindProxy: boolean;
  readonly bodyBytes: number;
  readonly draining: () => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly newId: NewId;
  /** Those that every answer carries. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
  readonly ceiling: Ceiling;
  readonly logRequest: LogRequest;
};

type LongWay = (request: IncomingMessage, response: ServerResponse) => void;

const noBody = Buffer.alloc(0);

/** The length of a body that is plainly told; undefined where there is any doubt. */
const bodyLength = ({ headers }: IncomingMessage): number | undefined => {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const told = headers['content-length'];
  if (told === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(told) ? Number(told) : undefined;
};

const isPlain = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  headers.host !== undefined &&
  headers.expect === undefined &&
  headers['content-encoding'] === undefined;

type Exchange = {
  readonly route: ShortRoute;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly longWay: LongWay;
};

/** Answers on the short way; where that does not do, the long way is taken as if nothing had been tried. */
const createAnswering = (deps: ShortWayDeps) => {
  const callerOf = ({ headers, socket }: IncomingMessage) => ({
    authorization: headers.authorization,
    address: deps.behindProxy ? undefined : socket.remoteAddress,
    connection: socket,
  });

  const fixed = headerList(deps.fixedHeaders);
  const headersFor = (passed: Passed, id: string): HeaderList => [
    ...fixed,
    'request-id',
    id,
    ...headerList(passed.headers),
    ...(deps.draining() ? ['connection', 'close'] : []),
  ];

  const takeLongWay = ({ request, response, longWay }: Exchange, body: Buffer): void => {
    // As if it had not been read.
    if (body.length > 0) request.unshift(body);
    longWay(request, response);
  };

  return (exchange: Exchange, body: Buffer): void => {
    const { route, request, response } = exchange;
    const answerer = route.look(request, body);
    const passed =
      answerer === undefined ? undefined : deps.auth.pass(route.scope, callerOf(request));
    if (answerer === undefined || passed === undefined) {
      takeLongWay(exchange, body);
      return;
    }
    const started = deps.clock.monotonic();
    const id = deps.newId();
    deps.ceiling.enter();
    const finish = (answer: ShortAnswer | undefined): void => {
      if (answer === undefined) {
        deps.ceiling.leave();
        takeLongWay(exchange, body);
        return;
      }
      response.once('close', () => {
        deps.ceiling.leave();
        const { method, route: name } = route;
        const ms = deps.clock.monotonic() - started;
        const { clientId } = passed;
        deps.logRequest({ request: id, method, route: name, status: answer.status, ms, clientId });
      });
      writeAnswer(response, answer, headersFor(passed, id));
    };
    const answer = answerer(passed, id);
    if (answer instanceof Promise) void answer.then(finish);
    else finish(answer);
  };
};

/**
 * Decides by what is at hand whether everything about a request is plain. What is not goes the long
 * way, as if nobody had looked at it before.
 */
const createShortWay = (deps: ShortWayDeps) => {
  const answer = createAnswering(deps);

  const routeOf = (request: IncomingMessage): ShortRoute | undefined => {
    const { method, url = '' } = request;
    const route = deps.routes.find((one) => one.method === method && one.takes(url));
    if (route === undefined || !isPlain(request)) return undefined;
    return deps.draining() || deps.ceiling.reached() ? undefined : route;
  };

  const answerWithBody = (exchange: Exchange): void => {
    const arrived: unknown = exchange.request.read();
    answer(exchange, Buffer.isBuffer(arrived) ? arrived : noBody);
  };

  return (request: IncomingMessage, response: ServerResponse, longWay: LongWay): void => {
    const route = routeOf(request);
    const length = route === undefined ? undefined : bodyLength(request);
    if (route === undefined || length === undefined || length > deps.bodyBytes) {
      longWay(request, response);
      return;
    }
    const exchange = { route, request, response, longWay };
    if (length === 0) {
      answer(exchange, noBody);
      return;
    }
    request.once('readable', () => {
      // A body in pieces is rare enough to be left to the long way.
      if (request.readableLength === length) answerWithBody(exchange);
      else longWay(request, response);
    });
  };
};

/** Puts the short way before the framework, which stays the way of everything else. */
export const openShortWay = (app: Pick<FastifyInstance, 'server'>, deps: ShortWayDeps): void => {
  const shortWay = createShortWay(deps);
  const server: Server = app.server;
  const [longWay, ...others] = server.listeners('request');
  if (longWay === undefined || others.length > 0) throw new Error('One listener was expected.');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    shortWay(request, response, (one, other) => longWay.call(server, one, other));
  });
};
