/** Provides webhooks for tests: an endpoint with a message, and a receiver that keeps what it gets. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { announce } from '../../src/webhooks/announce.ts';
import type { EventType } from '../../src/webhooks/event.ts';
import { at } from './answers.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { request, type TestServer } from './server.ts';

export type Endpoint = { readonly id: string; readonly secret: string };

/** Creates an endpoint through the API; of the first client by default. */
export const makeEndpoint = async (
  server: TestServer,
  options: {
    readonly url?: string;
    readonly events?: readonly EventType[];
    readonly balanceBelow?: number;
    readonly token?: string | null;
  } = {},
): Promise<Endpoint> => {
  const { url = 'https://shop.example/hooks', events = ['catalogue.changed'], token } = options;
  const answer = await request(server, '/api/webhooks', {
    json: { url, events, balance_below: options.balanceBelow ?? null },
    ...(token === undefined ? {} : { token }),
  });
  if (answer.status !== 201) throw new Error(`No endpoint: ${answer.text}`);
  return { id: String(at(answer.body, 'id')), secret: String(at(answer.body, 'secret')) };
};

/** Writes an event for all listening endpoints, so that each has a message; returns its id. */
export const makeMessage = async (server: TestServer): Promise<string> => {
  const id = server.deps.newId();
  const { db, clock } = server.deps;
  const event = { type: 'catalogue.changed', data: { changed: 1, removed: 0 } } as const;
  await announce(db, event, { newId: () => id, at: clock.now() });
  return `msg_${id}`;
};

export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** How many connections were made to it. */
  readonly connections: () => number;
  /** Its answer from now on; undefined: none, ever. */
  readonly answerWith: (
    status: number | undefined,
    more?: { readonly headers?: Record<string, string>; readonly body?: string },
  ) => void;
  /** Resolves when there are this many. */
  readonly has: (count: number) => Promise<void>;
  readonly stop: () => void;
};

/** A server on this machine that receives webhooks. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let [connections, status]: [number, number | undefined] = [0, 204];
  let more: { readonly headers?: Record<string, string>; readonly body?: string } = {};
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    incoming.on('end', () => {
      received.push({ headers: incoming.headers, body, at: received.length });
      for (const one of waiting) {
        if (received.length < one.count) continue;
        waiting.delete(one);
        one.resolve();
      }
      if (status !== undefined) outgoing.writeHead(status, more.headers).end(more.body);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  cleanUpAfterTest(stop);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    connections: () => connections,
    answerWith: (given, rest = {}) => {
      status = given;
      more = rest;
    },
    has: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.add({ count, resolve });
      }),
    stop,
  };
};
