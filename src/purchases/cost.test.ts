/** Tests what purchases cost at their suppliers: the winner's cost, and what is learnt of it later. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestOf } from '../../test/support/purchase-world.ts';
import {
  costAt,
  done,
  outOfStock,
  recoverUntilIdle,
  reportOnce,
  type Shop,
  shopWith,
  silence,
} from '../../test/support/supplier-shop.ts';
import { readLearntCosts } from './cost-store.ts';
import { readPostings } from './inquiry/store.ts';
import { resolve } from './review/resolve.ts';

/** The postings with a cost, and what was learnt besides, each as "kind supplier cost". */
const costsOf = async (shop: Shop): Promise<string[]> => {
  const purchase = await shop.current();
  const postings = await readPostings(shop.deps.db, purchase);
  const learnt = await readLearntCosts(shop.deps.db, purchase);
  return [...postings, ...learnt]
    .filter(({ supplier_id: supplier }) => supplier !== null)
    .map(({ kind, supplier_id: supplier, cost }) => `${kind} ${supplier} ${cost}`);
};

/** What each supplier has taken in all. */
const takenBy = async (shop: Shop): Promise<Record<string, number>> => {
  const taken: Record<string, number> = {};
  for (const line of await costsOf(shop)) {
    const [, supplier = '', cost] = line.split(' ');
    taken[supplier] = (taken[supplier] ?? 0) + Number(cost);
  }
  return taken;
};

test('a capture has the cost of the supplier that delivered, not of the one before', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  assert.deepEqual(await costsOf(shop), [`capture 2 ${costAt(2)}`]);
  const { cost, toldCost, leftCosts } = await shop.current();
  assert.deepEqual([cost, toldCost, [...leftCosts]], [costAt(2), null, [[1, costAt(1)]]]);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a reversal takes the cost back', async () => {
  const shop = await shopWith([done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await reportOnce(shop, 1, 'reversed');
  assert.deepEqual(await costsOf(shop), [`capture 1 ${costAt(1)}`, `reverse 1 ${-costAt(1)}`]);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('what the supplier says counts more than the rule, and both are kept', async () => {
  const shop = await shopWith([{ ...done, cost: 8500 }]);
  await shop.buying.buy(requestOf('a', 'key'));
  const { cost, toldCost } = await shop.current();
  assert.deepEqual([cost, toldCost], [costAt(1), 8500]);
  await reportOnce(shop, 1, 'reversed');
  assert.deepEqual(await costsOf(shop), ['capture 1 8500', 'reverse 1 -8500']);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('an inquiry tells the cost as well', async () => {
  const shop = await shopWith([silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  shop.says.set(1, { buy: silence, status: { ...done, cost: 0 } });
  for (let round = 0; round < 3; round += 1) await recoverUntilIdle(shop, 3000);
  assert.deepEqual(await costsOf(shop), ['capture 1 0']);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a failure costs nothing', async () => {
  const shop = await shopWith([outOfStock]);
  await shop.buying.buy(requestOf('a', 'key'));
  assert.deepEqual(await costsOf(shop), []);
  await shop.end();
});

const lateAnswer = (shop: Shop, cost: number) =>
  shop.current().then((purchase) =>
    shop.deps.transact.advance({
      name: purchase,
      fence: 'any',
      move: {
        kind: 'callback',
        supplierId: 1,
        outcome: { ...done, cost },
        seenNotes: purchase.notes,
      },
    }),
  );

test('a cost that the supplier says later changes the books of the supplier once', async () => {
  const shop = await shopWith([done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await lateAnswer(shop, 9500);
  await lateAnswer(shop, 9900);
  assert.deepEqual(await costsOf(shop), [`capture 1 ${costAt(1)}`, `told 1 ${9500 - costAt(1)}`]);
  assert.deepEqual(await shop.problems(), []);
  await reportOnce(shop, 1, 'reversed');
  assert.deepEqual(await takenBy(shop), { 1: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a supplier that was left takes its cost if it delivered all the same, until it reverses it', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await reportOnce(shop, 1, 'delivered');
  assert.deepEqual(await takenBy(shop), { 1: costAt(1), 2: costAt(2) });
  assert.deepEqual(await shop.problems(), []);
  await reportOnce(shop, 1, 'reversed');
  assert.deepEqual(await takenBy(shop), { 1: 0, 2: costAt(2) });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a sale that passes to a supplier that was left costs what that one takes', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  await reportOnce(shop, 1, 'delivered');
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  assert.equal((await shop.current()).supplierId, 1);
  assert.deepEqual(await costsOf(shop), [
    `capture 1 ${costAt(1)}`,
    `delivered 1 ${costAt(1)}`,
    `captured 1 ${-costAt(1)}`,
  ]);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a delivery that two suppliers made and reversed costs nothing', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await reportOnce(shop, 1, 'delivered');
  await reportOnce(shop, 2, 'reversed');
  assert.deepEqual(await takenBy(shop), { 1: costAt(1), 2: 0 });
  await reportOnce(shop, 1, 'reversed');
  assert.deepEqual(await takenBy(shop), { 1: 0, 2: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a delivery of what failed costs its price at the supplier, unless a person finds that there was none', async () => {
  for (const [verdict, taken] of [
    ['succeeded', costAt(1)],
    ['failed', 0],
  ] as const) {
    const shop = await shopWith([outOfStock]);
    await shop.buying.buy(requestOf('a', 'key'));
    await reportOnce(shop, 1, 'delivered');
    assert.deepEqual(await takenBy(shop), { 1: costAt(1) });
    const { id, fence, notes } = await shop.current();
    const deps = {
      ...shop.deps,
      ask: async () => ({ kind: 'asked', outcome: silence, quiet: true }) as const,
    };
    const version = `${fence}-${notes}`;
    await resolve(deps, id, { verdict, reason: 'asked', actor: 'cli:test', force: true, version });
    assert.deepEqual(await takenBy(shop), { 1: taken });
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  }
});
