/** Proves which requests take the short way, that all others take the long one, and what it answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createPages, type Page } from '../catalogue/pages.ts';
import { createSnapshot } from '../catalogue/snapshot.ts';
import type { Auth, Caller } from '../clients/auth.ts';
import { manualClock } from '../lib/manual-clock.ts';
import { createCeiling } from './ceiling.ts';
import { fixedHeaders } from './headers.ts';
import type { RequestLine } from './request-log.ts';
import { listPath, type ShortPagesDeps, shortPages } from './short-pages.ts';
import { openShortWay, type ShortWayDeps } from './short-way.ts';

const page: Page = {
  version: '1',
  address: { path: 'http://shop.example/list', query: '' },
  data: () => Buffer.from('["پیشنهاد"]'),
  tail: ',"balance":',
};

const nobody: Pick<Auth, 'needs' | 'forget' | 'saveLastUse'> = {
  needs: () => async () => {},
  forget: () => {},
  saveLastUse: async () => {},
};

/** A server whose long way answers "long", and a stage on which everything can be changed. */
const createStage = async (changes: Partial<ShortWayDeps & ShortPagesDeps> = {}) => {
  const stage = {
    snapshot: createSnapshot('1', []),
    balance: async () => 7,
    draining: false,
    known: true,
    callers: [] as Caller[],
    lines: [] as RequestLine[],
  };
  const server = createServer((_request, response) => response.end('long'));
  const pages = createPages(() => stage.snapshot);
  openShortWay(
    { server },
    {
      routes: shortPages({
        pages,
        publicUrl: undefined,
        behindProxy: false,
        balanceOf: () => stage.balance(),
        draining: () => stage.draining,
        ...changes,
      }),
      bodyBytes: 1000,
      auth: {
        ...nobody,
        pass: (_scope, caller) => {
          stage.callers.push(caller);
          return stage.known ? { clientId: 'c', headers: { ratelimit: 'much' } } : undefined;
        },
      },
      behindProxy: false,
      draining: () => stage.draining,
      clock: manualClock(),
      newId: () => 'an id',
      fixedHeaders: fixedHeaders(undefined),
      ceiling: createCeiling(10),
      logRequest: (line) => void stage.lines.push(line),
      ...changes,
    },
  );
  // A test that fails leaves it open; that must not keep the others from their end.
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  const base = changes.publicUrl ?? `http://${host}`;
  pages.remember({ base, url: listPath, body: '' }, page);
  const ask = async (options: RequestOptions = {}, body = '') => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const target = { host: '127.0.0.1', port, path: listPath };
      httpRequest({ ...target, ...options }, resolve)
        .on('error', reject)
        .end(body);
    });
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  return { stage, ask, close: () => server.close() };
};

const short = '{"data":["پیشنهاد"],"balance":7}';

describe('A page that is known', () => {
  let it: Awaited<ReturnType<typeof createStage>>;
  before(async () => {
    it = await createStage();
  });
  after(() => it.close());

  test('is answered with the headers of every answer, its length, its tag and the limit', async () => {
    const { status, headers, body } = await it.ask({ headers: { authorization: 'Bearer x' } });
    assert.deepEqual([status, body], [200, short]);
    const { date, connection, 'keep-alive': _, etag, ...rest } = headers;
    assert.ok(date !== undefined && connection !== undefined);
    assert.match(etag ?? '', /^"[\w-]{27}"$/);
    assert.deepEqual(rest, {
      ...fixedHeaders(undefined),
      'request-id': 'an id',
      ratelimit: 'much',
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(short)),
    });
    assert.equal(it.stage.callers.at(-1)?.authorization, 'Bearer x');
  });

  test('is logged once it has gone, with its client and without its address', async () => {
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
    };
    assert.deepEqual(line, expected);
  });

  test('carries the balance of this moment, and the tag of these bytes', async () => {
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

describe('The long way is taken by', () => {
  let it: Awaited<ReturnType<typeof createStage>>;
  before(async () => {
    it = await createStage();
  });
  after(() => it.close());

  const cases: Readonly<Record<string, RequestOptions>> = {
    'another method': { method: 'POST' },
    'another path': { path: '/api/filter' },
    'an address that was not asked for before': { path: `${listPath}?page=2` },
    'another host': { headers: { host: 'other.example' } },
    'a host that is none': { headers: { host: 'a b' } },
    'a question whether anything has changed': { headers: { 'if-none-match': '*' } },
    'a body': { headers: { 'content-length': '1' } },
  };
  for (const [name, options] of Object.entries(cases)) {
    test(name, async () => {
      const body = options.headers !== undefined && 'content-length' in options.headers ? 'x' : '';
      assert.equal((await it.ask(options, body)).body, 'long');
    });
  }

  test('whoever is not known, or may not', async () => {
    it.stage.known = false;
    assert.equal((await it.ask()).body, 'long');
    it.stage.known = true;
    assert.equal((await it.ask()).body, short);
  });

  test('everything while the database does not tell the balance', async () => {
    it.stage.balance = () => Promise.reject(new Error('away'));
    assert.equal((await it.ask()).body, 'long');
    it.stage.balance = async () => 7;
  });

  test('everything while the server drains, also where that begins during the look', async () => {
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

  test('a page of a catalogue that has changed', async () => {
    it.stage.snapshot = createSnapshot('2', []);
    assert.equal((await it.ask()).body, 'long');
  });
});

describe('Behind a proxy', () => {
  test('who asks is not known by the connection, and neither is the address of the answer', async () => {
    const it = await createStage({ behindProxy: true });
    assert.equal((await it.ask()).body, 'long');
    it.close();
    const configured = await createStage({ behindProxy: true, publicUrl: 'https://shop.example' });
    assert.equal((await configured.ask()).body, short);
    assert.equal(configured.stage.callers.at(-1)?.address, undefined);
    configured.close();
  });
});

test('Beyond the ceiling the long way says no', async () => {
  const it = await createStage({ ceiling: createCeiling(0) });
  assert.equal((await it.ask()).body, 'long');
  it.close();
});
