/** Tests the webhook backlog figures, and that they read no delivered message. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { createClient } from '../../../test/support/clients.ts';
import { onSqlite, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { type EndpointRow, insertEndpoint, insertMessages } from '../store.ts';
import { backlogText, readBacklog } from './store.ts';

const newId = uuidV7(systemClock, systemRandom);
const now = 1_000_000;

let database: TestDatabase;
let clientId = '';
let testClientId = '';

before(async () => {
  database = await openTestDatabase();
  const deps = { db: database.db, clock: systemClock, newId, random: systemRandom };
  clientId = (await createClient(deps, { name: 'One', balance: 0 })).id;
  testClientId = (await createClient(deps, { name: 'Tester', test: true })).id;
});
after(() => database.close());

const endpoint = async (
  status: EndpointRow['status'] = 'active',
  client_id = clientId,
): Promise<string> => {
  const id = newId();
  await insertEndpoint(database.db, {
    id,
    client_id,
    url: 'https://shop.example/hooks',
    description: '',
    events: '[]',
    balance_below: null,
    status,
    disabled_by: status === 'disabled' ? 'client' : null,
    by_gateway: 0,
    secret: 'whsec_',
    old_secret: null,
    old_secret_until: null,
    created_at: 0,
    deleted_at: null,
  });
  return id;
};

/** A message created then; due at once, or at a time. */
const message = async (endpointId: string, createdAt: number, dueAt = 0): Promise<void> => {
  const id = `msg_${newId()}`;
  const type = 'catalogue.changed';
  await insertMessages(database.db, [{ endpointId, id, type, payload: '{}' }], createdAt);
  await database.db
    .updateTable('webhook_messages')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .execute();
};

describe('The backlog of webhooks', () => {
  beforeEach(async () => {
    await database.db.deleteFrom('webhook_messages').execute();
  });

  test('is empty if nothing waits', async () => {
    await endpoint();
    assert.deepEqual(await readBacklog(database.db, now), {
      waiting: 0,
      oldestMs: 0,
      overdueMs: 0,
    });
  });

  test('has the oldest waiting message, and how late the first due one is', async () => {
    const [one, other] = [await endpoint(), await endpoint()];
    await message(one, now - 90_000, now + 5000);
    await message(one, now - 50_000, now - 7000);
    await message(other, now - 3000);
    assert.deepEqual(await readBacklog(database.db, now), {
      waiting: 3,
      oldestMs: 90_000,
      overdueMs: 7000,
    });
  });

  test('leaves out delivered messages, and those of disabled endpoints and test clients', async () => {
    const [active, disabled] = [await endpoint(), await endpoint('disabled')];
    const tester = await endpoint('active', testClientId);
    await message(active, now - 1000);
    await database.db
      .updateTable('webhook_messages')
      .set({ state: 'delivered', due_at: null, ended_at: now })
      .execute();
    await message(disabled, now - 2000);
    await message(tester, now - 2000);
    assert.equal((await readBacklog(database.db, now)).waiting, 0);
  });

  test('is never negative if the database’s clock went back', async () => {
    await message(await endpoint(), now + 10_000);
    const { oldestMs, overdueMs } = await readBacklog(database.db, now);
    assert.deepEqual([oldestMs, overdueMs], [0, 0]);
  });

  // PostgreSQL's plans are in test/postgres.
  onSqlite(() => {
    test('is read by the index of waiting messages', async () => {
      const plan = CompiledQuery.raw(`explain query plan ${backlogText}`, [now]);
      const { rows } = await database.db.executeQuery<{ detail: string }>(plan);
      const details = rows.map(({ detail }) => detail).join('\n');
      assert.match(details, /SEARCH m USING INDEX webhook_messages_due \(endpoint_id=\?/);
      assert.doesNotMatch(details, /SCAN m\b|TEMP B-TREE/);
    });
  });
});
