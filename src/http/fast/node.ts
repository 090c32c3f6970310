/** Runs the fast path on requests that Node has parsed, and passes all others to the framework. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../limits/connections.ts';
import { hasTooManyHeaders, repeatedHeader } from '../request-check.ts';
import type { Answering, FastRoute } from './answer.ts';
import { onlyListener } from './listeners.ts';
import { responseWriter } from './write.ts';

export type FastPathDeps = {
  readonly answering: Answering;
  readonly connections: Pick<Connections, 'handle'>;
  readonly bodyBytes: number;
  /** The headers of every answer. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
};

type FrameworkHandler = (request: IncomingMessage, response: ServerResponse) => void;

const noBody = Buffer.alloc(0);

/** The length of a body with a plain header; undefined in case of doubt. */
const bodyLength = ({ headers }: IncomingMessage): number | undefined => {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const told = headers['content-length'];
  if (told === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(told) ? Number(told) : undefined;
};

const isPlain = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean =>
  httpVersion === '1.1' &&
  !hasTooManyHeaders(rawHeaders) &&
  headers.host !== undefined &&
  repeatedHeader(rawHeaders) === undefined &&
  headers.expect === undefined &&
  headers['content-encoding'] === undefined;

/**
 * Decides by the head alone whether a request is plain. Any other goes to the framework, as if it had not
 * been examined.
 */
const createFastPath = ({ answering, bodyBytes, fixedHeaders }: FastPathDeps) => {
  const write = responseWriter(fixedHeaders);

  const answer = (
    route: FastRoute,
    request: IncomingMessage,
    response: ServerResponse,
    { body, framework }: { readonly body: Buffer; readonly framework: FrameworkHandler },
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
      passToFramework: () => {
        // As if it had not been read.
        if (body.length > 0) request.unshift(body);
        framework(request, response);
      },
    });

  return (
    request: IncomingMessage,
    response: ServerResponse,
    framework: FrameworkHandler,
  ): void => {
    const route = isPlain(request) ? answering.routeOf(request) : undefined;
    const length = route === undefined ? undefined : bodyLength(request);
    if (route === undefined || length === undefined || length > bodyBytes) {
      framework(request, response);
      return;
    }
    if (length === 0) {
      answer(route, request, response, { body: noBody, framework });
      return;
    }
    request.once('readable', () => {
      // A body in several chunks is rare enough for the framework.
      if (request.readableLength !== length) {
        framework(request, response);
        return;
      }
      const arrived: unknown = request.read();
      const body = Buffer.isBuffer(arrived) ? arrived : noBody;
      answer(route, request, response, { body, framework });
    });
  };
};

/** Installs the fast path before the framework. */
export const openNodeFastPath = (
  app: Pick<FastifyInstance, 'server'>,
  deps: FastPathDeps,
): void => {
  const fastPath = createFastPath(deps);
  const server: Server = app.server;
  const framework = onlyListener(server.listeners('request'));
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    deps.connections.handle(request.socket, response, () =>
      fastPath(request, response, (one, other) => framework.call(server, one, other)),
    );
  });
};
