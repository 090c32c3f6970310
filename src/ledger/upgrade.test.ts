/** Tests a database of the version before credit: its money stays, and no client has credit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../test/support/old-database.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { oldestProgram, readMigrations } from '../db/migrate/migrations.ts';
import { systemClock } from '../lib/clock.ts';
import { setCreditLimit } from './credit.ts';
import { readAccount, writePostings } from './store.ts';
import { verifyLedger } from './verify.ts';

test('an account of the version before keeps its money and postings, and can then get credit', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  const credit = all.find(({ name }) => name.endsWith('-credit')) ?? assert.fail();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < credit.number) });
  await sql`insert into clients (id, name, status, created_at) values ('a', 'a', 'active', 0)`.execute(
    db,
  );
  await postInOld(
    db,
    'a',
    [
      { kind: 'deposit', amount: 1000 },
      { kind: 'hold', amount: 400, purchaseId: 'p' },
    ],
    5,
  );
  await sql`insert into client_rules (client_id, pending_status) values ('a', 202)`.execute(db);
  const before = await db.selectFrom('postings').selectAll().orderBy('seq').execute();

  await migrate(db, systemClock, { known: all });

  assert.deepEqual(
    await db.selectFrom('postings').selectAll().orderBy('seq').execute(),
    before.map((row) => ({ ...row, cost: null, supplier_id: null, supplier_balance: null })),
  );
  assert.deepEqual(
    { ...(await readAccount(db, 'a')) },
    { available: 600, held: 400, seq: 2, credit: 0 },
  );
  await db.transaction().execute((inside) => setCreditLimit(inside, 'a', 50, 0));
  await db
    .transaction()
    .execute((inside) =>
      writePostings(inside, 'a', [{ kind: 'hold', amount: 650, purchaseId: 'q' }], 6),
    );
  assert.equal((await readAccount(db, 'a'))?.available, -50);
  assert.deepEqual((await verifyLedger(db)).problems, []);
  const again = sql`insert into postings select client_id, 9, kind, from_account, to_account, amount,
    available_after, held_after, purchase_id, note, at, null, null, null
    from postings where seq = 2`;
  await assert.rejects(again.execute(db), /unique/i, 'a second hold of one purchase');
  const stray = sql`insert into accounts (client_id, available, held, seq) values ('b', 0, 0, 0)`;
  await assert.rejects(stray.execute(db), /foreign key/i);
});

test('programs of the version before stop: they would refuse who has credit', () => {
  const credit = readMigrations().find(({ name }) => name.endsWith('-credit')) ?? assert.fail();
  assert.equal(oldestProgram(credit), credit.number);
});
