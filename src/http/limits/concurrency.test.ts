/** Tests which pool a request is counted in, and that its slot is always released. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { CallerStatus } from '../../clients/auth.ts';
import { errorHandler } from '../errors.ts';
import { createConcurrencyLimit, createPlaces, limitConcurrency } from './concurrency.ts';
import { createConnections } from './connections.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

// Far more than a busy machine needs: it separates "late" from "never".
const patienceMs = 60_000;

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `never: ${holds.toString()}`);
    await turn();
  }
};

/** A server with two slots of each kind, whose only route looks callers up when the test says so. */
const serve = async (callerStatus: CallerStatus) => {
  const connections = createConnections({
    clock: manualClock(),
    unreadMs: 5000,
    anonymousMs: 60_000,
    pipelined: 32,
    anonymous: 100,
    anonymousPerAddress: 100,
    isTrusted: () => false,
    closed: () => {},
  });
  const pools = {
    concurrency: createConcurrencyLimit(2),
    anonymous: createPlaces(2, 2),
    unverified: createPlaces(2, 2),
    callbacks: createPlaces(2, 2),
  };
  const lookups: PromiseWithResolvers<boolean>[] = [];
  const app = Fastify();
  const refused: string[] = [];
  const log = { warn: () => {}, error: () => {} };
  app.setErrorHandler(
    errorHandler({
      log,
      refused: (code, caller) => void refused.push(`${code} ${caller}`),
      publicUrl: undefined,
    }),
  );
  limitConcurrency(app, {
    ...pools,
    connections,
    callerStatusOf: () => callerStatus,
    limit: () => {},
  });
  app.get('/', {
    onRequest: async (request) => {
      const lookup = Promise.withResolvers<boolean>();
      lookups.push(lookup);
      if (!(await lookup.promise)) throw Object.assign(new Error('no'), { statusCode: 401 });
      request.identified();
      request.identified();
    },
    handler: async () => new Promise(() => {}),
  });
  app.server.prependListener('connection', connections.add);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  cleanUpAfterTest(() => {
    for (const socket of sockets) socket.destroy();
    return app.close();
  });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ask = async (more = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    sockets.push(socket);
    const before = lookups.length;
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${more}`);
    await until(() => lookups.length > before);
    return socket;
  };
  const connected = (): Promise<number> =>
    new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  return { pools, lookups, refused, url: `http://127.0.0.1:${port}/`, ask, connected };
};

/** The number of free slots of a pool. */
const freeIn = ({ enter }: ReturnType<typeof createPlaces>): number => {
  const taken = Array.from({ length: 10 }, () => enter('127.0.0.1')).filter(
    (leave) => leave !== undefined,
  );
  for (const leave of taken) leave();
  return taken.length;
};

const freeOfClients = ({
  reached,
  enter,
  leave,
}: ReturnType<typeof createConcurrencyLimit>): number => {
  let count = 0;
  for (; !reached(); count += 1) enter();
  for (let one = 0; one < count; one += 1) leave();
  return count;
};

test('a verified request moves to the clients’ slots, once', async () => {
  const { pools, lookups, ask } = await serve('unverified');
  await ask();
  assert.deepEqual([freeIn(pools.unverified), freeOfClients(pools.concurrency)], [1, 2]);
  lookups[0]?.resolve(true);
  await until(() => freeIn(pools.unverified) === 2);
  assert.equal(freeOfClients(pools.concurrency), 1);
});

test('a refused request leaves the unverified pool', async () => {
  const { pools, lookups, ask } = await serve('unverified');
  const socket = await ask();
  lookups[0]?.resolve(false);
  await once(socket, 'data');
  await until(() => freeIn(pools.anonymous) === 2);
  assert.deepEqual([freeIn(pools.unverified), freeOfClients(pools.concurrency)], [2, 2]);
});

test('a request refused while anonymous callers use all slots is closed', async () => {
  const { pools, lookups, ask } = await serve('unverified');
  const socket = await ask();
  for (let one = 0; one < 2; one += 1) pools.anonymous.enter('192.0.2.1');
  lookups[0]?.resolve(false);
  await once(socket, 'close');
  await until(() => freeIn(pools.unverified) === 2);
});

test('a caller that leaves during its lookup frees its slot, and takes none of the clients’', async () => {
  for (const verified of [true, false]) {
    const { pools, lookups, ask, connected } = await serve('unverified');
    for (let one = 0; one < 2; one += 1) (await ask()).destroy();
    await until(async () => (await connected()) === 0);
    for (const lookup of lookups) lookup.resolve(verified);
    await turn();
    assert.deepEqual(
      [freeIn(pools.unverified), freeIn(pools.anonymous), freeOfClients(pools.concurrency)],
      [2, 2, 2],
    );
  }
});

test('a known caller that leaves frees its slot once', async () => {
  const { pools, lookups, ask } = await serve('known');
  const socket = await ask();
  assert.equal(freeOfClients(pools.concurrency), 1);
  lookups[0]?.resolve(true);
  await turn();
  assert.equal(freeOfClients(pools.concurrency), 1);
  socket.destroy();
  await until(() => freeOfClients(pools.concurrency) === 2);
});

for (const [callerStatus, status, code] of [
  ['known', 503, 'OVERLOADED'],
  ['unverified', 503, 'OVERLOADED'],
  ['anonymous', 429, 'RATE_LIMITED'],
] as const) {
  test(`beyond their slots, ${callerStatus} callers are answered ${status} and counted by status`, async () => {
    const { refused, url, ask } = await serve(callerStatus);
    for (let count = 0; count < 2; count += 1) await ask();
    const answer = await fetch(url);
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [status, '1']);
    assert.deepEqual(refused, [`${code} ${callerStatus}`]);
  });
}

test('a request counts as a known caller’s once it is verified', async () => {
  const { pools, lookups, refused, url } = await serve('unverified');
  for (let count = 0; count < 2; count += 1) pools.concurrency.enter();
  const answer = fetch(url);
  await until(() => lookups.length === 1);
  lookups[0]?.resolve(true);
  assert.equal((await answer).status, 503);
  assert.deepEqual(refused, ['OVERLOADED known']);
});

test('requests before a CONNECT free their slots', async () => {
  const { pools, lookups, ask } = await serve('known');
  const socket = await ask(
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  );
  await once(socket, 'close');
  await until(() => lookups.length === 2);
  await until(() => freeOfClients(pools.concurrency) === 2);
});

test('slots are limited in total and for each address, with an IPv6 /64 network as one', () => {
  const { enter } = createPlaces(3, 2);
  const first = enter('2001:db8::1');
  assert.ok(first !== undefined && enter('2001:db8:0:0:ffff::2') !== undefined);
  assert.equal(enter('2001:db8::3'), undefined);
  assert.ok(enter('::ffff:192.0.2.1') !== undefined);
  assert.equal(enter('192.0.2.2'), undefined);
  first();
  assert.ok(enter('192.0.2.1') !== undefined);
  assert.equal(enter('192.0.2.1'), undefined);
});
