/** Owns the short way: a page of the list that was asked for before, answered without the framework. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PageAnswer, Pages } from '../catalogue/pages.ts';
import type { Auth, Passed } from '../clients/auth.ts';
import { plainBase } from '../lib/base-url.ts';
import type { Clock } from '../lib/clock.ts';
import type { NewId } from '../lib/random.ts';
import type { Ceiling } from './ceiling.ts';
import type { CommonHeaders } from './headers.ts';
import type { LogRequest } from './request-log.ts';

export type ShortWayDeps = {
  readonly pages: Pages;
  readonly auth: Auth;
  readonly publicUrl: string | undefined;
  /** Whether a proxy may speak for the client: then its address is not that of the connection. */
  readonly behindProxy: boolean;
  readonly balanceOf: (clientId: string) => Promise<number>;
  readonly draining: () => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly newId: NewId;
  readonly headersOf: CommonHeaders;
  readonly ceiling: Ceiling;
  readonly logRequest: LogRequest;
};

type LongWay = (request: IncomingMessage, response: ServerResponse) => void;

export const listPath = '/api/clients/products';

/** Writes the parts one after another: the rendered page is shared between requests, never copied. */
const write = (
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  { head, data, tail, etag }: PageAnswer,
): void => {
  const length = head.length + data.length + Buffer.byteLength(tail);
  response.writeHead(200, {
    ...headers,
    'cache-control': 'private, no-cache',
    etag,
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  });
  response.cork();
  response.write(head);
  response.write(data);
  response.end(tail);
};

/**
 * Decides by what is at hand, without waiting: whether everything about a request is plain, and its
 * answer but for the balance known. What is not goes the long way, which judges it.
 */
const createShortWay = (deps: ShortWayDeps) => {
  const callerOf = ({ headers, socket }: IncomingMessage) => ({
    authorization: headers.authorization,
    address: deps.behindProxy ? undefined : socket.remoteAddress,
  });

  const baseOf = ({ headers }: IncomingMessage): string | undefined => {
    if (deps.publicUrl !== undefined) return deps.publicUrl;
    return deps.behindProxy ? undefined : plainBase(headers.host);
  };

  const isPlain = ({ method, url, headers, httpVersion }: IncomingMessage): boolean =>
    method === 'GET' &&
    url?.startsWith(listPath) === true &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers['if-none-match'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined;

  const send = (
    response: ServerResponse,
    { clientId, headers }: Passed,
    { answer, started }: { readonly answer: PageAnswer; readonly started: number },
  ): void => {
    const request = deps.newId();
    deps.ceiling.count(response);
    response.once('close', () => {
      const ms = deps.clock.monotonic() - started;
      deps.logRequest({ request, method: 'GET', route: listPath, status: 200, ms, clientId });
    });
    write(response, { ...deps.headersOf(request), ...headers }, answer);
  };

  /** Undefined where the database does not tell, or the server is told to stop meanwhile. */
  const balanceOf = async (clientId: string): Promise<number | undefined> => {
    const balance = await deps.balanceOf(clientId).catch(() => undefined);
    return deps.draining() ? undefined : balance;
  };

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    longWay: LongWay,
  ): Promise<void> => {
    const base = isPlain(request) ? baseOf(request) : undefined;
    const answer = base === undefined ? undefined : deps.pages.find(base, request.url ?? '');
    if (answer === undefined || deps.draining() || deps.ceiling.reached()) {
      return longWay(request, response);
    }
    const started = deps.clock.monotonic();
    const passed = deps.auth.pass('catalogue', callerOf(request));
    if (passed === undefined) return longWay(request, response);
    const balance = await balanceOf(passed.clientId);
    if (balance === undefined) return longWay(request, response);
    send(response, passed, { answer: answer(balance), started });
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
    void shortWay(request, response, (one, other) => longWay.call(server, one, other));
  });
};
