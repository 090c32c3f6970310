/** Tests a database of the version before costs: what it sold costs an unknown amount, not zero. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../test/support/old-database.ts';
import { createWorld, price, requestOf } from '../../test/support/purchase-world.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { oldestProgram, readMigrations } from '../db/migrate/migrations.ts';
import type { Db } from '../db/types.ts';
import { systemClock } from '../lib/clock.ts';
import { readChainAtOnce } from './floats/chain-store.ts';
import { createFloats } from './floats/live.ts';
import { verifyFloats } from './floats/verify.ts';
import { readPostings } from './inquiry/store.ts';
import { fingerprintOf } from './request/fingerprint.ts';

const all = readMigrations();
const cost = all.find(({ name }) => name.endsWith('-cost')) ?? assert.fail();

/** A database of the version before, with a purchase that is open at its second supplier, and one that is sold. */
const oldDatabase = async (): Promise<Db> => {
  const db = await emptyDatabase();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < cost.number) });
  await sql`insert into clients (id, name, status, created_at) values ('a', 'a', 'active', 0)`.execute(
    db,
  );
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 10 * price }], 0);
  const old = [
    { id: 'open', state: 'unknown', due: 0, status: null, body: null, kinds: ['hold'] },
    {
      id: 'sold',
      state: 'succeeded',
      due: null,
      status: 200,
      body: '{}',
      kinds: ['hold', 'capture'],
    },
  ] as const;
  for (const { id, state, due, status, body, kinds } of old) {
    const { key, fields } = requestOf('a', id);
    const left = id === 'open' ? '[2]' : null;
    await sql`insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
        operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
        began_at, send_before, quiet_at, due_at, settled_at, answer_status, answer_body, supplier_id,
        route_id, left_suppliers)
      values ('a', ${id}, ${key}, ${fingerprintOf(fields)}, ${state}, 1, 1, ${fields.mobile}, ${price},
        'code', 'request', 1, 1, 0, 0, 0, 0, 0, ${due}, ${status === null ? null : 9}, ${status},
        ${body}, 1, 3, ${left})`.execute(db);
    if (left !== null) {
      await sql`insert into attempts (client_id, purchase_id, seq, supplier_id, reference, proof, code,
          fact_values, left_at)
        values ('a', ${id}, 1, 2, ${id}, 'refused', 'text', '{}', 0)`.execute(db);
    }
    const postings = kinds.map((kind) => ({ kind, amount: price, purchaseId: id }));
    await postInOld(db, 'a', postings, 0);
  }
  return db;
};

test('after the upgrade what was sold before costs an unknown amount, also when it is reversed', async () => {
  const db = await oldDatabase();
  await migrate(db, systemClock, { known: all });
  const world = await createWorld({}, { db, close: async () => {} });
  assert.deepEqual(await world.problems(), []);
  world.say({
    status: async () => ({ kind: 'done', ref: 'receipt' }),
    reports: async () => ({
      kind: 'reports',
      reports: [{ ref: 'sold', at: 1, kind: 'reversed' }],
      cursor: '1',
    }),
  });
  await world.recovery.readReports();
  await world.recovery.claim();
  await world.recovery.whenIdle();
  assert.equal((await world.find('a', 'open'))?.state, 'succeeded');
  const costsOf = async (id: string) =>
    (await readPostings(db, { clientId: 'a', id })).map((row) => [
      row.kind,
      row.supplier_id,
      row.cost,
    ]);
  assert.deepEqual(await costsOf('sold'), [
    ['hold', null, null],
    ['capture', null, null],
    ['reverse', 1, null],
  ]);
  assert.deepEqual(await costsOf('open'), [
    ['hold', null, null],
    ['capture', 1, null],
  ]);
  assert.deepEqual(await world.problems(), []);
  const floats = createFloats(db, world.deps.databaseTime);
  await floats.refresh();
  assert.ok(floats.covers(1, price), 'no float is watched, and so every supplier gets orders');
  assert.deepEqual(await verifyFloats(db), []);
  assert.deepEqual(await readChainAtOnce(db, 1, 1), { kind: 'none' });
});

test('programs of the version before stop: they would keep the cost of a supplier that was left', () => {
  assert.equal(oldestProgram(cost), cost.number);
});
