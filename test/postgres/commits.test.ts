/** Tests on PostgreSQL what is committed where the commit is sent behind the last statement of a transaction. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { isNotCommitted } from '../../src/db/errors.ts';
import { openForServer } from '../../src/db/open.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/db/types.ts';
import { openAccount, writePostings } from '../../src/ledger/store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type BeginItem, beginAll } from '../../src/purchases/commit/begin.ts';
import { textFact } from '../../src/purchases/facts/facts.ts';
import { begin, type Note, type Open } from '../../src/purchases/purchase.ts';
import {
  findByIds,
  insertPurchases,
  notesToWrite,
  updatePurchases,
} from '../../src/purchases/store.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { purchaseRequestOf, termsOfWorld } from '../support/purchase-world.ts';

const commits = { commits: true } as const;
const silence: Note = { kind: 'order', fact: textFact('silence') };

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase();
  ({ db } = database);
  const row = { id: 'a', name: 'a', status: 'active', created_at: 0, test: 0 } as const;
  await db.insertInto('clients').values(row).execute();
  await openAccount(db, 'a');
  await writePostings(db, 'a', [{ kind: 'deposit', amount: 1_000_000 }], 0);
});
after(() => database.close());

const openOf = (id: string): Open =>
  begin(purchaseRequestOf({ clientId: 'a', id }), 1, { sendBefore: 2, quietAt: 3, dueAt: 1e15 })
    .after;

const noteOf = (of: Open) => [notesToWrite([{ of: { ...of, notes: 1 }, note: silence }], 5)];

const idsOf = async (...ids: readonly string[]): Promise<string[]> =>
  (
    await findByIds(
      db,
      ids.map((id) => ({ clientId: 'a', id })),
    )
  ).map(({ id }) => id);

test('all of the transaction is there when it is over', async () => {
  const one = openOf('whole');
  const before = openOf('before');
  const written = await inTransaction(db, async (db) => {
    await insertPurchases(db, [before]);
    return insertPurchases(db, [one], noteOf(one), commits);
  });
  assert.equal(written, true);
  assert.deepEqual((await idsOf('whole', 'before')).sort(), ['before', 'whole']);
});

test('where a key was taken nothing of the transaction is committed', async () => {
  const taken = openOf('taken');
  await insertPurchases(db, [taken]);
  const [earlier, free] = [openOf('earlier'), openOf('free')];
  const written: boolean[] = [];
  const none = new Error('for the test');
  const failing = inTransaction(db, async (db) => {
    await insertPurchases(db, [earlier]);
    written.push(
      await insertPurchases(db, [free, { ...taken, id: 'again' }], noteOf(free), commits),
    );
    throw none;
  });
  await assert.rejects(failing, (error) => error === none && isNotCommitted(error));
  assert.deepEqual(written, [false]);
  assert.deepEqual(await idsOf('earlier', 'free', 'again'), []);
});

test('where a purchase is no longer as it was seen nothing is committed, and the connection works on', async () => {
  const seen = openOf('seen');
  await insertPurchases(db, [seen]);
  const moved = { before: { ...seen, fence: seen.fence + 1 }, after: { ...seen, notes: 1 } };
  for (let turn = 0; turn < 20; turn += 1) {
    const written = inTransaction(db, async (db) => {
      if (await updatePurchases(db, [moved], noteOf(seen), commits)) return;
      throw new Error('not as seen');
    });
    await assert.rejects(written, /not as seen/);
  }
  assert.deepEqual((await findByIds(db, [{ clientId: 'a', id: 'seen' }]))[0]?.notes, 0);
});

test('an error of the server proves that nothing was committed', async () => {
  const stranger = begin(purchaseRequestOf({ clientId: 'unknown', id: 'stranger' }), 1, {
    sendBefore: 2,
    quietAt: 3,
    dueAt: 1e15,
  }).after;
  const failing = inTransaction(db, (db) =>
    insertPurchases(db, [stranger], noteOf(stranger), commits),
  );
  await assert.rejects(
    failing,
    (error: Error) => /foreign key/.test(error.message) && isNotCommitted(error),
  );
});

for (const [fate, done] of [
  ['is lost', 0],
  ['loses its answer', 1],
] as const) {
  test(`where the connection breaks and what was sent ${fate}, nothing is proved, and the next attempt finds out`, async () => {
    const url = new URL(database.env.DATABASE_URL ?? assert.fail('not on PostgreSQL'));
    const proxy = await startDatabaseProxy(Number(url.port));
    url.port = String(proxy.port);
    const behind = await openForServer(readConfig({ DATABASE_URL: url.href }), systemClock);
    cleanUpAfterTest(behind.close);
    const deps = { db: behind.db, databaseTime: async () => 1_000_000, clock: systemClock };
    const id = `found if it ${fate}`;
    const item: BeginItem = {
      requested: purchaseRequestOf({ clientId: 'a', id }),
      decision: { kind: 'order', terms: termsOfWorld },
    };
    let struck = false;
    proxy.decide((sent) => {
      if (struck || !sent.includes('insert into purchases')) return 'passes';
      struck = true;
      return fate;
    });
    await assert.rejects(beginAll(deps, [item]), (error) => !isNotCommitted(error));
    assert.ok(struck);
    assert.equal((await idsOf(id)).length, done);
    const [again] = await beginAll(deps, [{ ...item, mayBeWritten: true }]);
    assert.equal(again?.ours, true);
    assert.deepEqual(await idsOf(id), [id]);
  });
}
