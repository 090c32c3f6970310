/** Tests a database of the version before price lists: what it sold was charged its price, and still is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../test/support/old-database.ts';
import { createWorld, price, requestOf } from '../../test/support/purchase-world.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { readMigrations } from '../db/migrate/migrations.ts';
import type { Db } from '../db/types.ts';
import { systemClock } from '../lib/clock.ts';
import { createLivePrices } from '../pricing/live.ts';
import { defaultListId } from '../pricing/price-list.ts';
import { readListId, readLists } from '../pricing/store.ts';
import { createBuying } from '../purchases/buy.ts';
import { fingerprintOf } from '../purchases/request/fingerprint.ts';
import { createPricing } from './pricing.ts';

const all = readMigrations();
const first = all.find(({ name }) => name.endsWith('price-lists'))?.number ?? 0;

/** A database of the version before, with a purchase whose outcome is not known, and one that was sold. */
const oldDatabase = async (): Promise<Db> => {
  const db = await emptyDatabase();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < first) });
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
    await sql`insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
        operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
        began_at, send_before, quiet_at, due_at, settled_at, answer_status, answer_body, supplier_id)
      values ('a', ${id}, ${key}, ${fingerprintOf(fields)}, ${state}, 1, 1, ${fields.mobile}, ${price},
        'code', 'request', 1, 1, 0, 0, 0, 0, 0, ${due}, ${status === null ? null : 9}, ${status},
        ${body}, 1)`.execute(db);
    const postings = kinds.map((kind) => ({ kind, amount: price, purchaseId: id }));
    await postInOld(db, 'a', postings, 0);
  }
  return db;
};

test('after the upgrade every client is in the default list without entries, and pays its prices', async () => {
  const db = await oldDatabase();
  await migrate(db, systemClock, { known: all });
  const world = await createWorld({}, { db, close: async () => {} });
  assert.deepEqual(await world.problems(), []);
  const [list, ...others] = await readLists(db);
  assert.deepEqual(
    [list?.id, list?.parentId, list?.versions, others],
    [defaultListId, null, [], []],
  );
  assert.equal(await readListId(db, 'a'), defaultListId);

  const sold = await world.find('a', 'sold');
  assert.deepEqual([sold?.price, sold?.charged], [price, price]);
  world.say({ status: async () => ({ kind: 'done', ref: 'receipt' }) });
  await world.recovery.claim();
  await world.recovery.whenIdle();
  assert.equal((await world.find('a', 'open'))?.state, 'succeeded');
  assert.deepEqual(await world.accountOf('a'), { available: 8 * price, held: 0 });

  const prices = createLivePrices(db);
  await prices.reload();
  const buying = createBuying({ ...world.deps, pricing: createPricing(prices) });
  await buying.buy(requestOf('a', 'new'));
  assert.deepEqual(await world.accountOf('a'), { available: 7 * price, held: 0 });
  assert.deepEqual(await world.problems(), []);
});
