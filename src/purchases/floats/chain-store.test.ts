/** Tests chains of balances in the database: counted once, small, and verified. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Delivery } from './chain.ts';
import { addMoves, addToChains, type Chain, readChainAtOnce } from './chain-store.ts';
import { verifyFloats } from './verify.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const second = 1000;
const hour = 3600 * second;

const deliveryOf = (balance: number | null, cost: number, at: number): Delivery => ({
  client_id: 'a',
  purchase_id: `purchase at ${at}`,
  supplier_id: 7,
  cost,
  balance,
  at,
});

const add = (deliveries: readonly Delivery[]): Promise<void> =>
  database.db.transaction().execute((db) => addToChains(db, deliveries));

const chainAt = (now: number): Promise<Chain> => readChainAtOnce(database.db, 7, now);

const missingAt = async (now: number): Promise<readonly number[]> => {
  const chain = await chainAt(now);
  assert.equal(chain.kind, 'followed');
  return chain.gaps.map(({ missing }) => missing);
};

const endsKept = async (): Promise<number> =>
  (await database.db.selectFrom('chain_ends').selectAll().execute()).length;

describe('A chain of balances', () => {
  beforeEach(async () => {
    for (const table of ['chain_ends', 'chain_moves', 'chain_breaks'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });

  test('deliveries counted in any order and in any batches leave two ends', async () => {
    await add([deliveryOf(70, 10, 3)]);
    await add([deliveryOf(90, 10, 1), deliveryOf(60, 10, 4)]);
    assert.deepEqual(await missingAt(hour), [-10]);
    await add([deliveryOf(80, 10, 2)]);
    assert.deepEqual(await missingAt(hour), []);
    assert.equal(await endsKept(), 2);
  });

  test('a gap shows when what lies beside it is ten seconds old', async () => {
    await add([deliveryOf(90, 10, second), deliveryOf(70, 10, 2 * second)]);
    assert.deepEqual(await missingAt(12 * second), []);
    assert.deepEqual(await missingAt(12 * second + 1), [-10]);
  });

  test('a delivery without a balance, and an entry, explain gaps', async () => {
    await add([deliveryOf(90, 10, 1), deliveryOf(null, 10, 2), deliveryOf(70, 10, 3)]);
    await addMoves(database.db, [{ supplier_id: 7, amount: 500, moves: 1 }]);
    await add([deliveryOf(560, 10, 4)]);
    assert.deepEqual(await missingAt(hour), []);
  });

  test('a supplier that tells no balances has no chain, and nothing is kept of it', async () => {
    await add([deliveryOf(null, 10, 1), deliveryOf(null, 10, 2)]);
    assert.deepEqual(await chainAt(hour), { kind: 'none' });
    assert.deepEqual(await database.db.selectFrom('chain_moves').selectAll().execute(), []);
  });

  test('old gaps that are explained are joined, so that few ends are kept', async () => {
    let balance = 1_000_000;
    for (let round = 0; round < 400; round += 1) {
      const at = round * 100 * second;
      balance -= 20;
      await add([deliveryOf(null, 10, at), deliveryOf(balance, 10, at + 1)]);
    }
    assert.ok((await endsKept()) < 300, `${await endsKept()} ends`);
    assert.deepEqual(await missingAt(400 * hour), []);
    const moves = await database.db.selectFrom('chain_moves').selectAll().execute();
    assert.deepEqual(
      moves.map(({ amount, moves }) => [amount, moves < 200]),
      [[-10, true]],
    );
  });

  test('a chain that does not follow our costs is given up, and the next delivery begins another', async () => {
    for (let round = 0; round < 210; round += 1) {
      await add([deliveryOf(1_000_000 - round * 7, 10, round * second)]);
    }
    assert.ok((await endsKept()) < 60);
    assert.equal((await chainAt(hour)).kind, 'broken');
    await database.db.deleteFrom('chain_ends').execute();
    await add([deliveryOf(90, 10, 300 * second), deliveryOf(80, 10, 301 * second)]);
    assert.equal((await chainAt(hour)).kind, 'broken');
    assert.deepEqual(await missingAt(26 * hour), []);
  });

  test('a supplier that always tells the same balance costs no memory', async () => {
    await add(Array.from({ length: 3000 }, (_, index) => deliveryOf(1000, 10, index)));
    assert.equal((await chainAt(hour)).kind, 'broken');
  });

  test('verify finds an end that no delivery has, and one that is missing', async () => {
    await add([deliveryOf(90, 10, 1)]);
    await database.db.deleteFrom('chain_ends').where('deliveries', '=', 1).execute();
    assert.deepEqual(await verifyFloats(database.db), [
      { problem: 'an end of the chain of supplier 7 is missing' },
      { problem: 'no delivery of supplier 7 has the balance 100 of its chain' },
    ]);
  });
});
