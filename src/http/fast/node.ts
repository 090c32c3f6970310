/** Runs the fast path on requests that Node has parsed, and passes all others to the framework. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../limits/connections.ts';
import { repeatedHeader } from '../request-check.ts';
import type { Answering, ShortRoute } from './answer.ts';
import { onlyListener } from './listeners.ts';
import { responseWriter } from './write.ts';

export type ShortWayDeps = {
  readonly answering: Answering;
  readonly connections: Pick<Connections, 'handle'>;
  readonly bodyBytes: number;
  /** Those that every answer carries. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
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

const isPlain = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  headers.host !== undefined &&
  repeatedHeader(rawHeaders) === undefined &&
  headers.expect === undefined &&
  headers['content-encoding'] === undefined;

/**
 * Decides by what is at hand whether everything about a request is plain. What is not goes the long
 * way, as if nobody had looked at it before.
 */
const createShortWay = ({ answering, bodyBytes, fixedHeaders }: ShortWayDeps) => {
  const write = responseWriter(fixedHeaders);

  const answer = (
    route: ShortRoute,
    request: IncomingMessage,
    response: ServerResponse,
    { body, longWay }: { readonly body: Buffer; readonly longWay: LongWay },
  ): void =>
    answering.answer(route, {
      request,
      body,
      socket: request.socket,
      send: (given, common, gone) => {
        if (response.closed) gone();
        else {
          response.once('close', gone);
          write(response, given, common);
        }
      },
      takeLongWay: () => {
        // As if it had not been read.
        if (body.length > 0) request.unshift(body);
        longWay(request, response);
      },
    });

  return (request: IncomingMessage, response: ServerResponse, longWay: LongWay): void => {
    const route = isPlain(request) ? answering.routeOf(request) : undefined;
    const length = route === undefined ? undefined : bodyLength(request);
    if (route === undefined || length === undefined || length > bodyBytes) {
      longWay(request, response);
      return;
    }
    if (length === 0) {
      answer(route, request, response, { body: noBody, longWay });
      return;
    }
    request.once('readable', () => {
      // A body in pieces is rare enough to be left to the long way.
      if (request.readableLength !== length) {
        longWay(request, response);
        return;
      }
      const arrived: unknown = request.read();
      const body = Buffer.isBuffer(arrived) ? arrived : noBody;
      answer(route, request, response, { body, longWay });
    });
  };
};

/** Puts the short way before the framework. */
export const openShortWay = (app: Pick<FastifyInstance, 'server'>, deps: ShortWayDeps): void => {
  const shortWay = createShortWay(deps);
  const server: Server = app.server;
  const longWay = onlyListener(server.listeners('request'));
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    deps.connections.handle(request.socket, response, () =>
      shortWay(request, response, (one, other) => longWay.call(server, one, other)),
    );
  });
};
