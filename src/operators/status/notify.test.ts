/** Tests that clients are notified of operator status once for all servers, and in order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../../test/support/clients.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { readConfig } from '../../config/config.ts';
import type { OpenDatabase } from '../../db/types.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { createEndpoint } from '../../webhooks/endpoints.ts';
import { listMessages } from '../../webhooks/history/store.ts';
import { createStatusNotifier, type StatusDeps, type StatusNotifier } from './notify.ts';

let database: OpenDatabase;
let endpointId: string;
const clock = manualClock();
const newId = uuidV7(clock, systemRandom);
const databaseTime = async (): Promise<number> => clock.now();

before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const deps = { db, clock, databaseTime, newId, random: systemRandom };
  const { id } = await createClient(deps, { name: 'A' });
  const { endpoint } = await createEndpoint(
    {
      ...deps,
      secrets: { seal: () => undefined },
      settings: readConfig({}).webhooks,
      listeners: { reload: async () => {} },
      retryLocked: (work) => work(),
      log: { error: () => {} },
    },
    id,
    {
      url: 'https://shop.example/',
      description: '',
      events: ['operator.status'],
      balanceBelow: null,
    },
  );
  endpointId = endpoint.id;
});

after(() => database.close());

/** The notifications of one server. */
const teller = (more: Partial<StatusDeps> = {}): StatusNotifier =>
  createStatusNotifier({
    db: database.db,
    clock,
    databaseTime,
    newId,
    retryLocked: (work) => work(),
    log: { error: (...words: readonly unknown[]) => assert.fail(String(words)) },
    nameOf: (id) => `operator_${id}`,
    wake: () => {},
    ...more,
  });

const told = async (): Promise<string[]> => {
  const rows = await listMessages(database.db, { endpointId }, { offset: 0, limit: 100 });
  return rows.reverse().map(({ payload }) => {
    const { operator_id, health } = dataOf(payload);
    return [operator_id, health].join(' ');
  });
};

const dataOf = (payload: string): { operator_id: unknown; health: unknown } => {
  const read: unknown = JSON.parse(payload);
  assert.ok(typeof read === 'object' && read !== null && 'data' in read);
  const { data } = read;
  assert.ok(typeof data === 'object' && data !== null);
  assert.ok('operator_id' in data && 'health' in data && 'since' in data && 'name' in data);
  return data;
};

test('three servers that notice one outage announce it once, and its end', async () => {
  const servers = [teller(), teller(), teller()];
  for (const server of servers) server.tell(2, 'down');
  // A failed trial opens the breaker again, any number of times.
  for (const server of servers) server.tell(2, 'down');
  await Promise.all(servers.map(({ stop }) => stop()));
  await clock.advance(5000);
  for (const server of servers) server.tell(2, 'up');
  await Promise.all(servers.map(({ stop }) => stop()));
  assert.deepEqual(await told(), ['2 down', '2 up']);
});

test('a starting server retracts an outage, and announces it again if it continues', async () => {
  const before = (await told()).length;
  await clock.advance(1000);
  const first = teller();
  first.tell(3, 'down');
  await first.stop();
  await clock.advance(120_000);
  const next = teller();
  await next.start();
  await next.stop();
  await clock.advance(1000);
  next.tell(3, 'down');
  await next.stop();
  assert.deepEqual((await told()).slice(before), ['3 down', '3 up', '3 down']);
});

test('a starting server announces a suspended operator as down, once, and does not retract it', async () => {
  const before = (await told()).length;
  await clock.advance(1000);
  for (let count = 0; count < 2; count += 1) {
    const server = teller();
    await server.start(new Set([6]));
    await server.stop();
  }
  // Within a millisecond messages have no order.
  await clock.advance(1000);
  const next = teller();
  await next.start();
  await next.stop();
  assert.deepEqual(
    (await told()).slice(before).filter((text) => text.startsWith('6')),
    ['6 down', '6 up'],
  );
});

test('an announcement that could not be written is made later, unless it is outdated', async () => {
  await clock.advance(1000);
  const before = (await told()).length;
  const away = new Set(['down']);
  const errors: unknown[] = [];
  const server = teller({
    retryLocked: (work) => (away.size > 0 ? Promise.reject(new Error('away')) : work()),
    log: { error: (...words: readonly unknown[]) => errors.push(words) },
  });
  server.tell(4, 'down');
  server.tell(5, 'down');
  server.tell(5, 'up');
  await clock.advance(1000);
  assert.equal(errors.length, 3);
  away.clear();
  await clock.advance(10_000);
  await server.stop();
  assert.deepEqual(new Set((await told()).slice(before)), new Set(['4 down', '5 up']));
});
