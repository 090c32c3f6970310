/** Tests any HTTP connector against network faults: it never claims more than it knows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Connection, OrderOutcome } from '../connector.ts';
import type { TransportSettings } from '../transport-settings.ts';
import { inquireAt } from './inquire-at.ts';
import { answerText, type RawOperator, type Script, startRawOperator } from './raw-operator.ts';
import { mostlyWaiting, orderFor } from './test-bed.ts';

/** Opens a connection with these network settings; everything else is up to the connector. */
export type Open = (wire: TransportSettings) => Connection;

type Trial = {
  readonly operator: RawOperator;
  readonly connection: Connection;
  /** Another connection to the same operator, with other limits. */
  readonly reopen: (limits: Partial<TransportSettings>) => Connection;
};

// Long enough for a busy machine to answer: an exchange takes a few milliseconds.
const limits = {
  connectMs: 5_000,
  headersMs: 4_000,
  answerMs: 5_000,
  connections: 4,
  pending: 4,
  answerBytes: 2_000,
} as const;

const mobile = '989120000012';
const order = () => orderFor(mobile);

// What a busy machine may add to a deadline: anything longer has none.
const slackMs = 30_000;

const timed = async <T>(work: Promise<T>): Promise<T> => {
  const begun = performance.now();
  const result = await work;
  const taken = performance.now() - begun;
  assert.ok(taken < limits.answerMs + slackMs, `${taken} ms`);
  return result;
};

const page = '<html><body>Please log in.</body></html>';
const html = { 'content-type': 'text/html' };

const every = (ms: number, socket: Parameters<Script>[0], text: string): void => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};

/** Network faults after the request was sent. Each leaves the outcome unknown. */
const mischief: Readonly<Record<string, Script>> = {
  silence: () => {},
  'a reset instead of an answer': (socket) => socket.resetAndDestroy(),
  'a connection closed instead of an answer': (socket) => socket.end(),
  'a reset in the middle of the answer': (socket) => {
    const text = answerText('200 OK', { 'content-length': '400' }, page);
    socket.write(text, () => socket.resetAndDestroy());
  },
  'a connection closed in the middle of the answer': (socket) =>
    socket.end(answerText('200 OK', { 'content-length': '400', connection: 'close' }, page)),
  'a connection closed between two parts of the answer': (socket) =>
    socket.end(answerText('200 OK', { 'transfer-encoding': 'chunked' }, '3\r\nabc\r\n')),
  'an answer that begins and goes no further': (socket) =>
    socket.write(answerText('200 OK', { 'content-length': '400' }, page)),
  'an answer that drips in': (socket) => {
    socket.write(answerText('200 OK', { 'content-length': '400' }));
    every(20, socket, 'x');
  },
  'headers that drip in': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ');
    every(20, socket, 'x');
  },
  'an answer that says that it is too long': (socket) =>
    socket.write(answerText('200 OK', { 'content-length': '3000' }, 'x'.repeat(100))),
  'an answer that never ends': (socket) => {
    socket.write(answerText('200 OK', { 'transfer-encoding': 'chunked' }));
    every(1, socket, `400\r\n${'x'.repeat(1024)}\r\n`);
  },
  'headers that never end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(1, socket, `x-more: ${'x'.repeat(4096)}\r\n`);
  },
  'a page where an answer should be': (socket) => socket.write(answerText('200 OK', html, page)),
  'an answer without a type': (socket) => socket.write(answerText('200 OK', {}, '{}')),
  'an empty answer': (socket) => socket.write(answerText('204 No Content')),
  'an answer that came packed': (socket) =>
    socket.write(answerText('200 OK', { 'content-encoding': 'gzip' }, '\x1f\x8b\x08')),
  'bytes that are no text': (socket) =>
    socket.write(
      Buffer.from(
        answerText('200 OK', { 'content-type': 'application/json' }, '\xff\xfe'),
        'latin1',
      ),
    ),
  'something that is not HTTP': (socket) => socket.write('220 mail.example ESMTP\r\n'),
  'another protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'a redirection': (socket) =>
    socket.write(answerText('307 Temporary Redirect', { location: 'elsewhere' })),
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 422, 429, 500, 502, 503].map((status): [string, Script] => [
      `a bare ${status}`,
      (socket) => socket.write(answerText(`${status} No`, html, page)),
    ]),
  ),
};

/** Not a byte was sent: another supplier may be tried. */
const assertUnsent = (outcome: OrderOutcome): void => {
  assert.ok(outcome.kind === 'refused', outcome.kind);
  assert.deepEqual([outcome.code, outcome.blame], ['unreachable', 'supplier']);
};

const keptAlive = answerText('503 Service Unavailable', html, page);

type Check = (trial: Trial) => Promise<void>;

const onTheSameConnection: Check = async ({ operator, reopen }) => {
  const single = reopen({ connections: 1 });
  await single.buy(order());
  assert.equal((await timed(single.buy(order()))).kind, 'unknown');
  assert.deepEqual([operator.requests.length, operator.connections.made], [2, 1]);
  await single.close();
};

/** Reused connections, too many requests, and an address without a listener. */
const connecting: Readonly<Record<string, { readonly script: Script; readonly check: Check }>> = {
  'a connection that is reset just as an order is sent on it again leaves it unknown, sent once': {
    script: (socket, nth) => (nth === 1 ? socket.write(keptAlive) : socket.resetAndDestroy()),
    check: onTheSameConnection,
  },
  'a connection that is closed just as an order is sent on it again leaves it unknown, sent once': {
    script: (socket, nth) => (nth === 1 ? socket.write(keptAlive) : socket.end()),
    check: onTheSameConnection,
  },
  'a connection that was closed while it was idle is not used again: the order goes on another': {
    script: (socket) => socket.write(keptAlive),
    check: async ({ operator, connection }) => {
      await connection.buy(order());
      operator.endIdle();
      while (operator.connections.open > 0) await new Promise((resolve) => setImmediate(resolve));
      await timed(connection.buy(order()));
      assert.deepEqual([operator.requests.length, operator.connections.made], [2, 2]);
    },
  },
  'connections are kept and never more than allowed': {
    script: (socket) => socket.write(keptAlive),
    check: async ({ operator, connection }) => {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(Array.from({ length: 8 }, () => connection.buy(order())));
      }
      assert.equal(operator.requests.length, 40);
      assert.ok(operator.connections.made <= limits.connections, String(operator.connections.made));
    },
  },
  'orders beyond those that may wait are refused at once, for sure unsent': {
    script: () => {},
    check: async ({ operator, connection }) => {
      const { connections, pending } = limits;
      const state = { ended: 0 };
      const first = Array.from({ length: connections + pending }, () =>
        connection.buy(order()).finally(() => {
          state.ended += 1;
        }),
      );
      const refused = await connection.buy(order());
      assert.equal(state.ended, 0, 'before any of the others has ended');
      assertUnsent(refused);
      const kinds = (await Promise.all(first)).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'unknown').length, operator.requests.length);
      assert.equal(kinds.filter((kind) => kind === 'done').length, 0);
    },
  },
  'an order that finds no free connection in time is refused, for sure unsent': {
    script: () => {},
    check: async ({ operator, reopen }) => {
      const narrow = reopen({ connections: 1, connectMs: 2_000 });
      const [first, second] = await Promise.all([narrow.buy(order()), narrow.buy(order())]);
      assert.equal(first.kind, 'unknown');
      assertUnsent(second);
      assert.equal(operator.requests.length, 1);
      await narrow.close();
    },
  },
  'when the operator does not listen, an order is refused as certainly unsent, and an inquiry is unknown':
    {
      script: () => {},
      check: async ({ operator, connection }) => {
        await operator.close();
        const outcome = await timed(connection.buy(order()));
        assertUnsent(outcome);
        assert.equal((await timed(inquireAt(connection, order().ref))).kind, 'unknown');
      },
    },
  'an order under way when the connection is closed is unknown, one after that is refused': {
    script: () => {},
    check: async ({ operator, connection }) => {
      const inFlight = connection.buy(order());
      while (operator.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await connection.close();
      assert.equal((await inFlight).kind, 'unknown');
      const after = await connection.buy(order());
      assertUnsent(after);
      assert.equal(operator.requests.length, 1);
    },
  },
};

/**
 * Registers the suite. `open` returns a fresh connection of the connector, with the given network settings.
 */
export const wireSuite = ({ name, open }: { readonly name: string; readonly open: Open }): void => {
  const withOperator = async (script: Script, work: Check): Promise<void> => {
    const operator = await startRawOperator(script);
    const reopen: Trial['reopen'] = (more) => open({ ...limits, ...more, baseUrl: operator.url });
    const connection = reopen({});
    try {
      await work({ operator, connection, reopen });
    } finally {
      await connection.close();
      await operator.close();
    }
  };
  void describe(`${name} on its wire`, mostlyWaiting, () => {
    for (const [what, script] of Object.entries(mischief)) {
      void test(`${name}: ${what} leaves an order unknown, sent once, and an inquiry too`, () =>
        withOperator(script, async ({ operator, connection }) => {
          const bought = await timed(connection.buy(order()));
          assert.equal(bought.kind, 'unknown');
          assert.ok(bought.kind === 'unknown' && bought.detail !== '');
          assert.doesNotMatch(bought.detail, new RegExp(mobile));
          assert.equal(operator.requests.length, 1);
          assert.equal((await timed(inquireAt(connection, order().ref))).kind, 'unknown');
          assert.equal(operator.requests.length, 2);
        }));
    }
    for (const [what, { script, check }] of Object.entries(connecting)) {
      void test(`${name}: ${what}`, () => withOperator(script, check));
    }
  });
};
