/** Tests what our books say of a supplier's float: to the unit, whenever sales were counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { testEngine } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { requestOf } from '../../../test/support/purchase-world.ts';
import {
  costAt,
  done,
  outOfStock,
  recoverUntilIdle,
  reportOnce,
  type Shop,
  shopWith,
  silence,
} from '../../../test/support/supplier-shop.ts';
import { countRound } from '../sales/count.ts';
import { askBalances } from './ask.ts';
import { createFloats } from './live.ts';
import { insertEntry, listEntries, readBalances, readBooks, readBooksAtOnce } from './store.ts';
import { verifyFloats } from './verify.ts';

const topUp = (shop: Shop, supplier_id: number, amount: number) =>
  shop.deps.db.transaction().execute((db) =>
    insertEntry(db, {
      supplier_id,
      kind: amount > 0 ? 'top_up' : 'correction',
      amount,
      reference: '',
      reason: 'test',
      author: 'test',
      at: 1,
    }),
  );

const count = (shop: Shop) =>
  countRound({
    db: shop.deps.db,
    clock: manualClock(),
    retryLocked: (work) => work(),
    log: { error: () => {} },
    timeZone: async () => 'UTC',
  });

const booksOf = async (shop: Shop, supplier: number) => {
  const books = (await readBooks(shop.deps.db, shop.clock.now())).get(supplier);
  return books && [books.entries, books.captured, books.learnt, books.inFlight];
};

test('costs are in the books while they are counted', async () => {
  const shop = await shopWith([outOfStock, done]);
  await topUp(shop, 2, 50_000);
  await shop.buying.buy(requestOf('a', 'key'));
  let counted: Promise<unknown> | undefined;
  let read = 0;
  // The job counts, or waits to, once the sums of what was counted are read.
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read += 1;
      if (read < 2) return result;
      counted ??= count(shop);
      if (testEngine === 'postgres') await counted;
      return result;
    },
  };
  const { deps, clock } = shop;
  const books = await readBooksAtOnce(deps.db.withPlugin(counting), clock.now());
  assert.equal(books.get(2)?.captured, costAt(2));
  await counted;
  assert.equal((await readBooksAtOnce(deps.db, clock.now())).get(2)?.captured, costAt(2));
  await shop.end();
});

test('costs are in the books before and after they are counted, once', async () => {
  const shop = await shopWith([outOfStock, done]);
  await topUp(shop, 2, 50_000);
  await topUp(shop, 2, -1000);
  await shop.buying.buy(requestOf('a', 'key'));
  const expected = [49_000, costAt(2), 0, 0];
  assert.deepEqual(await booksOf(shop, 2), expected);
  for (let round = 0; round < 2; round += 1) {
    await count(shop);
    assert.deepEqual(await booksOf(shop, 2), expected);
  }
  assert.equal(await booksOf(shop, 1), undefined, 'nothing of the one that was left');
  await reportOnce(shop, 2, 'reversed');
  assert.deepEqual(await booksOf(shop, 2), [49_000, 0, 0, 0]);
  await count(shop);
  assert.deepEqual(await booksOf(shop, 2), [49_000, 0, 0, 0]);
  assert.deepEqual(await verifyFloats(shop.deps.db), []);
  const page = { before: 3, limit: 5 };
  const entries = await listEntries(shop.deps.db, 2, page);
  assert.deepEqual(
    entries.map(({ number, amount }) => [number, amount]),
    [
      [2, -1000],
      [1, 50_000],
    ],
  );
  await shop.end();
});

test('an order in flight is held at one supplier only, also after it moved on', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 500);
  assert.equal(await booksOf(shop, 1), undefined);
  assert.deepEqual(await booksOf(shop, 2), [null, 0, 0, costAt(2)]);
  await reportOnce(shop, 1, 'delivered');
  assert.deepEqual(await booksOf(shop, 1), [null, 0, costAt(1), 0]);
  await shop.end();
});

test('a supplier without float is passed over until it is topped up', async () => {
  const shop = await shopWith([done]);
  const floats = createFloats(shop.deps.db, shop.deps.databaseTime);
  await floats.refresh();
  assert.ok(floats.covers(1, 5), 'not watched');
  await topUp(shop, 1, costAt(1));
  await floats.refresh();
  assert.ok(floats.covers(1, costAt(1)));
  await shop.buying.buy(requestOf('a', 'key'));
  await floats.refresh();
  assert.deepEqual([floats.covers(1, 1), floats.of(1)?.free], [false, 0]);
  await topUp(shop, 1, 5);
  await floats.refresh();
  assert.deepEqual([floats.covers(1, 5), floats.covers(1, 6)], [true, false]);
  await shop.end();
});

test('a supplier is asked for its balance by one instance, and the difference is drift', async () => {
  const shop = await shopWith([done]);
  await topUp(shop, 1, 20_000);
  await shop.buying.buy(requestOf('a', 'key'));
  let asked = 0;
  const [supplier] = shop.deps.registry.all;
  Object.assign(supplier ?? {}, {
    connection: {
      ...supplier?.connection,
      balance: async () => {
        asked += 1;
        return { kind: 'balance', amount: 20_000 - costAt(1) - 7 };
      },
    },
  });
  await askBalances(shop.deps);
  await askBalances(shop.deps);
  assert.equal(asked, 1);
  const told = (await readBalances(shop.deps.db)).get(1);
  assert.deepEqual([told?.balance, told?.drift], [20_000 - costAt(1) - 7, -7]);
  await shop.clock.advance(60_000);
  await askBalances(shop.deps);
  assert.equal(asked, 2);
  await shop.end();
});

test('verification finds costs that were counted twice, or not at all', async () => {
  const shop = await shopWith([done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await count(shop);
  const { db } = shop.deps;
  assert.deepEqual(await verifyFloats(db), []);
  await db.updateTable('supplier_costs').set({ cost: 5 }).where('hour', '=', 0).execute();
  assert.deepEqual(
    (await verifyFloats(db)).map(({ problem }) => problem),
    [
      `supplier 1 took ${costAt(1)} by its postings, not 5`,
      `the hours of supplier 1 add up to ${costAt(1)}, not 5`,
    ],
  );
  await shop.end();
});
