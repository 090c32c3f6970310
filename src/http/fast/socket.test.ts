/** Tests the raw socket path: sequential answers, handover to Node, and timeouts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { systemClock } from '../../lib/clock.ts';
import { readInChunks } from '../limits/intake.ts';
import type { Exchange, FastRoute } from './answer.ts';
import { openRawSocket, type RawSocketDeps } from './socket.ts';

const route: FastRoute = {
  route: '/',
  method: 'GET',
  scope: 'catalogue',
  takes: () => true,
  match: () => undefined,
};

const large = Buffer.alloc(8 * 1024 * 1024, 'x');

/** The answers by address; `/later` when it is released, `/long` by the framework. */
const createStage = async (changes: Partial<RawSocketDeps> = {}) => {
  const waiting: Exchange[] = [];
  const sent: (string | undefined)[] = [];
  const send = ({ request: { url }, send: write }: Exchange, last = false): void => {
    write(
      {
        status: 200,
        cacheControl: 'no-store',
        headers: [],
        parts: url === '/large' ? [large] : [`straight ${url}.`],
      },
      { requestId: 'an id', headers: {}, last },
      () => {},
    );
    sent.push(url);
  };
  const server = createServer((request, response) => response.end(`long ${request.url}.`));
  const way = openRawSocket(server, {
    connections: { add: () => {}, read: (socket) => void readInChunks(socket, () => 128) },
    answering: {
      routeOf: ({ url }) => (url === '/unknown' ? undefined : route),
      answer: (_route, exchange) => {
        if (exchange.request.url === '/later') waiting.push(exchange);
        else if (exchange.request.url === '/long') exchange.passToFramework();
        else send(exchange, exchange.request.url === '/last');
      },
    },
    headersTimeoutMs: 10_000,
    keepAliveMs: 5000,
    fixedHeaders: {},
    clock: systemClock,
    ...changes,
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    way,
    server,
    open: () => connect(port, '127.0.0.1'),
    letGo: () => {
      for (const exchange of waiting.splice(0)) send(exchange);
    },
    giveUp: () => {
      for (const { passToFramework } of waiting.splice(0)) passToFramework();
    },
    untilWaiting: async () => {
      while (waiting.length === 0) await new Promise((done) => setImmediate(done));
    },
    untilSent: async (url: string) => {
      while (!sent.includes(url)) await new Promise((done) => setImmediate(done));
    },
  };
};

const ask = (url: string): string => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Reads from a connection until its text has this many answers; returns their bodies. */
const answersOf = (socket: Socket) => {
  let seen = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    seen += piece;
  });
  const bodies = (): string[] => seen.match(/(?:straight|long) \/\w*/g) ?? [];
  return async (count: number): Promise<string[]> => {
    while (bodies().length < count) await once(socket, 'data');
    return bodies();
  };
};

describe('A connection', () => {
  let it: Awaited<ReturnType<typeof createStage>>;
  const stage = async (changes: Partial<RawSocketDeps> = {}) => {
    it = await createStage(changes);
    return it;
  };
  afterEach(() => {
    it.way.closeAll();
    it.server.closeAllConnections();
    it.server.close();
  });

  /** Sends a second request before the first is answered, on the same connection. */
  const askTwice = async () => {
    const socket = (await stage()).open();
    const answers = answersOf(socket);
    socket.write(ask('/later'));
    await it.untilWaiting();
    socket.write(ask('/a'));
    await new Promise((done) => setTimeout(done, 20));
    return answers;
  };

  test('is answered repeatedly, and stays with Node from the first request that is not plain', async () => {
    const socket = (await stage()).open();
    const answers = answersOf(socket);
    for (const [index, url] of ['/a', '/b', '/long', '/c'].entries()) {
      socket.write(ask(url));
      await answers(index + 1);
    }
    assert.deepEqual(await answers(4), ['straight /a', 'straight /b', 'long /long', 'long /c']);
  });

  test('is handed over for unknown bytes, several requests in one chunk, and partial requests', async () => {
    await stage();
    const known: Readonly<Record<string, readonly string[]>> = {
      [ask('/unknown')]: ['long /unknown'],
      [ask('/a') + ask('/b') + ask('/c')]: ['long /a', 'long /b', 'long /c'],
    };
    for (const [bytes, expected] of Object.entries(known)) {
      const socket = it.open();
      socket.write(bytes);
      assert.deepEqual(await answersOf(socket)(expected.length), expected);
      socket.destroy();
    }
    const socket = it.open().setNoDelay();
    const answers = answersOf(socket);
    for (const byte of ask('/pieces')) {
      socket.write(byte);
      await new Promise((done) => setImmediate(done));
    }
    assert.deepEqual(await answers(1), ['long /pieces']);
  });

  test('keeps the order of answers if the next request comes before the answer', async () => {
    const answers = await askTwice();
    assert.deepEqual(await answers(0), []);
    it.letGo();
    assert.deepEqual(await answers(2), ['straight /later', 'straight /a']);
  });

  test('is handed over with its request and the next one if the framework has to answer', async () => {
    const answers = await askTwice();
    it.giveUp();
    assert.deepEqual(await answers(2), ['long /later', 'long /a']);
  });

  test('whose client has closed its side is answered and closed', async () => {
    const socket = (await stage()).open();
    socket.end(ask('/later'));
    await it.untilWaiting();
    await new Promise((done) => setTimeout(done, 20));
    it.letGo();
    assert.match(await text(socket), /straight \/later\.$/);
    const silent = it.open();
    silent.end();
    assert.equal(await text(silent), '');
  });

  test('whose client has left is forgotten, and its answer reaches no other', async () => {
    await stage();
    for (const end of [it.letGo, it.giveUp]) {
      const socket = it.open();
      socket.write(ask('/later'));
      await it.untilWaiting();
      socket.destroy();
      await new Promise((done) => setTimeout(done, 20));
      end();
    }
    const other = it.open();
    other.write(ask('/a'));
    assert.deepEqual(await answersOf(other)(1), ['straight /a']);
  });

  test('closes after an answer that says so', async () => {
    const socket = (await stage()).open();
    socket.write(ask('/last'));
    assert.match(
      await text(socket),
      /^HTTP\/1\.1 200 OK\r\n[^]*\r\nconnection: close\r\n[^]*\r\n\r\nstraight \/last\.$/,
    );
  });

  test('that stays idle is closed in time, at first and between requests', async () => {
    const clock = manualClock();
    await stage({ clock, headersTimeoutMs: 3000, keepAliveMs: 5000 });
    const silent = it.open();
    const socket = it.open();
    socket.write(ask('/a'));
    await answersOf(socket)(1);
    await clock.advance(2900);
    assert.equal(silent.closed, false);
    const end = text(silent);
    await clock.advance(1100);
    assert.equal(await end, '');
    await clock.advance(1900);
    assert.equal(socket.closed, false);
    const closed = once(socket, 'close');
    await clock.advance(1100);
    await closed;
    assert.equal(clock.pending(), 0);
  });

  test('that goes to Node while idle ones are closed stays open', async () => {
    const clock = manualClock();
    await stage({ clock, headersTimeoutMs: 3000 });
    const idle = Array.from({ length: 200 }, () => it.open());
    const ends = idle.map((socket) => once(socket.resume(), 'close'));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const last = it.open();
    await once(last, 'connect');
    // By then the server has all of them.
    const probe = it.open();
    probe.write(ask('/a'));
    await answersOf(probe)(1);
    const answers = answersOf(last);
    // They are closed over several turns: it sends after the first of them.
    const sent = ends[0]?.then(() => last.write(ask('/unknown')));
    await clock.advance(3000);
    await Promise.all([...ends, sent]);
    await answers(1);
    last.write(ask('/unknown'));
    assert.deepEqual(await answers(2), ['long /unknown', 'long /unknown']);
  });

  test('that waits for its answer is not closed for that', async () => {
    const clock = manualClock();
    const socket = (await stage({ clock })).open();
    socket.write(ask('/later'));
    await it.untilWaiting();
    await clock.advance(60_000);
    it.letGo();
    assert.deepEqual(await answersOf(socket)(1), ['straight /later']);
  });

  test('whose client does not read its answers is handed over before they pile up', async () => {
    const socket = (await stage()).open();
    socket.write(ask('/large'));
    await it.untilSent('/large');
    socket.write(ask('/a'));
    const seen = await answersOf(socket)(1);
    assert.deepEqual(seen, ['long /a']);
  });

  test('is closed by a closing server: at once if idle, else after its answer', async () => {
    await stage();
    const idle = it.open();
    const busy = it.open();
    busy.write(ask('/later'));
    await it.untilWaiting();
    const closed = new Promise((done) => it.server.close(done));
    it.way.closeIdle();
    assert.equal(await text(idle), '');
    it.letGo();
    assert.match(await text(busy), /straight \/later\.$/);
    await closed;
  });
});
