/** Tests which requests take the fast path, which go to the framework, and what each answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createPageCache, type Page, pageHeaders } from '../../catalogue/pages/cache.ts';
import { createSnapshot } from '../../catalogue/snapshot.ts';
import type { Auth, Caller } from '../../clients/auth.ts';
import { systemRandom } from '../../lib/random.ts';
import { passOnly, unrecorded } from '../../tracing/spans.ts';
import { fixedHeaders } from '../headers.ts';
import { createConcurrencyLimit } from '../limits/concurrency.ts';
import type { Connections } from '../limits/connections.ts';
import { readInChunks } from '../limits/intake.ts';
import type { RequestLine } from '../request-log.ts';
import { type AnsweringDeps, createAnswering } from './answer.ts';
import { openNodeFastPath } from './node.ts';
import { type FastPagesDeps, fastPages, listPath } from './pages.ts';
import { openRawSocket } from './socket.ts';

const page: Page = {
  version: '1',
  key: '1 a page',
  address: { path: 'http://shop.example/list', query: '' },
  data: () => Buffer.from('{"data":["پیشنهاد"]'),
  tail: ',"balance":',
};

const anyAuth: Pick<Auth, 'needs' | 'forget' | 'saveLastUse'> = {
  needs: () => async () => {},
  forget: () => {},
  saveLastUse: async () => {},
};

/** Node's parser first, or the raw socket first. */
/** Without a limit on connections. */
const connections: Connections = {
  add: () => {},
  read: (socket) => void readInChunks(socket, () => 128),
  identified: () => {},
  handle: (_socket, _response, run) => run(),
  whenClosed: () => () => {},
};

const ways = ['short', 'straight'] as const;
type Way = (typeof ways)[number];

/** A server whose framework answers "long", with every dependency replaceable. */
const createStage = async (way: Way, changes: Partial<AnsweringDeps & FastPagesDeps> = {}) => {
  const stage = {
    snapshot: createSnapshot('1', []),
    balance: async () => 7,
    draining: false,
    known: true,
    callers: [] as Caller[],
    lines: [] as RequestLine[],
  };
  const server = createServer((_request, response) => response.end('long'));
  const pages = createPageCache(() => stage.snapshot);
  const answering = createAnswering({
    routes: fastPages({
      pages,
      publicUrl: undefined,
      behindProxy: false,
      balanceOf: () => stage.balance(),
      draining: () => stage.draining,
      ...changes,
    }),
    auth: {
      ...anyAuth,
      pass: (_scope, caller) => {
        stage.callers.push(caller);
        return stage.known
          ? { clientId: 'c', rules: undefined, test: false, headers: { ratelimit: 'much' } }
          : undefined;
      },
    },
    behindProxy: false,
    draining: () => stage.draining,
    stopping: () => false,
    clock: manualClock(),
    requestIdFrom: (sent) => (typeof sent === 'string' ? sent : 'an id'),
    concurrency: createConcurrencyLimit(10),
    connections,
    logRequest: (line) => void stage.lines.push(line),
    spans: passOnly(systemRandom),
    ...changes,
  });
  const deps = {
    answering,
    connections,
    fixedHeaders: fixedHeaders(undefined),
    clock: manualClock(),
  };
  if (way === 'short') openNodeFastPath({ server }, { ...deps, bodyBytes: 1000 });
  else openRawSocket(server, { ...deps, headersTimeoutMs: 10_000, keepAliveMs: 5000 });
  // A failing test leaves it open; that must not block the others.
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  const base = changes.publicUrl ?? `http://${host}`;
  pages.remember({ base, url: listPath, body: '' }, page);
  const ask = async (options: RequestOptions = {}, body = '') => {
    const agent = new Agent({ keepAlive: true });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // Each on its own connection: one that the framework has answered stays with it.
      const target = { host: '127.0.0.1', port, path: listPath, agent };
      httpRequest({ ...target, ...options }, resolve)
        .on('error', reject)
        .end(body);
    });
    const given = { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    agent.destroy();
    return given;
  };
  return { stage, ask, close: () => server.close() };
};

const short = '{"data":["پیشنهاد"],"balance":7}';

for (const way of ways) {
  describe(`A cached page on the ${way} path`, () => {
    let it: Awaited<ReturnType<typeof createStage>>;
    before(async () => {
      it = await createStage(way);
    });
    after(() => it.close());

    test('has the headers of every answer, its length, its tag and the limit', async () => {
      const { status, headers, body } = await it.ask({ headers: { authorization: 'Bearer x' } });
      assert.deepEqual([status, body], [200, short]);
      const { date, connection, 'keep-alive': _, etag, ...rest } = headers;
      assert.ok(date !== undefined && connection !== undefined);
      assert.match(etag ?? '', /^"[\w-]{27}"$/);
      assert.deepEqual(rest, {
        ...fixedHeaders(undefined),
        'request-id': 'an id',
        ratelimit: 'much',
        ...pageHeaders,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(short)),
      });
      assert.equal(it.stage.callers.at(-1)?.authorization, 'Bearer x');
    });

    test('is logged once it was sent, with its client and without its address', async () => {
      const before = it.stage.lines.length;
      await it.ask();
      while (it.stage.lines.length === before) await new Promise((done) => setImmediate(done));
      const { ms, ...line } = it.stage.lines.at(-1) ?? assert.fail();
      assert.ok(ms >= 0);
      const expected = {
        request: 'an id',
        method: 'GET',
        route: listPath,
        status: 200,
        clientId: 'c',
        purchaseId: undefined,
        span: unrecorded(null),
      };
      assert.deepEqual(line, expected);
    });

    test('is answered under the id that its caller sent, and logged with it and the trace', async () => {
      const before = it.stage.lines.length;
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      const { headers, body } = await it.ask({
        headers: { 'X-Request-Id': 'mine-1', traceparent },
      });
      assert.deepEqual(
        [body, headers['request-id'], headers['x-request-id']],
        [short, 'mine-1', 'mine-1'],
      );
      while (it.stage.lines.length === before) await new Promise((done) => setImmediate(done));
      const line = it.stage.lines.at(-1);
      assert.deepEqual(
        [line?.request, line?.span.trace],
        ['mine-1', `${traceId}-01-00f067aa0ba902b7`],
      );
    });

    test('whose client has left is no longer counted, and is logged', async () => {
      const asked = Promise.withResolvers<void>();
      const balance = Promise.withResolvers<number>();
      const { stage, ask, close } = await createStage(way, {
        concurrency: createConcurrencyLimit(1),
      });
      stage.balance = () => {
        asked.resolve();
        return balance.promise;
      };
      const leaving = new AbortController();
      const left = ask({ signal: leaving.signal }).catch(() => 'left');
      await asked.promise;
      leaving.abort();
      assert.equal(await left, 'left');
      await new Promise((done) => setTimeout(done, 20));
      balance.resolve(7);
      while (stage.lines.length === 0) await new Promise((done) => setImmediate(done));
      stage.balance = async () => 7;
      assert.equal((await ask()).body, short);
      close();
    });

    test('carries the current balance, and the tag of these bytes', async () => {
      const first = await it.ask();
      it.stage.balance = async () => 8;
      const second = await it.ask();
      it.stage.balance = async () => 7;
      const third = await it.ask();
      assert.match(second.body, /"balance":8\}$/);
      assert.notEqual(second.headers.etag, first.headers.etag);
      assert.deepEqual([third.body, third.headers.etag], [first.body, first.headers.etag]);
    });
  });

  describe(`Instead of the ${way} path the framework answers`, () => {
    let it: Awaited<ReturnType<typeof createStage>>;
    before(async () => {
      it = await createStage(way);
    });
    after(() => it.close());

    const cases: Readonly<Record<string, RequestOptions>> = {
      'another method': { method: 'POST' },
      'another path': { path: '/api/filter' },
      'an address that was not requested before': { path: `${listPath}?page=2` },
      'another host': { headers: { host: 'other.example' } },
      'an invalid host': { headers: { host: 'a b' } },
      'a conditional request': { headers: { 'if-none-match': '*' } },
      'a body': { headers: { 'content-length': '1' } },
    };
    for (const [name, options] of Object.entries(cases)) {
      test(name, async () => {
        const body =
          options.headers !== undefined && 'content-length' in options.headers ? 'x' : '';
        assert.equal((await it.ask(options, body)).body, 'long');
      });
    }

    test('unknown clients, and those without permission', async () => {
      it.stage.known = false;
      assert.equal((await it.ask()).body, 'long');
      it.stage.known = true;
      assert.equal((await it.ask()).body, short);
    });

    test('everything while the database does not return the balance', async () => {
      it.stage.balance = () => Promise.reject(new Error('away'));
      assert.equal((await it.ask()).body, 'long');
      it.stage.balance = async () => 7;
    });

    test('everything while the server drains, even if that begins during the lookup', async () => {
      it.stage.draining = true;
      assert.equal((await it.ask()).body, 'long');
      it.stage.draining = false;
      it.stage.balance = async () => {
        it.stage.draining = true;
        return 7;
      };
      assert.equal((await it.ask()).body, 'long');
      it.stage.draining = false;
      it.stage.balance = async () => 7;
    });

    test('a page of a changed catalogue', async () => {
      it.stage.snapshot = createSnapshot('2', []);
      assert.equal((await it.ask()).body, 'long');
    });
  });

  describe(`On the ${way} path behind a proxy`, () => {
    test('the connection shows neither the client’s address nor the public host', async () => {
      const it = await createStage(way, { behindProxy: true });
      assert.equal((await it.ask()).body, 'long');
      it.close();
      const configured = await createStage(way, {
        behindProxy: true,
        publicUrl: 'https://shop.example',
      });
      assert.equal((await configured.ask()).body, short);
      assert.equal(configured.stage.callers.at(-1)?.address, undefined);
      configured.close();
    });
  });

  test(`Beyond the concurrency limit the framework refuses instead of the ${way} path`, async () => {
    const it = await createStage(way, { concurrency: createConcurrencyLimit(0) });
    assert.equal((await it.ask()).body, 'long');
    it.close();
  });
}
