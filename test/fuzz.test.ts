/** Tests that none of thousands of malformed requests hangs or breaks the server, or leaks a secret to its log. */
import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { errorTable } from '../src/lib/errors.ts';
import { testEngine } from './support/database.ts';
import { request, startServer, type TestServer } from './support/server.ts';

/** Another seed gives another few thousand requests; a failing test names its seed. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_131);
// About a tenth of them turn out valid; more than five thousand do not. Few of those that the routes accept
// reach the database, and they are repetitive.
const throughHttp = testEngine === 'sqlite' ? 5600 : 1500;
const throughSockets = 500;
const atOnce = 24;
// Keeps the requests of neighbouring seeds apart.
const spread = 0x9e37_79b1;

/** Far longer than any answer takes on a busy machine: what takes longer hangs. */
const hangsAfterMs = 60_000;

let server: TestServer;
before(async () => {
  server = await startServer({ products: demoCatalogue() });
});
after(() => server.stop());

/** Numbers that follow from the seed (mulberry32). */
const dice = (start: number) => {
  let state = start >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  return { below, pick, chance: (share: number): boolean => next() < share };
};
type Dice = ReturnType<typeof dice>;

const text = ({ below, pick }: Dice, most = 30): string =>
  Array.from({ length: below(most) }, () =>
    pick([
      'a',
      'Z',
      '0',
      '9',
      ' ',
      '"',
      '\\',
      '/',
      '%',
      '{',
      '[',
      ',',
      ':',
      'ی',
      'ك',
      '۳',
      '٣',
      '\u200C',
      '\u0000',
      '\n',
      '\uFEFF',
      '😀',
      '\uD800',
      '<',
      "'",
      ';',
      '-',
    ]),
  ).join('');

const mobileOf = ({ below }: Dice): string => `98912${String(below(10_000_000)).padStart(7, '0')}`;

/** A value of any type, expected or not; secrets come up in odd places. */
const value = (roll: Dice, depth = 0): unknown => {
  const { below, pick, chance } = roll;
  if (depth < 3 && chance(0.25)) {
    const inner = (): unknown => value(roll, depth + 1);
    return chance(0.5)
      ? Array.from({ length: below(4) }, inner)
      : Object.fromEntries(Array.from({ length: below(4) }, () => [key(roll), inner()]));
  }
  return pick<() => unknown>([
    () => null,
    () => true,
    () => false,
    () => below(1000) - 500,
    () => 1e308,
    () => -0.1,
    () => Number.MAX_SAFE_INTEGER,
    () => '',
    () => 'false',
    () => 'product',
    () => 'categories',
    () => 'credit',
    () => 'operator_2',
    () => text(roll),
    () => 'x'.repeat(below(5000)),
    () => mobileOf(roll),
    () => Number(mobileOf(roll)),
    () => server.client.token,
  ])();
};

const key = (roll: Dice): string =>
  roll.pick<() => string>([
    () => 'table',
    () => 'items',
    () => 'name',
    () => 'type',
    () => 'operator',
    () => 'pagination',
    () => 'mobile',
    () => 'page',
    () => 'per_page',
    () => 'constructor',
    () => 'toString',
    () => '__proto__',
    () => 'prototype',
    () => '',
    () => text(roll, 10),
    () => mobileOf(roll),
    () => server.client.token,
  ])();

const paths = [
  '/api/clients/products',
  '/api/clients/products/',
  '/api/filter',
  '/api/filter/',
  '/api/operator_2/offers',
  '/api/operator_2/offers/',
] as const;

const percent = (roll: Dice): string =>
  roll.pick([
    '%',
    '%%',
    '%2',
    '%zz',
    '%00',
    '%0d%0a',
    '%2f',
    '%2e%2e%2f',
    '%C0%AF',
    '%E2%82',
    '%FF',
    '%D8%80',
    '%25',
    '+',
    '%u0041',
  ]);

const path = (roll: Dice): string => {
  const { pick } = roll;
  const known = pick(paths);
  return pick<() => string>([
    () => known,
    () => known,
    () => known,
    () => known.toUpperCase(),
    () => known.replace('/', '//'),
    () => `${known}//`,
    () => `${known}/${mobileOf(roll)}`,
    () => `/api/${mobileOf(roll)}/offers/`,
    () => `/api/${server.client.token}`,
    () => known + percent(roll),
    () => known.replace('api', percent(roll)),
    () => `/${percent(roll)}`,
    () => '/api/../api/filter',
    () => '/api/./filter',
    () => '/openapi.json/..',
    () => '/docs/assets/../../../package.json',
    () => '/docs/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    () => `/docs/${percent(roll)}`,
    () => '/health/live/x',
    () => '/',
    () => `/${'a'.repeat(roll.below(8000))}`,
    () => `${known};a=b`,
    () => `/api/operator_${roll.below(9)}/offers`,
  ])();
};

const query = (roll: Dice): string => {
  const { below, pick, chance } = roll;
  if (chance(0.4)) return '';
  const one = (): string => {
    const name = pick(['page', 'per_page', 'order', 'type_order', 'mobile', 'token', 'a[]', '']);
    const content = pick<() => string>([
      () => '1',
      () => '-1',
      () => '0',
      () => '1e9',
      () => '99999999999999999999',
      () => 'id',
      () => 'DESC',
      () => encodeURIComponent(text(roll).toWellFormed()),
      () => percent(roll),
      () => mobileOf(roll),
      () => server.client.token,
      () => 'x'.repeat(below(4000)),
    ])();
    return pick([`${name}=${content}`, `${name}=${content}&${name}=${content}`, name, content]);
  };
  return `?${Array.from({ length: below(4) + 1 }, one).join('&')}`;
};

const json = (roll: Dice): string => {
  const { pick, below, chance } = roll;
  const body: unknown = pick<() => unknown>([
    () => ({ table: 'product', items: value(roll) }),
    () => ({ table: 'product', items: { [key(roll)]: value(roll) } }),
    () => ({ table: value(roll), items: {}, page: value(roll), per_page: value(roll) }),
    () => ({ mobile: value(roll) }),
    () => ({ [key(roll)]: { mobile: mobileOf(roll), token: server.client.token } }),
    () => value(roll),
  ])();
  const whole = JSON.stringify(body) ?? 'undefined';
  if (chance(0.5)) return whole;
  const at = below(whole.length + 1);
  return pick<() => string>([
    () => whole.slice(0, at),
    () => whole.slice(0, at) + text(roll) + whole.slice(at),
    () => whole + whole,
    () => `\uFEFF${whole}`,
    () => whole.replaceAll('"', "'"),
    () => `{"mobile":"${mobileOf(roll)}","mobile":"${mobileOf(roll)}"}`,
    () => `{"table":"product","items":{},"items":{"name":"a","name":1}}`,
    () => `{"__proto__":{"mobile":"${mobileOf(roll)}"}}`,
    () => `{"constructor":{"prototype":{"a":1}}}`,
    () => '['.repeat(below(20_000)),
    () => `{"mobile":${'1'.repeat(below(500))}}`,
    () => '\\ud800',
    () => ' '.repeat(below(100)),
    () => `mobile=${mobileOf(roll)}&token=${server.client.token}`,
    () => `{"mobile":"${'9'.repeat(below(60_000))}"}`,
    () => `{"table":"product","items":{"name":"${'ﷺ'.repeat(below(5000))}"}}`,
    () => 'x'.repeat(65_530 + below(12)),
  ])();
};

const bytes = (roll: Dice): Buffer => {
  const whole = json(roll);
  return roll.pick<() => Buffer>([
    () => Buffer.from(whole),
    () => Buffer.from(whole),
    () => Buffer.from(whole),
    () => Buffer.from(whole, 'utf16le'),
    () => Buffer.from(whole, 'latin1'),
    () => Buffer.concat([Buffer.from(whole), Buffer.of(0xff, 0xfe, 0xc0)]),
    () => Buffer.from(Array.from({ length: roll.below(200) }, () => roll.below(256))),
  ])();
};

const headers = (roll: Dice): Record<string, string | string[]> => {
  const { pick, chance, below } = roll;
  const { token } = server.client;
  const authorization = pick<() => string | string[]>([
    () => `Bearer ${token}`,
    () => `Bearer ${token}`,
    () => `Bearer ${token}`,
    () => `bearer  ${token} `,
    () => `Bearer ${token.slice(0, -1)}`,
    () => `Bearer ${token}${token}`,
    () => `Basic ${token}`,
    () => token,
    () => 'Bearer',
    () => `Bearer ${mobileOf(roll)}`,
    () => 'x'.repeat(below(3000)),
  ])();
  const odd = (): [string, string | string[]] =>
    pick<() => [string, string | string[]]>([
      () => ['content-encoding', pick(['gzip', 'br', 'identity', 'x', ''])],
      () => ['accept', pick(['*/*', 'text/html', 'x', ';;;'])],
      () => ['if-none-match', pick(['*', '"', 'W/"x"', 'x'.repeat(2000)])],
      () => ['x-forwarded-for', pick(['1.2.3.4', 'x', mobileOf(roll)])],
      () => ['x-forwarded-host', pick(['evil.example', '"><script>'])],
      () => ['x-forwarded-proto', pick(['https', 'javascript'])],
      () => [
        'host',
        pick(['x', 'a b', 'x:99999999', '[::1]:1', 'evil.example/path', '"', mobileOf(roll)]),
      ],
      () => ['idempotency-key', [token, mobileOf(roll)]],
      () => ['request-id', mobileOf(roll)],
      () => ['cookie', `a=${token}; b=${mobileOf(roll)}`],
      () => ['user-agent', mobileOf(roll)],
      () => ['range', 'bytes=0-1'],
      () => ['x-http-method-override', 'DELETE'],
      () => ['accept-version', '1.0.0'],
    ])();
  return {
    ...(chance(0.9) ? { authorization } : {}),
    ...(chance(0.9)
      ? {
          'content-type': pick([
            'application/json',
            'application/json',
            'application/json; charset=utf-8',
            'application/json; charset=utf-16',
            'APPLICATION/JSON',
            'application/json;',
            'application/vnd.api+json',
            'application/x-www-form-urlencoded',
            'multipart/form-data; boundary=x',
            'text/plain',
            'application/json, text/plain',
            '/',
            '',
            'x'.repeat(500),
          ]),
        }
      : {}),
    ...Object.fromEntries(Array.from({ length: below(3) }, odd)),
  };
};

type Sent = { readonly what: string; readonly method: string };
type Got = { readonly status: number; readonly type: string; readonly body: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const statuses = new Map<string, number>(
  Object.entries(errorTable).map(([code, { status }]) => [code, status]),
);

const tell = ({ what }: Sent, problem: string, got: string): string =>
  `seed ${seed}: ${problem}\nsent: ${what.slice(0, 600)}\ngot: ${got.slice(0, 600)}`;

/** Checks the error body's shape, and that it reveals no internals. */
const assertError = (sent: Sent, { status, body }: Got): void => {
  let error: unknown;
  try {
    error = JSON.parse(body);
  } catch {
    assert.fail(tell(sent, 'an error that is not JSON', `${status} ${body}`));
  }
  const told = (problem: string): string => tell(sent, problem, `${status} ${body}`);
  assert.ok(isRecord(error), told('an error that is not an object'));
  const { message, code, charged, retry, request_id, docs, errors, ...more } = error;
  assert.ok(typeof message === 'string' && message.endsWith('.'), told('no sentence'));
  assert.equal(statuses.get(String(code)), status, told('a code of another status'));
  assert.equal(charged, 'no', told('charged'));
  assert.ok(retry === 'no' || retry === 'same_key', told('retry'));
  assert.match(String(request_id), /^[0-9a-f-]{36}$/, told('no request id'));
  assert.equal(
    docs,
    `/docs/errors#${String(code).toLowerCase()}`,
    told('no page that explains it'),
  );
  assert.deepEqual(more, {}, told('more than the one shape has'));
  assert.doesNotMatch(
    body,
    /node_modules|\.ts:|SQLITE|at Object\./,
    told('something of the inside'),
  );
  const fields = errors === undefined ? [] : Object.values(isRecord(errors) ? errors : { errors });
  for (const sentences of fields) {
    assert.ok(Array.isArray(sentences) && sentences.length > 0, told('errors without sentences'));
  }
};

const assertAnswer = (sent: Sent, got: Got): void => {
  const shown = `${got.status} ${got.body}`;
  assert.ok(got.status >= 200 && got.status < 500, tell(sent, 'a status out of range', shown));
  if (got.status < 400 || sent.method === 'HEAD') return;
  assert.match(got.type, /^application\/json/, tell(sent, 'an error of another type', shown));
  assertError(sent, got);
};

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
after(() => agent.destroy());

const methods = [
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'PURGE',
] as const;

const methodOf = (path: string): string => (path.includes('products') ? 'GET' : 'POST');

/** One request through a client that follows HTTP, so that only its content is wrong. */
const sendOne = (roll: Dice): Promise<{ sent: Sent; got: Got } | undefined> => {
  const { port } = new URL(server.url);
  // Most of a request is valid, so that the odd part gets as far as possible.
  const odd = (): boolean => roll.chance(0.3);
  const known = roll.pick(paths);
  const method = odd() ? roll.pick(methods) : methodOf(known);
  const target = ((odd() ? path(roll) : known) + (odd() ? query(roll) : '')).replace(
    /[^\x21-\x7E]/g,
    (sign) => encodeURIComponent(sign.toWellFormed()),
  );
  const fields = odd()
    ? headers(roll)
    : { authorization: `Bearer ${server.client.token}`, 'content-type': 'application/json' };
  const body = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : bytes(roll);
  const sent = { method, what: `${method} ${target} ${JSON.stringify(fields)} ${body.toString()}` };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: target, headers: fields, agent };
    const ongoing = httpRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          sent,
          got: {
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(parts).toString(),
          },
        });
      });
    });
    ongoing.setTimeout(hangsAfterMs, () => {
      ongoing.destroy();
      reject(new Error(tell(sent, 'no answer', '')));
    });
    // A server may close on a request that it will not read to its end.
    ongoing.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(undefined);
      else reject(error);
    });
    ongoing.end(body);
  });
};

/** A few concurrent workers; each takes the next number until none is left. */
const forEach = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const countOf = (counts: ReadonlyMap<number, number>): string =>
  JSON.stringify(Object.fromEntries(counts));

test(`${throughHttp} requests that carry nonsense are answered, none with a fault of ours`, async () => {
  const counts = new Map<number, number>();
  await forEach(throughHttp, async (index) => {
    const answer = await sendOne(dice(Math.imul(seed, spread) + index));
    counts.set(answer?.got.status ?? 0, (counts.get(answer?.got.status ?? 0) ?? 0) + 1);
    if (answer !== undefined) assertAnswer(answer.sent, answer.got);
  });
  const closed = counts.get(0) ?? 0;
  assert.ok(closed < throughHttp / 50, `seed ${seed}: ${closed} were closed without an answer`);
  for (const status of [200, 400, 401, 404, 405, 413, 415, 422]) {
    assert.ok(
      (counts.get(status) ?? 0) > 10,
      `seed ${seed}: few of ${status} in ${countOf(counts)}`,
    );
  }
});

/** Something barely like HTTP, with secrets in it. */
const rawRequest = (roll: Dice): string => {
  const { pick, below } = roll;
  const { token } = server.client;
  const mobile = mobileOf(roll);
  const host = 'Host: x';
  const auth = `Authorization: Bearer ${token}`;
  const body = `{"mobile":"${mobile}"}`;
  const typed = 'Content-Type: application/json';
  const post = `POST /api/operator_2/offers HTTP/1.1\r\n${host}\r\n${auth}\r\n${typed}`;
  return pick<() => string>([
    () => `GET /api/filter\r\n\r\n`,
    () => `FOO /${mobile} HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `get /api/filter HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `GET /api/filter HTTP/9.9\r\n${host}\r\n\r\n`,
    () => `GET /api/filter HTTP/1.1\r\n${auth}\r\n\r\n`,
    () => `GET /api/filter HTTP/1.0\r\n\r\n`,
    () => `GET  /api/filter  HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `GET http://evil.example/api/clients/products HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`,
    () => `GET * HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `OPTIONS * HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => `GET /api/clients/products HTTP/1.1\r\n${host}\r\nHost: y\r\n${auth}\r\n\r\n`,
    () => `GET /api/clients/products HTTP/1.1\r\nHost: a b\r\n${auth}\r\n\r\n`,
    () => `GET /api/clients/products HTTP/1.1\r\nHost:\r\n${auth}\r\n\r\n`,
    () => `GET /api/clients/products HTTP/1.1\r\n${host}\r\n${auth}\r\n${auth}\r\n\r\n`,
    () =>
      `GET /api/clients/products HTTP/1.1\r\n${host}\r\n${auth}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    () => `GET /${mobile} HTTP/1.1\r\n${host}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    () => `GET /?${mobile}${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `GET / HTTP/1.1\r\n${host}\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
    () => `GET / HTTP/1.1\r\n${host}\r\nBad Header: ${token}\r\n\r\n`,
    () => `GET / HTTP/1.1\r\n${host}\r\nX: a\0b\r\n\r\n`,
    () => `GET / HTTP/1.1\r\n${host}\r\nX\r\n\r\n`,
    () => `GET / HTTP/1.1\r\n${host}\r\n : x\r\n\r\n`,
    () => `GET / HTTP/1.1\n${host}\n\n`,
    () => `GET /\u0000 HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `GET /ی HTTP/1.1\r\n${host}\r\n\r\n`,
    () => `${post}\r\nContent-Length: -1\r\n\r\n${body}`,
    () => `${post}\r\nContent-Length: abc\r\n\r\n${body}`,
    () => `${post}\r\nContent-Length: 5\r\n\r\n${body}`,
    () => `${post}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${body}`,
    () => `${post}\r\nContent-Length: 99999999999\r\n\r\n${body}`,
    () => `${post}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
    () => `${post}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n${body}`,
    () => `${post}\r\nTransfer-Encoding: gzip\r\n\r\n${body}`,
    () => `${post}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}\r\nExpect: something\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => `${post}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => `${body}\r\n\r\n`,
    () => `${auth}\r\n\r\n`,
    () => '\r\n\r\n\r\n',
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    () => Array.from({ length: below(300) }, () => String.fromCharCode(below(256))).join(''),
    () => post.slice(0, below(post.length)),
  ])();
};

/** Sends bytes and ends its side, and returns what came back until the server closed. */
const sendRaw = (raw: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.end(Buffer.from(raw, 'latin1'));
    });
    socket.setEncoding('latin1').on('data', (part: string) => (got += part));
    socket.setTimeout(hangsAfterMs, () => {
      socket.destroy();
      reject(new Error(tell({ what: raw, method: '' }, 'neither answered nor closed', got)));
    });
    // A reset also closes; an answer before it counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });

/** The last answer on one connection, if there is one. */
const parseRaw = (got: string): Got | undefined => {
  const [head = '', ...rest] = got.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const type = /^content-type: *(.*)$/im.exec(head)?.[1] ?? '';
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
  return { status, type, body: rest.join('\r\n\r\n').slice(0, length) };
};

test(`${throughSockets} connections that barely speak HTTP are answered or closed`, async () => {
  const counts = new Map<number, number>();
  await forEach(throughSockets, async (index) => {
    const raw = rawRequest(dice(Math.imul(seed, spread) - index));
    const sent = { what: raw, method: /^[A-Z]*/.exec(raw)?.[0] ?? '' };
    const text = await sendRaw(raw);
    const got = parseRaw(text);
    counts.set(got?.status ?? 0, (counts.get(got?.status ?? 0) ?? 0) + 1);
    if (got === undefined) {
      assert.equal(text, '', tell(sent, 'an answer that is not HTTP', text));
      return;
    }
    assert.ok(got.status < 500, tell(sent, 'a fault of ours', text));
    if (got.status >= 400 && sent.method !== 'HEAD') assertError(sent, got);
  });
  assert.ok((counts.get(400) ?? 0) > 50, `seed ${seed}: ${countOf(counts)}`);
});

test('the log contains no token and no mobile number after all that', () => {
  const { token } = server.client;
  assert.ok(server.logged.length > throughHttp / 2, 'the log was written');
  for (const line of server.logged) {
    const told = `seed ${seed}: ${line.slice(0, 500)}`;
    assert.ok(!line.includes(token.slice('simgate_'.length)), told);
    assert.doesNotMatch(
      line.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''),
      /98912\d{7}/,
      told,
    );
    const entry: unknown = JSON.parse(line);
    assert.ok(isRecord(entry), told);
    assert.notEqual(entry['level'], 'error', told);
  }
});

test('after all that the server answers as before, and the balance is unchanged', async () => {
  const list = await request(server, '/api/clients/products?per_page=1');
  assert.equal(list.status, 200);
  assert.ok(isRecord(list.body));
  assert.equal(list.body['balance'], 1_000_000);
  const offers = await request(server, '/api/operator_2/offers/', {
    json: { mobile: '989121234500' },
  });
  assert.equal(offers.status, 200);
  const ready = await request(server, '/health/ready', { token: null });
  assert.equal(ready.status, 200);
});
