/** Tests a database of the version before test clients: its clients are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../test/support/old-database.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { readMigrations } from '../db/migrate/migrations.ts';
import { systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { findTokenByHash, findWithMoney, insertToken, sumClients } from './store.ts';
import { hashToken, makeToken } from './token.ts';

test('a client of the version before is no test client, and its token stays valid', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  const first = all.find(({ name }) => name.endsWith('test-clients'))?.number ?? 0;
  assert.ok(first > 0);
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < first) });
  await sql`insert into clients (id, name, status, created_at) values ('a', 'a', 'active', 0)`.execute(
    db,
  );
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 1000 }], 0);
  const token = makeToken(systemRandom);
  const hash = hashToken(token);
  const unset = { expires_at: null, revoked_at: null, last_used_at: null };
  const row = { id: 't', client_id: 'a', name: '', hash, ending: '', scopes: '[]', networks: '[]' };
  await insertToken(db, { ...row, ...unset, created_at: 0 });

  await migrate(db, systemClock, { known: all });

  assert.equal((await findWithMoney(db, 'a'))?.test, 0);
  assert.equal((await findTokenByHash(db, hash))?.client_test, 0);
  assert.deepEqual(await sumClients(db, {}), { clients: 1, available: 1000, held: 0 });
  assert.equal((await sumClients(db, { test: true })).clients, 0);
});
