/** Tests what all routes share: errors, methods, limits, headers, health, draining, and the OpenAPI document. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { readConfig } from '../../src/config/config.ts';
import { defineConnector, type OffersOutcome } from '../../src/connector/connector.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { eventTypes } from '../../src/webhooks/event.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { resolveDocument } from '../support/openapi.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint, makeMessage } from '../support/webhooks.ts';

const products = '/api/clients/products';
const filter = '/api/filter';
const topUp = '/api/top-up';
const topUpFields = {
  product_id: 2201,
  mobile: '989123456700',
  price: 10_000,
  webservice_code: 'a code',
} as const;
/** The options of a request that buys the demo catalogue's top-up, under a key. */
const topUpOf = (key: string, other: Readonly<Record<string, unknown>> = {}) => ({
  headers: { 'idempotency-key': key },
  json: { ...topUpFields, ...other },
});
const json = { 'content-type': 'application/json' } as const;
const defaults = readConfig({});

let server: TestServer;

before(async () => {
  server = await startServer({ products: demoCatalogue() });
});

after(() => server.stop());

/** Opens a bare connection, and returns what comes back once the server has closed it. */
const openSocket = (to: TestServer): { socket: Socket; closed: Promise<string> } => {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  return { socket, closed };
};

/** Parses the bytes of one answer as `request` would return it. */
const readAnswer = (bytes: string): Answer => {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const text = bytes.slice(end + 4);
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), text, body };
};

/** Sends raw bytes and reads the answer; the request must make the server close. */
const exchange = async (bytes: string | Buffer, to = server): Promise<Answer> => {
  const { socket, closed } = openSocket(to);
  socket.write(bytes);
  return readAnswer(await closed);
};

const rawRequest = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: gateway.example', 'Connection: close', ...headers, '', ''].join(
    '\r\n',
  );

const token = (): string => `Authorization: Bearer ${server.client.token}`;

describe('Every error', () => {
  test('has one body, whose request_id is the Request-Id header, a new one each time', async () => {
    const answers = await Promise.all([
      request(server, '/nowhere'),
      request(server, '/nowhere'),
      request(server, products, { token: null }),
      request(server, `${products}?order=name`),
      request(server, filter, { json: { table: 'users' } }),
      request(server, filter, { method: 'POST', headers: json, body: '{' }),
    ]);
    const [one, two, unauthorized, query, body, malformed] = answers;
    assertError(one, 404, 'NOT_FOUND');
    assertError(two, 404, 'NOT_FOUND');
    assertError(unauthorized, 401, 'TOKEN_MISSING');
    assertError(query, 422, 'VALIDATION_FAILED');
    assertError(body, 422, 'VALIDATION_FAILED');
    assertError(malformed, 400, 'MALFORMED_REQUEST');
    assert.deepEqual(keysOf(at(query.body, 'errors')), ['order']);
    assert.deepEqual(keysOf(at(body.body, 'errors')), ['table']);
    assert.equal(new Set(answers.map((answer) => at(answer.body, 'request_id'))).size, 6);
  });

  test('gets its id from the gateway, or from the X-Request-Id of its request', async () => {
    const ours = await request(server, '/nowhere', { headers: { 'request-id': 'mine' } });
    assertError(ours, 404, 'NOT_FOUND');
    assert.notEqual(ours.headers.get('request-id'), 'mine');
    const theirs = await request(server, '/nowhere', { headers: { 'x-request-id': 'mine' } });
    assert.equal(theirs.headers.get('request-id'), 'mine');
    assert.equal(at(theirs.body, 'request_id'), 'mine');
  });

  test('is in the table with its decided status, and no other is', () => {
    const decided: Readonly<Record<string, number>> = {
      IDEMPOTENCY_KEY_MISSING: 400,
      IDEMPOTENCY_KEY_INVALID: 400,
      MALFORMED_REQUEST: 400,
      TOKEN_MISSING: 401,
      TOKEN_INVALID: 401,
      TOKEN_EXPIRED: 401,
      INSUFFICIENT_BALANCE: 402,
      CLIENT_SUSPENDED: 403,
      IP_NOT_ALLOWED: 403,
      SCOPE_MISSING: 403,
      PRODUCT_NOT_ALLOWED: 403,
      DAILY_LIMIT_REACHED: 403,
      NOT_FOUND: 404,
      PRODUCT_NOT_FOUND: 404,
      PURCHASE_NOT_FOUND: 404,
      WEBHOOK_NOT_FOUND: 404,
      OFFER_EXPIRED: 409,
      PRICE_CHANGED: 409,
      LIKELY_DUPLICATE: 409,
      METHOD_NOT_ALLOWED: 405,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      VALIDATION_FAILED: 422,
      INVALID_MOBILE: 422,
      IDEMPOTENCY_KEY_REUSED: 422,
      PRICE_MISMATCH: 422,
      AMOUNT_OUT_OF_RANGE: 422,
      PRODUCT_INACTIVE: 422,
      OPERATOR_MISMATCH: 422,
      SIM_TYPE_MISMATCH: 422,
      OFFER_NOT_FOUND: 422,
      OPERATOR_DECLINED: 422,
      ORDER_NOT_RECEIVED: 422,
      NOT_DELIVERED: 422,
      TRANSACTION_PENDING: 202,
      RATE_LIMITED: 429,
      OPERATOR_UNAVAILABLE: 503,
      OVERLOADED: 503,
      DRAINING: 503,
      DATABASE_UNAVAILABLE: 503,
      INTERNAL_ERROR: 500,
    };
    const table = Object.entries(errorTable).map(([code, { status }]) => [code, status] as const);
    assert.deepEqual(Object.fromEntries(table), decided);
  });
});

describe('Without a route', () => {
  test('an unknown path is 404 for everyone, with or without a token and with any body', async () => {
    const paths = [
      '/',
      '/api',
      '/api/',
      '/api/clients',
      `${products}/1`,
      '/api/Filter',
      '/health',
      '//',
    ];
    for (const path of paths) {
      assertError(await request(server, path), 404, 'NOT_FOUND');
      assertError(await request(server, path, { token: null }), 404, 'NOT_FOUND');
    }
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const sent = { method: 'POST', headers, body: 'x'.repeat(defaults.http.bodyBytes + 1) };
    assertError(await request(server, '/nowhere', sent), 404, 'NOT_FOUND');
  });

  const takes = {
    [products]: ['GET', 'HEAD'],
    [filter]: ['POST'],
    '/api/operator_2/offers': ['POST'],
    '/api/top-up': ['GET', 'POST'],
    '/api/top-up/package': ['GET', 'POST'],
    '/api/purchases': ['GET', 'HEAD'],
    '/api/purchases/any-id': ['GET', 'HEAD'],
    '/health/live': ['GET', 'HEAD'],
    '/health/ready': ['GET', 'HEAD'],
    '/openapi.json': ['GET', 'HEAD'],
  } as const;

  for (const [path, allowed] of Object.entries(takes)) {
    test(`${path} answers any method but ${allowed.join(' and ')} by 405 with Allow`, async () => {
      const known: readonly string[] = allowed;
      // CONNECT asks for a tunnel, not for a path.
      const others = METHODS.filter((method) => method !== 'CONNECT' && !known.includes(method));
      assert.ok(others.includes('PROPFIND') && others.includes('TRACE'));
      for (const method of others) {
        const end = method.length % 2 === 0 ? '/' : '';
        const bytes = rawRequest(`${method} ${path}${end}?a=b`);
        if (method === 'HEAD') {
          const { socket, closed } = openSocket(server);
          socket.write(bytes);
          assert.match(await closed, /^HTTP\/1\.1 405 /);
          continue;
        }
        const answer = await exchange(bytes);
        assertError(answer, 405, 'METHOD_NOT_ALLOWED');
        assert.equal(answer.headers.get('allow'), allowed.join(', '), method);
      }
    });
  }

  test('an unsupported method is 405 before the body or its type is checked', async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const answer = await request(server, filter, { method: 'PUT', headers, body: 'x' });
    assertError(answer, 405, 'METHOD_NOT_ALLOWED');
  });

  test('HEAD is answered like GET, without the body', async () => {
    const headers = { 'accept-encoding': 'identity' };
    const answer = await request(server, products, { method: 'HEAD', headers });
    const { text } = await request(server, products);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  });
});

describe('A request that cannot be read', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = json): Promise<Answer> =>
    request(server, filter, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) });

  const good = JSON.stringify({ table: 'product' });

  test('because its body is too large is 413, even without an announced length', async () => {
    const large = JSON.stringify({ table: 'product', filler: 'x'.repeat(defaults.http.bodyBytes) });
    assertError(await post(large), 413, 'PAYLOAD_TOO_LARGE');
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const head = rawRequest(
      `POST ${filter}`,
      token(),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    assertError(await exchange(head + chunk), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('because its body is too large is 413 before it has arrived', async () => {
    const length = `Content-Length: ${defaults.http.bodyBytes + 1}`;
    const head = rawRequest(`POST ${filter}`, token(), 'Content-Type: application/json', length);
    assertError(await exchange(head), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('is one byte above the limit: a body of exactly the limit is read', async () => {
    const room = defaults.http.bodyBytes - JSON.stringify({ table: 'product', filler: '' }).length;
    const bodyOf = (filler: number): string =>
      JSON.stringify({ table: 'product', filler: 'x'.repeat(filler) });
    assert.equal((await post(bodyOf(room))).status, 200);
    assertError(await post(bodyOf(room + 1)), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('because its headers are too large is 413', async () => {
    const header = `X-Filler: ${'x'.repeat(defaults.http.headerBytes)}`;
    assertError(await exchange(rawRequest(`GET ${products}`, header)), 413, 'PAYLOAD_TOO_LARGE');
    const long = `/api/${'x'.repeat(defaults.http.headerBytes)}`;
    assertError(await exchange(rawRequest(`GET ${long}`)), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('because it has more than a hundred headers is 413', async () => {
    const fillers = (count: number) => Array.from({ length: count }, () => 'a:b');
    const ask = (count: number) =>
      exchange(rawRequest(`GET ${products}`, token(), ...fillers(count)));
    assert.equal((await ask(97)).status, 200);
    assertError(await ask(98), 413, 'PAYLOAD_TOO_LARGE');
    assertError(await ask(3000), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('because its body is neither JSON nor a form by its content type is 415', async () => {
    const types = [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/xml',
      'json',
      'text/json',
    ];
    for (const type of types) {
      assertError(await post(good, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    assertError(await post(good, {}), 415, 'UNSUPPORTED_MEDIA_TYPE');
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      assert.equal((await post(good, { 'content-type': type })).status, 200, type);
    }
  });

  test('because its body is compressed is 415, and identity is accepted', async () => {
    const bodies = {
      gzip: gzipSync(good),
      deflate: deflateSync(good),
      br: brotliCompressSync(good),
      'identity, gzip': gzipSync(good),
    };
    for (const [encoding, body] of Object.entries(bodies)) {
      const answer = await post(body, { ...json, 'content-encoding': encoding });
      assertError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      assert.match(String(at(answer.body, 'message')), /[Cc]ompressed/);
    }
    assert.equal((await post(good, { ...json, 'content-encoding': 'identity' })).status, 200);
  });

  test('because its body is not UTF-8 is 400', async () => {
    const start = Buffer.from('{"table":"product","x":"');
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xe2, 0x82]]) {
      const body = Buffer.concat([start, Buffer.from(bytes), Buffer.from('"}')]);
      assertError(await post(body), 400, 'MALFORMED_REQUEST');
    }
    assert.equal((await post(Buffer.concat([start, Buffer.from('ی"}')]))).status, 200);
  });

  test('because its body is not JSON is 400', async () => {
    for (const body of [
      '{',
      '{"table":}',
      "{'table':'product'}",
      'table=product',
      good + good,
      '\0',
    ]) {
      assertError(await post(body), 400, 'MALFORMED_REQUEST');
    }
    assertError(await post('{"__proto__":{"table":"product"}}'), 400, 'MALFORMED_REQUEST');
  });

  test('because its address cannot be decoded is 400', async () => {
    assertError(await request(server, '/api/%zz'), 400, 'MALFORMED_REQUEST');
    assertError(await request(server, '/api/%ff/offers'), 400, 'MALFORMED_REQUEST');
  });

  test('because its query is not UTF-8 is 400', async () => {
    const answer = await request(server, `${products}?name=%ff`, { token: server.client.token });
    assertError(answer, 400, 'MALFORMED_REQUEST');
    const good = await request(server, `${products}?name=%DB%8C+%2B`, {
      token: server.client.token,
    });
    assert.equal(good.status, 200);
  });

  test('because an identifying header is repeated is 400', async () => {
    const head = [`GET ${products} HTTP/1.1`, 'Host: a', token(), 'Connection: close'];
    assert.equal((await exchange([...head, '', ''].join('\r\n'))).status, 200);
    for (const [again, name] of [
      ['host: b', 'host'],
      ['Host: a', 'Host'],
      [token(), 'Authorization'],
      ['authorization: Bearer another', 'authorization'],
    ] as const) {
      const answer = await exchange([...head, again, '', ''].join('\r\n'));
      assertError(answer, 400, 'MALFORMED_REQUEST');
      assert.match(String(at(answer.body, 'message')), new RegExp(`The ${name} header`));
    }
  });

  test('because it is not HTTP is 400 in the same body', async () => {
    const malformed = [
      'nonsense\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      `GET ${products} HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n`,
      `POST ${filter} HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n`,
      `POST ${filter} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `POST ${filter} HTTP/1.1\r\nHost: a\r\n${token()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]),
    ];
    for (const bytes of malformed) assertError(await exchange(bytes), 400, 'MALFORMED_REQUEST');
  });

  test('because it names no host is 400 in the same body, as HTTP/1.1 requires', async () => {
    const answer = await exchange(`GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n`);
    assertError(answer, 400, 'MALFORMED_REQUEST');
    const old = await exchange('GET /health/live HTTP/1.0\r\n\r\n');
    assert.equal(old.status, 200);
  });

  test('does not include one with an unknown Expect header: that is ignored', async () => {
    const answer = await exchange(rawRequest('GET /health/live', 'Expect: tea'));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: 'live' });
  });

  test('leaves the server unaffected for all others', async () => {
    assert.equal((await request(server, products)).status, 200);
  });
});

describe('A slow client', () => {
  const http = { ...defaults.http, headersTimeoutMs: 200, requestTimeoutMs: 400 };

  test('whose headers or body never end gets an error and is cut off', {
    timeout: 240_000,
  }, async () => {
    const impatient = await startServer({ config: { http } });
    try {
      const head = `POST ${filter} HTTP/1.1\r\nHost: a\r\n`;
      const authorized = `${head}Authorization: Bearer ${impatient.client.token}\r\nContent-Type: application/json\r\n`;
      const unfinished = [head, 'G', `${authorized}Content-Length: 100\r\n\r\n{`];
      const answers = await Promise.all(unfinished.map((bytes) => exchange(bytes, impatient)));
      for (const answer of answers) {
        assertError(answer, 400, 'MALFORMED_REQUEST');
        assert.match(String(at(answer.body, 'message')), /in time/);
        assert.equal(answer.headers.get('connection'), 'close');
      }
    } finally {
      await impatient.stop();
    }
  });

  test('that never sends anything is cut off', { timeout: 240_000 }, async () => {
    const impatient = await startServer({ config: { http } });
    try {
      await openSocket(impatient).closed;
      assert.equal((await request(impatient, products)).status, 200);
    } finally {
      await impatient.stop();
    }
  });
});

const assertSafeHeaders = (name: string, { headers }: Answer): void => {
  assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
  assert.equal(headers.get('x-frame-options'), 'DENY', name);
  assert.equal(headers.get('referrer-policy'), 'no-referrer', name);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/, name);
  assert.match(policy, /frame-ancestors 'none'/, name);
  assert.match(headers.get('request-id') ?? '', /^[\da-f-]{36}$/, name);
  assert.equal(headers.get('server'), null, name);
  assert.equal(headers.get('x-powered-by'), null, name);
};

describe('Every answer', () => {
  test('carries the security headers and a Request-Id, and does not name its software', async () => {
    const list = await request(server, products);
    const etag = list.headers.get('etag') ?? '';
    const large = 'x'.repeat(defaults.http.bodyBytes + 1);
    const answers: Readonly<Record<string, Answer>> = {
      list,
      unchanged: await request(server, products, { headers: { 'if-none-match': etag } }),
      filter: await request(server, filter, { json: { table: 'product' } }),
      offers: await request(server, '/api/operator_2/offers/', {
        json: { mobile: '989123456700' },
      }),
      bought: await request(server, topUp, topUpOf('headers')),
      repeated: await request(server, topUp, topUpOf('headers')),
      refused: await request(server, topUp, topUpOf('headers-2', { price: 1 })),
      keyless: await request(server, topUp, { json: topUpFields }),
      purchases: await request(server, '/api/purchases'),
      purchase: await request(server, '/api/purchases/no-such-id'),
      unauthorized: await request(server, products, { token: null }),
      missing: await request(server, '/nowhere'),
      method: await request(server, products, { method: 'DELETE' }),
      large: await request(server, filter, { method: 'POST', headers: json, body: large }),
      media: await request(server, filter, { method: 'POST', body: 'x' }),
      invalid: await request(server, filter, { json: {} }),
      address: await request(server, '/%zz'),
      live: await request(server, '/health/live'),
      ready: await request(server, '/health/ready'),
      openapi: await request(server, '/openapi.json'),
      docs: await request(server, '/docs'),
      guide: await request(server, '/docs/errors.md'),
      malformed: await exchange('nonsense\r\n\r\n'),
      headers: await exchange(rawRequest('GET /', `X: ${'x'.repeat(defaults.http.headerBytes)}`)),
    };
    for (const [name, answer] of Object.entries(answers)) {
      assertSafeHeaders(name, answer);
      assert.match(
        answer.headers.get('cache-control') ?? '',
        /^(no-store|private, no-cache)$/,
        name,
      );
    }
    assert.deepEqual(
      Object.values(answers).map(({ status }) => status),
      [
        200, 304, 200, 200, 200, 200, 422, 400, 200, 404, 401, 404, 405, 413, 415, 422, 400, 200,
        200, 200, 200, 200, 400, 413,
      ],
    );
  });

  test('asks browsers to stay with HTTPS exactly if the public URL is HTTPS', async () => {
    const secure = await startServer({ config: { publicUrl: 'https://gateway.example/shop' } });
    try {
      const header = 'strict-transport-security';
      const answer = await request(secure, '/health/live');
      assert.match(answer.headers.get(header) ?? '', /^max-age=\d+/);
      const malformed = await exchange('nonsense\r\n\r\n', secure);
      assert.match(malformed.headers.get(header) ?? '', /^max-age=\d+/);
      assert.equal((await request(server, '/health/live')).headers.get(header), null);
    } finally {
      await secure.stop();
    }
  });
});

/** A server whose operator answers only when the test lets it. */
const startHeldServer = async () => {
  const answer = Promise.withResolvers<OffersOutcome>();
  const asked = Promise.withResolvers<void>();
  const connector = defineConnector({
    name: 'held',
    settings: Type.Object({}),
    connect: () => ({
      offers: () => {
        asked.resolve();
        return answer.promise;
      },
      buy: async () => ({ kind: 'unknown', detail: 'not sold here' }),
      status: async () => ({ kind: 'unknown', detail: 'not sold here' }),
      deadlineMs: 1000,
      close: async () => {},
    }),
  });
  const operators = [{ id: 2, name: 'operator_2', connector: 'held', settings: {} }];
  const held = await startServer({ connectors: [connector], config: { operators } });
  const release = (): void =>
    answer.resolve({ kind: 'offers', offers: [], transactionId: 'tx', message: 'Done.' });
  return { held, asked: asked.promise, release };
};

describe('Health', () => {
  test('says live and ready, without a token', async () => {
    const live = await request(server, '/health/live', { token: null });
    assert.deepEqual([live.status, live.body], [200, { status: 'live' }]);
    const ready = await request(server, '/health/ready/', { token: null });
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }]);
  });

  test('is live but not ready while the database does not answer, and no probe is logged', async () => {
    const broken = await startServer();
    try {
      await request(broken, '/health/ready', { token: null });
      await broken.deps.db.destroy();
      const answer = await request(broken, '/health/ready', { token: null });
      assertError(answer, 503, 'DATABASE_UNAVAILABLE');
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal((await request(broken, '/health/live', { token: null })).status, 200);
      assert.equal((await request(broken, '/nowhere', { token: null })).status, 404);
      const lines = (): string => broken.logged.join('\n');
      await eventually('the request after them is logged', async () =>
        /"status":404/.test(lines()),
      );
      assert.doesNotMatch(lines(), /\/health\//);
    } finally {
      await broken.stop();
    }
  });

  test('is not ready while draining: new work is DRAINING, work in flight completes', async () => {
    const { held, asked, release } = await startHeldServer();
    try {
      const body = { json: { mobile: '989123456700' } };
      const inFlight = request(held, '/api/operator_2/offers/', body);
      await asked;
      held.drain();
      for (const path of [
        '/health/ready',
        products,
        '/api/purchases',
        '/nowhere',
        '/openapi.json',
      ]) {
        const answer = await request(held, path);
        assertError(answer, 503, 'DRAINING');
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
      assertError(await request(held, '/api/operator_2/offers/', body), 503, 'DRAINING');
      assert.equal((await request(held, products)).headers.get('connection'), 'close');
      assert.equal((await request(held, '/health/live')).status, 200);
      release();
      const answer = await inFlight;
      assert.equal(answer.status, 200);
      assert.equal(at(answer.body, 'TransactionID'), 'tx');
    } finally {
      await held.stop();
    }
  });

  test('is not ready at the beginning of a stop: everything is answered, and closes its connection', async () => {
    const stopping = await startServer();
    try {
      stopping.setNotReady();
      assertError(await request(stopping, '/health/ready', { token: null }), 503, 'DRAINING');
      // By the framework, by the fast path where the token is known, and by the framework.
      for (const path of [products, products, '/api/account']) {
        const answer = await request(stopping, path);
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers.get('connection'), 'close', path);
      }
    } finally {
      await stopping.stop();
    }
  });

  test('of a server that is signalled to stop: it exits only after work in flight', async () => {
    const { held, asked, release } = await startHeldServer();
    const inFlight = request(held, '/api/operator_2/offers/', { json: { mobile: '989123456700' } });
    await asked;
    held.drain();
    let ended = false;
    const stopped = held.stop().finally(() => {
      ended = true;
    });
    for (let turn = 0; turn < 100; turn += 1) await new Promise((next) => setImmediate(next));
    assert.equal(ended, false);
    release();
    const answer = await inFlight;
    assert.equal(answer.status, 200);
    // Otherwise the server would wait for an unused connection.
    assert.equal(answer.headers.get('connection'), 'close');
    await stopped;
  });
});

type Operation = { readonly path: string; readonly method: string; readonly is: unknown };

let document: unknown;
let text: unknown;
let operations: readonly Operation[] = [];

const responsesOf = ({ is }: Operation): readonly { status: string; is: unknown }[] =>
  keysOf(at(is, 'responses')).map((status) => ({ status, is: at(is, 'responses', status) }));

const jsonOf = (part: unknown): unknown => at(part, 'content', 'application/json');

/** The examples of one media type, by name. */
const examplesOf = (media: unknown): ReadonlyMap<string, unknown> => {
  const named = keysOf(at(media, 'examples')).map(
    (name) => [name, at(media, 'examples', name, 'value')] as const,
  );
  const single = at(media, 'example');
  return new Map([...named, ...(single === undefined ? [] : [['example', single] as const])]);
};

const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const assertWords = (value: unknown, what: string): void => assert.ok(isWords(value), what);

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;

const schemaOf = (media: unknown): TSchema => {
  const schema = at(media, 'schema');
  assert.ok(isSchema(schema), 'no schema');
  return schema;
};

/** Whether a schema itself defines its values, or gives one. */
const showsItself = (schema: unknown): boolean =>
  at(schema, 'const') !== undefined ||
  ['examples', 'enum'].some((key) => keysOf(at(schema, key)).length > 0);

/** Every property of a schema, at any depth, with its path. */
const propertiesOf = (schema: unknown, path: string): { path: string; is: unknown }[] => {
  const own = keysOf(at(schema, 'properties')).map((name) => ({
    path: `${path}.${name}`,
    is: at(schema, 'properties', name),
  }));
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => {
    const found = at(schema, kind);
    return Array.isArray(found) ? found.map((is: unknown) => ({ path, is })) : [];
  });
  const items = at(schema, 'items');
  const inner = [
    ...own,
    ...variants,
    ...(items === undefined ? [] : [{ path: `${path}[]`, is: items }]),
  ];
  return [...own, ...inner.flatMap((one) => propertiesOf(one.is, one.path))];
};

/** The properties of a schema without an example: neither of the whole nor of their own. */
const unshown = (schema: unknown, examples: readonly unknown[], path: string): string[] => {
  const items = at(schema, 'items');
  if (items !== undefined && at(items, 'properties') !== undefined) {
    const inner = examples.flatMap((one): readonly unknown[] => (Array.isArray(one) ? one : []));
    return unshown(items, inner, `${path}[]`);
  }
  const names = keysOf(at(schema, 'properties'));
  if (names.length > 0) {
    return names.flatMap((name) => {
      const inner = examples.map((one) => at(one, name)).filter((one) => one !== undefined);
      return unshown(at(schema, 'properties', name), inner, `${path}.${name}`);
    });
  }
  return examples.length > 0 || showsItself(schema) ? [] : [path];
};

/** The keys of a value that its schema does not name. */
const undescribed = (schema: unknown, value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) {
    const items = at(schema, 'items');
    return items === undefined
      ? []
      : value.flatMap((one, index) => undescribed(items, one, `${path}[${index}]`));
  }
  const properties = at(schema, 'properties');
  if (properties === undefined) return [];
  return keysOf(value).flatMap((key) => {
    const property = at(properties, key);
    if (property === undefined) return [`${path}.${key}`];
    return undescribed(property, at(value, key), `${path}.${key}`);
  });
};

const assertMatches = (media: unknown, value: unknown, what: string): void => {
  const schema = schemaOf(media);
  const faults = Value.Errors(schema, value).map(
    (fault) => `${fault.instancePath} ${fault.message}`,
  );
  assert.deepEqual(faults, [], what);
  assert.ok(Value.Check(schema, value), what);
  assert.deepEqual(undescribed(schema, value), [], what);
};

/** Error bodies differ by their codes only. */
const withoutCodes = (name: string, value: unknown): unknown =>
  name === 'code' ? undefined : value;

/** A path as the contract writes it: some have a trailing slash. */
const asWritten = (path: string): string =>
  keysOf(at(text, 'paths')).includes(`${path}/`) ? `${path}/` : path;

/** The routes of Fastify's printed tree, as `get /path`. */
const routesIn = (tree: string): string[] => {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (parents[depth - 1] ?? '') + part;
    parents[depth] = path;
    return methods
      .split(', ')
      .filter((method) => method !== '')
      .map((method) => `${method.toLowerCase()} ${path.replace(/\/$/, '')}`);
  });
};

describe('The OpenAPI text', () => {
  before(async () => {
    const answer = await request(server, '/openapi.json', { token: null });
    assert.equal(answer.status, 200);
    document = answer.body;
    text = resolveDocument(document);
    operations = keysOf(at(text, 'paths')).flatMap((path) =>
      keysOf(at(text, 'paths', path)).map((method) => ({
        path,
        method,
        is: at(text, 'paths', path, method),
      })),
    );
    assert.ok(operations.length >= 5);
  });

  test('is OpenAPI 3.1 with a title, a version and a server', () => {
    assert.match(String(at(text, 'openapi')), /^3\.1\.\d+$/);
    assert.equal(at(text, 'info', 'title'), 'Simgate');
    assert.match(String(at(text, 'info', 'version')), /^\d+\.\d+\.\d+/);
    assert.equal(typeof at(text, 'servers', 0, 'url'), 'string');
  });

  test('gives every operation its own id, a summary, a known tag and known security', () => {
    const tags = new Set(listOf(at(text, 'tags')).map((tag) => at(tag, 'name')));
    const schemes = new Set(keysOf(at(text, 'components', 'securitySchemes')));
    const ids = operations.map(({ is }) => String(at(is, 'operationId')));
    assert.equal(new Set(ids).size, operations.length);
    for (const { path, method, is } of operations) {
      const name = `${method} ${path}`;
      assert.match(path, /^\//);
      assert.match(String(at(is, 'operationId')), /^[A-Za-z]\w*$/, name);
      assertWords(at(is, 'summary'), name);
      for (const tag of listOf(at(is, 'tags'))) assert.ok(tags.has(tag), name);
      const security = listOf(at(is, 'security'));
      for (const scheme of security.flatMap(keysOf)) assert.ok(schemes.has(scheme), name);
      assert.equal(path.startsWith('/api/'), security.length > 0, name);
    }
  });

  test('has no dangling references', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference = ''] of references) {
      assert.match(reference, /^#\//);
      assert.notEqual(at(text, ...reference.slice(2).split('/')), undefined, reference);
    }
  });

  test('describes every registered route except the back office’s, which has its own document, and no other', async () => {
    const log = createLog({ level: 'silent', mobile: defaults.mobile });
    const gateway = await createGateway({ config: defaults, db: server.deps.db, log });
    const printed = gateway.app.printRoutes({ commonPrefix: false });
    await gateway.close();
    const registered = routesIn(printed).filter(
      (route) =>
        !/^head |^\w+ ($|\/docs|\/console|\/callbacks|(\/admin)?\/openapi\.json$)/.test(route),
    );
    const { body } = await request(server, '/admin/openapi.json', { token: null });
    const ofAdmin = keysOf(at(body, 'paths')).flatMap((path) =>
      keysOf(at(body, 'paths', path)).map((method) => ({ path, method })),
    );
    assert.ok(ofAdmin.length > 10 && operations.every(({ path }) => !path.startsWith('/admin')));
    const described = [...operations, ...ofAdmin].map(({ path, method }) => {
      const asRegistered = path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1');
      return `${method} ${asRegistered}`;
    });
    assert.deepEqual([...new Set(registered)].sort(), described.sort());
  });

  test('describes every parameter', () => {
    for (const { path, is } of operations) {
      const parameters = at(is, 'parameters') === undefined ? [] : listOf(at(is, 'parameters'));
      for (const parameter of parameters) {
        const name = `${path} ${String(at(parameter, 'name'))}`;
        assert.ok(['query', 'path', 'header'].includes(String(at(parameter, 'in'))), name);
        assertWords(at(parameter, 'description'), name);
        assert.ok(isSchema(at(parameter, 'schema')), name);
      }
    }
  });

  test('describes every property of every body and answer', () => {
    const bare = operations.flatMap((operation) => {
      const bodies = [
        at(operation.is, 'requestBody'),
        ...responsesOf(operation).map(({ is }) => is),
      ];
      return bodies
        .flatMap((body) => propertiesOf(at(jsonOf(body), 'schema'), operation.path))
        .filter(({ is }) => !isWords(at(is, 'description')))
        .map(({ path }) => path);
    });
    assert.deepEqual(bare, []);
  });

  test('describes every answer, with an example for each that has a body', () => {
    for (const operation of operations) {
      const responses = responsesOf(operation);
      assert.ok(responses.some(({ status }) => /^20[0-4]$/.test(status)));
      for (const { status, is } of responses) {
        const name = `${operation.method} ${operation.path} ${status}`;
        assertWords(at(is, 'description'), name);
        if (status === '304' || status === '204') continue;
        assert.ok(examplesOf(jsonOf(is)).size > 0, name);
      }
    }
  });

  test('shows every field of every body and answer, and every parameter, in some example', () => {
    const medias = operations.flatMap((operation) =>
      [at(operation.is, 'requestBody'), ...responsesOf(operation).map(({ is }) => is)]
        .map(jsonOf)
        .filter((media) => media !== undefined)
        .map((media) => ({ path: `${operation.method} ${operation.path}`, media })),
    );
    // Equal schemas are the same thing, such as the error body: one example shows it for all.
    const bySchema = Map.groupBy(medias, ({ media }) =>
      JSON.stringify(schemaOf(media), withoutCodes),
    );
    const fields = [...bySchema.values()].flatMap((alike) => {
      const examples = alike.flatMap(({ media }) => [...examplesOf(media).values()]);
      return alike
        .slice(0, 1)
        .flatMap(({ path, media }) => unshown(schemaOf(media), examples, path));
    });
    assert.deepEqual(fields, []);
    const parameters = operations.flatMap(({ path, method, is }) =>
      (at(is, 'parameters') === undefined ? [] : listOf(at(is, 'parameters')))
        .filter((one) => examplesOf(one).size === 0 && !showsItself(at(one, 'schema')))
        .map((one) => `${method} ${path} ${String(at(one, 'name'))}`),
    );
    assert.deepEqual(parameters, []);
    assert.ok(bySchema.size > 5 && medias.length > bySchema.size);
  });

  test('would be caught hiding: a field without an example is found, at any depth', () => {
    const one = Type.Object({ seen: Type.String(), hidden: Type.String() });
    const schema = Type.Object({ list: Type.Array(one), kind: Type.Enum(['a']) });
    assert.deepEqual(unshown(schema, [{ list: [{ seen: 'x' }] }], ''), ['.list[].hidden']);
    assert.deepEqual(unshown(schema, [{ list: [] }], ''), ['.list[].seen', '.list[].hidden']);
  });

  test('has only examples that match their own schemas', () => {
    for (const operation of operations) {
      const parts = [
        at(operation.is, 'requestBody'),
        ...responsesOf(operation).map(({ is }) => is),
      ];
      for (const media of parts.map(jsonOf).filter((media) => media !== undefined)) {
        for (const [name, value] of examplesOf(media)) {
          assertMatches(media, value, `${operation.path} ${name}`);
        }
      }
    }
  });

  test('has an example for every error code of the table, under its status', () => {
    const shown = new Map<string, Set<string>>();
    for (const { status, is } of operations.flatMap(responsesOf)) {
      for (const [name, value] of examplesOf(jsonOf(is))) {
        if (at(value, 'code') === undefined) continue;
        assert.equal(at(value, 'code'), name);
        shown.set(name, (shown.get(name) ?? new Set()).add(status));
      }
    }
    for (const [code, { status }] of Object.entries(errorTable)) {
      assert.deepEqual([...(shown.get(code) ?? [])], [String(status)], code);
    }
    assert.deepEqual(
      [...shown.keys()].filter((code) => !(code in errorTable)),
      [],
    );
  });

  test('has an example for every request body, and the server accepts it', async () => {
    const posting = operations.filter(({ is }) => at(is, 'requestBody') !== undefined);
    assert.ok(posting.length >= 4);
    const webhook = await makeEndpoint(server);
    for (const { path, method, is } of posting) {
      const media = jsonOf(at(is, 'requestBody'));
      const examples = examplesOf(media);
      assert.ok(examples.size > 0, path);
      for (const [name, value] of examples) {
        const headers = { ...json, 'idempotency-key': `${path}-${name}` };
        const body = JSON.stringify(value);
        const where = path.replace('{webhook_id}', webhook.id);
        const answer = await request(server, where, {
          method: method.toUpperCase(),
          headers,
          body,
        });
        assert.ok(answer.status >= 200 && answer.status < 300, `${path} ${name}: ${answer.text}`);
        const described = at(is, 'responses', String(answer.status));
        assertMatches(jsonOf(described), answer.body, `${path} ${name}`);
      }
    }
  });

  test('matches real answers, good and bad', async () => {
    const offers = '/api/operator_2/offers';
    const query = new URLSearchParams({
      product_id: '2201',
      mobile: '989123456700',
      price: '10000',
      webservice_code: 'a code',
    });
    const unknownOffer = { offerCode: 'none', offerType: '1' };
    const cases = [
      ['get', '/health/live', {}],
      ['get', '/health/ready', {}],
      ['get', products, {}],
      ['get', products, { token: null }],
      ['get', products, { query: '?per_page=3&page=2' }],
      ['get', products, { query: '?page=999' }],
      ['get', products, { query: '?type_order=up' }],
      ['post', filter, { json: { table: 'product', items: { categories: 'categories' } } }],
      ['post', filter, { json: { table: 'product', items: { pagination: 'false' } } }],
      ['post', filter, { json: { table: 'product', items: { name: 'no such name' } } }],
      ['post', filter, { json: { table: 'product', items: { colour: 'red' } } }],
      ['post', filter, { json: { filler: 'x'.repeat(defaults.http.bodyBytes) } }],
      ['post', offers, { json: { mobile: '989123456700' } }],
      ['post', offers, { json: { mobile: '989123456791' } }],
      ['post', offers, { json: { mobile: 'none' } }],
      ['post', offers, { json: { mobile: '989123456700' }, token: 'simgate_unknown' }],
      ['post', topUp, topUpOf('truth-1')],
      ['post', topUp, { json: topUpFields }],
      ['post', topUp, topUpOf('truth-2', { product_id: 1 })],
      ['post', topUp, topUpOf('truth-3', { price: 1 })],
      ['post', topUp, topUpOf('truth-4', { price: 2_000_000 })],
      ['post', topUp, topUpOf('truth-5', { product_id: 510 })],
      ['post', topUp, topUpOf('truth-6', { mobile: '989123456790' })],
      ['get', topUp, { query: `?${query.toString()}`, headers: { 'idempotency-key': 'truth-7' } }],
      ['post', `${topUp}/package`, topUpOf('truth-8', { product_id: 2008 })],
      ['post', `${topUp}/package`, topUpOf('truth-9', { product_id: 510, ...unknownOffer })],
      ['get', '/api/purchases', {}],
      ['get', '/api/purchases', { query: '?state=unheard' }],
      ['get', '/api/purchases/{id}', {}],
    ] as const;
    const statuses = new Set<number>();
    for (const [method, path, options] of cases) {
      const { query, ...rest } = { query: '', ...options };
      const sent = { method: method.toUpperCase(), ...rest };
      const answer = await request(server, path.replace('{id}', 'no-such-id') + query, sent);
      const described = at(
        text,
        'paths',
        asWritten(path),
        method,
        'responses',
        String(answer.status),
      );
      assertMatches(jsonOf(described), answer.body, `${path}${query} ${answer.status}`);
      statuses.add(answer.status);
    }
    assert.deepEqual(statuses, new Set([200, 401, 422, 413, 400, 404, 402]));
  });

  test('matches a purchase that is found', async () => {
    const bought = await request(server, topUp, topUpOf('truth-found'));
    const id = bought.headers.get('purchase-id') ?? '';
    const answer = await request(server, `/api/purchases/${id}`);
    const described = at(text, 'paths', '/api/purchases/{id}', 'get', 'responses', '200');
    assertMatches(jsonOf(described), answer.body, answer.text);
  });

  test('matches webhooks and their messages', async () => {
    const { id } = await makeEndpoint(server);
    const message = await makeMessage(server);
    const one = '/api/webhooks/{webhook_id}/messages/{message_id}';
    for (const [method, path] of [
      ['get', '/api/webhooks'],
      ['get', '/api/webhooks/{webhook_id}'],
      ['get', '/api/webhooks/{webhook_id}/messages'],
      ['get', one],
      ['post', `${one}/replay`],
    ] as const) {
      const where = path.replace('{webhook_id}', id).replace('{message_id}', message);
      const answer = await request(server, where, { method });
      const described = at(
        text,
        'paths',
        asWritten(path),
        method,
        'responses',
        String(answer.status),
      );
      assert.match(String(answer.status), /^20[02]$/, answer.text);
      assertMatches(jsonOf(described), answer.body, `${method} ${path}`);
    }
  });

  test('describes every message of a webhook, with a matching example', () => {
    assert.deepEqual(keysOf(at(text, 'webhooks')), [...eventTypes]);
    for (const type of eventTypes) {
      const operation = at(text, 'webhooks', type, 'post');
      assertWords(at(operation, 'summary'), type);
      const media = jsonOf(at(operation, 'requestBody'));
      const examples = [...examplesOf(media).values()];
      assert.equal(examples.length, 1, type);
      for (const example of examples) {
        assert.equal(at(example, 'type'), type);
        assertMatches(media, example, type);
      }
    }
  });

  test('would be caught lying: a missing, wrong or unknown field does not match', () => {
    const media = jsonOf(at(text, 'paths', '/health/live', 'get', 'responses', '200'));
    for (const value of [{}, { status: 'dead' }, { status: 'live', more: 1 }]) {
      assert.throws(() => assertMatches(media, value, ''), assert.AssertionError);
    }
  });
});
