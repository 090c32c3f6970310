/** Tests that an answer has the same bytes with the fast path and without it, and that without it the framework gives all. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { eventually } from '../support/live.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  aTopUp,
  catalogue,
  operatorThat,
  packages,
  queryOf,
  served,
  sold,
  topUps,
} from './buying.ts';

const form = 'application/x-www-form-urlencoded';
const list = '/api/clients/products?per_page=2';

/** Lines of a head, and a body. */
type Sent = { readonly lines: readonly string[]; readonly body?: string };

const get = (path: string, ...lines: readonly string[]): Sent => ({
  lines: [`GET ${path} HTTP/1.1`, ...lines],
});

const post = (path: string, type: string, body: string, ...lines: readonly string[]): Sent => ({
  lines: [`POST ${path} HTTP/1.1`, `Content-Type: ${type}`, ...lines],
  body,
});

const buying = (path: string, fields: object, key: string, ...lines: readonly string[]): Sent =>
  post(path, form, queryOf({ ...fields }), `Idempotency-Key: ${key}`, ...lines);

const filter = post(
  '/api/filter',
  'application/json',
  JSON.stringify({ table: 'product', items: { type: 'cell_direct_charge' }, page: 1 }),
);

/** Everything that the fast path can answer. */
const answered: Readonly<Record<string, Sent>> = {
  'a page': get(list),
  'a page in gzip': get(list, 'Accept-Encoding: gzip'),
  'a page in brotli, with a request id': get(list, 'Accept-Encoding: br', 'X-Request-Id: mine'),
  'a filter': filter,
  'a package': buying(packages, aPackage, 'a'),
  'a repeat': buying(packages, aPackage, 'a', 'X-Request-Id: mine'),
  'a key of another purchase': buying(packages, { ...aPackage, mobile: '989123456710' }, 'a'),
  'a top-up as JSON': post(
    topUps,
    'application/json',
    JSON.stringify(aTopUp),
    'Idempotency-Key: b',
  ),
  'a key of another purchase, in Persian': buying(
    packages,
    { ...aPackage, mobile: '989123456710' },
    'a',
    'Accept-Language: fa-IR, en;q=0.5',
  ),
  'a wrong price': buying(packages, { ...aPackage, price: 1 }, 'c'),
  'a wrong price, which is recorded, in Persian': buying(
    packages,
    { ...aPackage, price: 1 },
    'c2',
    'Accept-Language: fa',
  ),
  'a product that is switched off': buying(
    packages,
    { ...aPackage, product_id: sold.switchedOff },
    'd',
  ),
};

/** What it leaves to the framework. */
const left: Readonly<Record<string, Sent>> = {
  'a page that was not requested before': get('/api/clients/products?page=2'),
  'a page that is not one': get('/api/clients/products?page=0'),
  'no key': post(packages, form, queryOf(aPackage)),
  'a wrong number': buying(packages, { ...aPackage, mobile: '1' }, 'e'),
  'a wrong number in Persian': buying(
    packages,
    { ...aPackage, mobile: '1' },
    'e2',
    'Accept-Language: fa',
  ),
  'two languages in two headers': buying(
    packages,
    { ...aPackage, mobile: '1' },
    'e3',
    'Accept-Language: en;q=0.5',
    'Accept-Language: fa',
  ),
  'another type': post(packages, 'text/plain', queryOf(aPackage), 'Idempotency-Key: f'),
};

const write = (socket: Socket, { client }: TestServer, { lines, body = '' }: Sent): void => {
  const [first = '', ...others] = lines;
  const head = [first, 'Host: gateway.test', `Authorization: Bearer ${client.token}`, ...others];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  socket.write(`${[...head, ...length].join('\r\n')}\r\n\r\n${body}`);
};

const opened = async ({ url }: TestServer): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** One answer, byte for byte. */
const answerOn = async (socket: Socket): Promise<string> => {
  let seen = Buffer.alloc(0);
  for (;;) {
    const heard: unknown[] = await once(socket, 'data');
    const [piece] = heard;
    assert.ok(Buffer.isBuffer(piece));
    seen = Buffer.concat([seen, piece]);
    const text = seen.toString('latin1');
    const length = Number(/\r\ncontent-length: (\d+)\r\n/.exec(text)?.[1] ?? Number.NaN);
    if (text.length - text.indexOf('\r\n\r\n') - 4 === length) return text;
  }
};

/** Without the parts that differ in each answer, or in each database. */
const comparable = (answer: string): string => {
  const id = /\r\nrequest-id: (.*)\r\n/.exec(answer)?.[1] ?? assert.fail(answer);
  return answer
    .replaceAll(id, 'an id')
    .replace(/\r\nDate: \w{3}, [\w: ]+ GMT\r\n/, '\r\nDate\r\n')
    .replace(/\r\npurchase-id: [\da-f-]{36}\r\n/, '\r\npurchase-id\r\n')
    .replace(/\r\netag: "[\w-]+"\r\n/, '\r\netag\r\n');
};

const { http } = readConfig({});
// Full again within a millisecond, so that each answer has the same headers.
const limited = { client: { perSecond: 1_000_000, burst: 100 } };

const settings = (fastPath: boolean): Partial<Config> => ({
  http: { ...http, fastPath },
  rateLimits: limited,
});

const handled = 'tracing:fastify.request.handler:start';

type Given = {
  readonly answers: Readonly<Record<string, string>>;
  /** How many requests the framework answered. */
  readonly byFramework: number;
};

/** Sends requests, each on its own connection, on which others were answered first. */
const ask = async (
  server: TestServer,
  requests: Readonly<Record<string, Sent>>,
  first: readonly Sent[] = [],
): Promise<Given> => {
  let byFramework = 0;
  const count = (): void => {
    byFramework += 1;
  };
  const answers: [string, string][] = [];
  for (const [name, sent] of Object.entries(requests)) {
    const socket = await opened(server);
    for (const before of first) {
      write(socket, server, before);
      await answerOn(socket);
    }
    subscribe(handled, count);
    write(socket, server, sent);
    answers.push([name, comparable(await answerOn(socket))]);
    unsubscribe(handled, count);
    socket.destroy();
  }
  return { answers: Object.fromEntries(answers), byFramework };
};

const started = async (fastPath: boolean): Promise<TestServer> => {
  const server = await startServer({ products: catalogue, config: settings(fastPath) });
  const isCompressed = async (sent: Sent): Promise<boolean> => {
    const socket = await opened(server);
    write(socket, server, sent);
    const answer = await answerOn(socket);
    socket.destroy();
    return answer.includes('\r\ncontent-encoding: ');
  };
  // A page goes uncompressed while it is not compressed yet, on either path.
  const encodings = ['gzip', 'br'].map((encoding) => get(list, `Accept-Encoding: ${encoding}`));
  for (const sent of encodings) await eventually('it is compressed', () => isCompressed(sent));
  assert.equal(await isCompressed(filter), false);
  return server;
};

describe('The fast path', () => {
  let off: Given;
  let offToo: Given;
  before(async () => {
    const server = await started(false);
    off = await ask(server, answered);
    offToo = await ask(server, left);
    await server.stop();
  });

  test('answers nothing if it is off', () => {
    assert.equal(off.byFramework, Object.keys(answered).length);
    for (const name of ['a page', 'a filter', 'a package', 'a repeat']) {
      assert.match(off.answers[name] ?? '', /^HTTP\/1\.1 200 OK\r\n/, name);
    }
  });

  for (const [where, first] of [
    ['on a new connection', []],
    // Its token is cached by then: later input is not read in small chunks.
    ['on a connection that Node reads', [get('/api/account')]],
  ] as const) {
    test(`gives the bytes of the framework, ${where}`, async () => {
      const server = await started(true);
      const on = await ask(server, answered, first);
      assert.deepEqual(on.answers, off.answers);
      assert.equal(on.byFramework, 0);
      assert.deepEqual((await ask(server, left, first)).answers, offToo.answers);
      await server.stop();
    });
  }

  test('closes a connection as the framework does if the server begins to drain', async () => {
    const answers: string[] = [];
    for (const fastPath of [false, true]) {
      const release = Promise.withResolvers<void>();
      const operator = operatorThat({
        buy: async ({ ref }) => {
          await release.promise;
          return { kind: 'done', ref };
        },
      });
      const options = served(operator, settings(fastPath));
      const server = await startServer({ products: catalogue, ...options });
      const socket = await opened(server);
      write(socket, server, buying(packages, aPackage, 'a'));
      await eventually('it is ordered', async () => operator.asked.buy.length === 1);
      server.drain();
      release.resolve();
      answers.push(comparable(await textOf(socket)));
      await server.stop();
    }
    assert.match(answers[0] ?? '', /\r\nconnection: close\r\n/);
    assert.equal(answers[1], answers[0]);
  });
});
