/** Tests how a purchase goes from supplier to supplier: only by proof, and only by the fault of one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createWorld,
  price,
  requestOf,
  termsOfWorld,
  type World,
} from '../../test/support/purchase-world.ts';
import {
  barred,
  counts,
  done,
  outOfStock,
  recoverUntilIdle,
  reportOnce,
  type Shop,
  shopWith,
  silence,
} from '../../test/support/supplier-shop.ts';
import type { Connection, OrderOutcome } from '../connector/connector.ts';
import { bumpVersion } from '../db/changes/versions.ts';
import { createBuying } from './buy.ts';
import type { PurchaseDeps } from './deps.ts';
import { errorFact } from './facts/facts.ts';
import { recordLeftDelivery, recordLeftReversal } from './left/delivered.ts';
import { closeBroken, createPromises } from './left/promises.ts';
import { readAttempts } from './left/store.ts';
import { createRecovery, keepRecovering } from './recover.ts';
import { findRestore, insertRestore, openRestore } from './restored/store.ts';
import { resolve } from './review/resolve.ts';
import { stepAfterReport } from './settle.ts';

const noReports = (cursor: string) => ({ kind: 'reports', reports: [], cursor }) as const;

const attemptsOf = (shop: Shop) =>
  shop.deps.db
    .selectFrom('attempts')
    .select(['seq', 'supplier_id', 'route_id', 'supplier_code', 'reference', 'proof', 'ask_at'])
    .orderBy('seq')
    .execute();

test('a supplier without stock is followed by the next, and the client is charged once', async () => {
  const shop = await shopWith([outOfStock, done]);
  const result = await shop.buying.buy(requestOf('a', 'key'));
  assert.equal(result.kind === 'answer' && result.answer.status, 200);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, sold.left], ['succeeded', 2, [1]]);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(counts(shop), [1, 1]);
  const [order] = shop.got.get(2) ?? [];
  assert.deepEqual([order?.ref, order?.supplierCode], [sold.id, 'code 2']);
  assert.deepEqual(await attemptsOf(shop), [
    {
      seq: 1,
      supplier_id: 1,
      route_id: 10,
      supplier_code: 'code 1',
      reference: sold.id,
      proof: 'refused',
      ask_at: null,
    },
  ]);
  const left = await readAttempts(shop.deps.db, sold);
  assert.deepEqual(
    left.map(({ supplier_id, proof }) => [supplier_id, proof]),
    [[1, 'refused']],
  );
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('the end of an attempt says how its route is, except where the subscriber is at fault', async () => {
  const shop = await shopWith([outOfStock, silence, done]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  assert.deepEqual(shop.ends, ['1 10 failed'], 'neither silence nor an early "no such order"');
  for (let round = 0; round < 8; round += 1) await recoverUntilIdle(shop, 3000);
  assert.deepEqual(shop.ends, ['1 10 failed', '2 20 failed', '3 30 delivered']);
  await shop.end();
  const barring = await shopWith([barred, done]);
  await barring.buying.buy(requestOf('a', 'key'));
  assert.deepEqual(barring.ends, []);
  await barring.end();
});

test('of the routes that were passed over, thirty are stored at most', async () => {
  const shop = await shopWith([done]);
  const routing = shop.deps.routing ?? assert.fail('no routing');
  const passedOver = Array.from({ length: 40 }, (_, route) => ({
    route,
    supplier: 9,
    code: 'off',
  }));
  const choose: typeof routing.choose = (wanted) => ({ ...routing.choose(wanted), passedOver });
  await createBuying({ ...shop.deps, routing: { ...routing, choose } }).buy(requestOf('a', 'key'));
  const stored: unknown = JSON.parse((await shop.current()).passedOver ?? '');
  assert.deepEqual(stored, passedOver.slice(0, 30));
  await shop.end();
});

test('a purchase that succeeds at once writes no attempt', async () => {
  const shop = await shopWith([done, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  assert.deepEqual([counts(shop), await attemptsOf(shop)], [[1, 0], []]);
  await shop.end();
});

for (const blame of ['subscriber', 'request'] as const) {
  test(`the fault of the ${blame} ends the purchase at once`, async () => {
    const shop = await shopWith([{ ...barred, blame }, done]);
    await shop.buying.buy(requestOf('a', 'key'));
    const failed = await shop.current();
    assert.deepEqual([failed.state, failed.supplierId], ['failed', 1]);
    assert.deepEqual(counts(shop), [1, 0]);
    assert.deepEqual(await shop.accountOf('a'), { available: 10 * price, held: 0 });
    await shop.end();
  });
}

test('a purchase moves on under a new fence: the old one can no longer move it', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 500);
  const open = await shop.current();
  assert.deepEqual([open.supplierId, open.fence], [2, 2]);
  const context = {
    terms: termsOfWorld,
    chance: 0,
    refusal: { code: 'OPERATOR_DECLINED' },
  } as const;
  const { moved } = await shop.deps.transact.advance({
    name: open,
    fence: 1,
    move: { kind: 'order', outcome: outOfStock, context },
  });
  assert.deepEqual([moved, (await shop.current()).state], [false, 'unknown']);
  await shop.end();
});

test('a deduplicating supplier that knows no such order is left for another before it is ordered from again', async () => {
  const shop = await shopWith([silence, done]);
  for (const { connection } of shop.deps.registry.all) {
    Object.assign(connection, { deduplicates: true });
  }
  void shop.buying.buy(requestOf('a', 'key'));
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, counts(shop)], ['succeeded', 2, [1, 1]]);
  await shop.end();
});

test('a supplier that was left on "no such order" is asked once more an hour later', async () => {
  const shop = await shopWith([silence, done]);
  void shop.buying.buy(requestOf('a', 'key'));
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  shop.says.set(1, { buy: silence, status: done });
  await shop.recovery.askAboutLeft();
  assert.equal((await shop.current()).disputed, null, 'not yet');
  await shop.clock.advance(3_600_000);
  await shop.recovery.askAboutLeft();
  const disputed = await shop.current();
  assert.deepEqual([disputed.state, disputed.disputed?.code], ['succeeded', 'left_delivered']);
  const promises = createPromises(shop.deps.db);
  await promises.refresh();
  assert.equal(promises.brokenBy(1), 1);
  assert.equal((await attemptsOf(shop))[0]?.ask_at, null, 'and not again');
  await shop.end();
});

test('after three suppliers the last refusal is recorded', async () => {
  const shop = await shopWith([outOfStock, outOfStock, barred, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  const failed = await shop.current();
  assert.deepEqual([failed.state, failed.left], ['failed', [1, 2]]);
  assert.deepEqual(counts(shop), [1, 1, 1, 0]);
  assert.deepEqual(failed.reason?.code === 'error' && failed.reason.values.reason, 'barred');
  await shop.end();
});

test('silence is no reason: the next supplier waits for proof', async () => {
  const shop = await shopWith([silence, done]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  assert.deepEqual([(await shop.current()).state, counts(shop)], ['unknown', [1, 0]]);
  // Only after the quiet time "no such order" is proof.
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, counts(shop)], ['succeeded', 2, [1, 1]]);
  const [left] = await attemptsOf(shop);
  assert.equal(left?.proof, 'not_found');
  assert.ok((left?.ask_at ?? 0) > shop.clock.now(), 'it is asked about once more');
  await shop.end();
});

test('a purchase that began too long ago goes to no further supplier', async () => {
  const shop = await shopWith([silence, done], { giveUpAfterMs: 5000 });
  void shop.buying.buy(requestOf('a', 'key'));
  for (let round = 0; round < 8; round += 1) await recoverUntilIdle(shop, 3000);
  assert.deepEqual([(await shop.current()).state, counts(shop)], ['failed', [1, 0]]);
  await shop.end();
});

test('a delivery by a supplier that was left is found, and settles nothing', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  const open = await shop.current();
  assert.deepEqual([open.supplierId, open.state], [2, 'unknown']);
  assert.ok(await recordLeftDelivery(shop.deps, open, 1));
  const disputed = await shop.current();
  assert.deepEqual([disputed.state, disputed.disputed?.code], ['unknown', 'left_delivered']);
  // The current one proves that it has none: the purchase succeeds on the earlier one.
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, sold.left], ['succeeded', 1, [2]]);
  assert.equal(sold.disputed, null);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('what a supplier that was left has delivered and reversed is not charged', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  const open = await shop.current();
  assert.ok(!(await recordLeftReversal(shop.deps, open, 1)), 'nothing was delivered yet');
  assert.ok(await recordLeftDelivery(shop.deps, open, 1));
  assert.ok(await recordLeftReversal(shop.deps, open, 1));
  assert.ok(!(await recordLeftReversal(shop.deps, open, 1)), 'it is reversed once');
  assert.ok(!(await recordLeftDelivery(shop.deps, await shop.current(), 1)), 'it is no news');
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const ended = await shop.current();
  assert.deepEqual([ended.state, ended.disputed?.code], ['failed', 'left_reversed']);
  assert.deepEqual(await shop.accountOf('a'), { available: 10 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a reversal refunds nothing that a supplier that was left has delivered', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await reportOnce(shop, 1, 'delivered');
  await reportOnce(shop, 2, 'reversed');
  const sold = await shop.current();
  assert.deepEqual(
    [sold.state, sold.supplierId, sold.left, sold.disputed],
    ['succeeded', 1, [2], null],
  );
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  await reportOnce(shop, 2, 'delivered');
  assert.equal((await shop.current()).disputed, null, 'it is the delivery that was reversed');
  assert.deepEqual(await shop.problems(), []);
  await reportOnce(shop, 1, 'reversed');
  assert.equal((await shop.current()).state, 'reversed');
  assert.deepEqual(await shop.accountOf('a'), { available: 10 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a delivery that is reversed leaves that of another supplier that was left', async () => {
  const shop = await shopWith([outOfStock, outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  for (const supplier of [1, 2]) await reportOnce(shop, supplier, 'delivered');
  await reportOnce(shop, 1, 'reversed');
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, sold.left], ['succeeded', 2, [1, 3]]);
  assert.equal(sold.disputed, null);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  const promises = createPromises(shop.deps.db);
  await promises.refresh();
  assert.deepEqual([promises.brokenBy(1), promises.brokenBy(2)], [1, 1]);
  await shop.end();
});

test('what two suppliers that were left delivered stays disputed after it is sold by one', async () => {
  const shop = await shopWith([outOfStock, outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  for (const supplier of [1, 2]) await reportOnce(shop, supplier, 'delivered');
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, sold.left], ['succeeded', 1, [2, 3]]);
  assert.deepEqual(sold.disputed, { code: 'left_delivered', values: { supplier: 2 } });
  await reportOnce(shop, 1, 'reversed');
  const stays = await shop.current();
  assert.deepEqual([stays.state, stays.supplierId, stays.disputed], ['succeeded', 2, null]);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a delivery of what was reversed is disputed, and a person closes it', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  await reportOnce(shop, 2, 'reversed');
  await reportOnce(shop, 1, 'delivered');
  const disputed = await shop.current();
  assert.deepEqual([disputed.state, disputed.disputed?.code], ['reversed', 'left_delivered']);
  const deps = {
    ...shop.deps,
    ask: async () => ({ kind: 'asked', outcome: done, quiet: true }) as const,
  };
  const decided = { reason: 'charged by hand', actor: 'cli:test', force: false } as const;
  const { money } = await resolve(deps, disputed.id, { ...decided, verdict: 'succeeded' });
  assert.equal(money.code, 'unchanged');
  const closed = await shop.current();
  assert.deepEqual([closed.state, closed.disputed], ['reversed', null]);
  assert.deepEqual(await shop.accountOf('a'), { available: 10 * price, held: 0 });
  await shop.end();
});

test('what one supplier reports says nothing about an order at another', async () => {
  const shop = await shopWith([outOfStock, silence]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  const { id } = await shop.current();
  const [first] = shop.deps.registry.all;
  const reports = [{ ref: id, kind: 'reversed', at: shop.clock.now() }] as const;
  const connection = {
    ...first?.connection,
    reports: async () => ({ kind: 'reports', reports, cursor: '1' }),
  };
  Object.assign(first ?? {}, { connection });
  await shop.recovery.readReports();
  assert.deepEqual(
    [(await shop.current()).state, (await shop.accountOf('a')).held],
    ['unknown', price],
  );
  await shop.end();
});

test('no purchase moves on from a supplier that delivered what it had denied, until it is trusted', async () => {
  const shop = await shopWith([outOfStock, done]);
  const promises = createPromises(shop.deps.db);
  const deps = { ...shop.deps, promises };
  const buying = createBuying(deps);
  await buying.buy(requestOf('a', 'key'));
  const sold = await shop.current();
  for (let time = 0; time < 2; time += 1) await recordLeftDelivery(deps, sold, 1);
  await promises.refresh();
  assert.deepEqual([promises.brokenBy(1), promises.brokenBy(2)], [1, 0]);
  await buying.buy(requestOf('a', 'second'));
  const failed = (await shop.find('a', 'second')) ?? assert.fail('no purchase');
  assert.deepEqual([failed.state, failed.left, counts(shop)], ['failed', [], [2, 1]]);
  assert.equal(await closeBroken(deps.db, 1, 1), 1);
  await promises.refresh();
  await buying.buy(requestOf('a', 'third'));
  assert.deepEqual(counts(shop), [3, 2]);
  await shop.end();
});

test('a delivery after a refusal breaks a promise; one that a person denied does not', async () => {
  const shop = await shopWith([outOfStock]);
  await shop.buying.buy(requestOf('a', 'key'));
  const failed = await shop.current();
  const report = { ref: failed.id, kind: 'delivered', at: 1 } as const;
  const step = stepAfterReport(report, 1, failed.notes);
  assert.equal(step(failed, 1)?.brokenBy, 1);
  const decided = { ...failed, reason: errorFact('NOT_DELIVERED') };
  const after = step(decided, 1);
  assert.equal(after?.after.disputed?.code, 'reported_delivered');
  assert.equal(after?.brokenBy, undefined);
  await shop.end();
});

/** A shop whose routes change in the database, and in memory only when they are renewed. */
const changingShop = async (answers: readonly OrderOutcome[]) => {
  const shop = await shopWith(answers);
  const routing = shop.deps.routing ?? assert.fail('no routing');
  const known = { version: '', without: [] as readonly number[] };
  const deps: PurchaseDeps = {
    ...shop.deps,
    routing: {
      ...routing,
      choose: (wanted) => ({
        ...routing.choose({ ...wanted, left: [...wanted.left, ...known.without] }),
        version: known.version,
      }),
      renew: async (outdated) => {
        if (known.version === outdated) Object.assign(known, renewed);
      },
    },
  };
  const renewed = { version: '', without: [] as readonly number[] };
  return {
    ...shop,
    buying: createBuying(deps),
    /** From now on a supplier has no route any more. */
    closeRoutesTo: async (supplierId: number): Promise<void> => {
      await bumpVersion(shop.deps.db, 'routes', () => 'second');
      Object.assign(renewed, { version: 'second', without: [supplierId] });
    },
    changeForGood: () => bumpVersion(shop.deps.db, 'routes', () => 'never read'),
  };
};

test('a purchase that outdated routes have routed does not begin: it is routed again', async () => {
  const shop = await changingShop([done, done]);
  await shop.closeRoutesTo(1);
  const result = await shop.buying.buy(requestOf('a', 'key'));
  assert.equal(result.kind === 'answer' && result.answer.status, 200);
  assert.deepEqual([(await shop.current()).supplierId, counts(shop)], [2, [0, 1]]);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  await shop.end();
});

test('a purchase moves on by the routes in force', async () => {
  const shop = await changingShop([outOfStock, done, done]);
  const [first] = shop.deps.registry.all;
  const connection: Partial<Connection> = {
    ...first?.connection,
    buy: async () => {
      await shop.closeRoutesTo(2);
      return outOfStock;
    },
  };
  Object.assign(first ?? {}, { connection });
  await shop.buying.buy(requestOf('a', 'key'));
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId, sold.left], ['succeeded', 3, [1]]);
  assert.deepEqual(counts(shop), [0, 0, 1]);
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('while the routes keep changing nothing begins, and the same key may be sent again', async () => {
  const shop = await changingShop([done]);
  await shop.changeForGood();
  await assert.rejects(shop.buying.buy(requestOf('a', 'key')), { code: 'OVERLOADED' });
  assert.equal(await shop.find('a', 'key'), undefined);
  assert.deepEqual([counts(shop), (await shop.accountOf('a')).held], [[0], 0]);
  await shop.end();
});

/** A supplier that declares deduplication, and has got an order twice. */
const orderedAgain = async (): Promise<World> => {
  const world = await createWorld({ settlesWithin: 3000, deduplicates: true });
  await world.client('a');
  world.say({ buy: async () => silence });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(100);
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(20_000);
  void stop();
  await world.recovery.whenIdle();
  assert.equal(world.orders.length, 2);
  return world;
};

/** Reports deliveries, each time on a page of its own. */
const report = async (world: World, ref: string, times: readonly number[]): Promise<void> => {
  const reports = times.map((at) => ({ ref, at, kind: 'delivered' }) as const);
  world.say({ reports: async (cursor) => ({ kind: 'reports', reports, cursor: `${cursor}.` }) });
  await createRecovery(world.deps).readReports();
};

test('a delivery twice, by a supplier that declares deduplication, breaks a promise', async () => {
  const world = await orderedAgain();
  const sold = (await world.find('a', 'key')) ?? assert.fail('no purchase');
  const promises = createPromises(world.deps.db);
  const broken = async (): Promise<number> => {
    await promises.refresh();
    return promises.brokenBy(1);
  };
  await report(world, sold.id, [5]);
  await report(world, sold.id, [5]);
  assert.equal(await broken(), 0, 'the same delivery, told again');
  await report(world, sold.id, [9]);
  assert.equal(await broken(), 1);
  const disputed = await world.find('a', 'key');
  assert.deepEqual(
    [disputed?.state, disputed?.disputed],
    ['succeeded', { code: 'reported_delivered', values: { at: 9 } }],
  );
  await report(world, sold.id, [5, 9, 12]);
  assert.equal(await broken(), 1, 'a purchase counts once');
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await world.problems(), []);
  // Nothing is ordered again from it: its promise no longer counts.
  const deps = { ...world.deps, promises };
  world.say({ buy: async () => silence, reports: async (cursor) => noReports(cursor) });
  void createBuying(deps).buy(requestOf('a', 'second'));
  await world.clock.advance(100);
  const stop = keepRecovering(deps, createRecovery(deps));
  await world.clock.advance(20_000);
  void stop();
  assert.deepEqual([world.orders.length, (await world.find('a', 'second'))?.state], [3, 'failed']);
  await world.end();
});

test('two deliveries on one page are a broken promise, though it was ordered once', async () => {
  const world = await createWorld({ settlesWithin: 3000, deduplicates: true });
  await world.client('a');
  await world.buying.buy(requestOf('a', 'key'));
  const { id } = (await world.find('a', 'key')) ?? assert.fail('no purchase');
  await report(world, id, [5]);
  assert.equal((await world.find('a', 'key'))?.notes, 0, 'one delivery is not noted');
  await report(world, id, [5, 9]);
  const disputed = await world.find('a', 'key');
  assert.deepEqual([disputed?.disputed?.code, disputed?.notes], ['reported_delivered', 2]);
  await world.end();
});

test('a backup taken between two attempts sells nothing again', async () => {
  // The backup has the order at supplier 1. Since then that one refused, and supplier 2 delivered.
  const shop = await shopWith([silence, done, done]);
  void shop.buying.buy(requestOf('a', 'key'));
  await recoverUntilIdle(shop, 1200);
  await insertRestore(shop.deps.db, { id: 'restore', at: 0, cause: 'backup' });
  shop.says.set(1, { buy: outOfStock, status: outOfStock });
  shop.says.set(2, { buy: done, status: silence });
  for (let round = 0; round < 6; round += 1) await recoverUntilIdle(shop, 3000);
  const open = await shop.current();
  assert.deepEqual([open.state, open.reason?.code], ['unknown', 'may_be_elsewhere']);
  const restore = (await findRestore(shop.deps.db)) ?? assert.fail('no restore');
  await openRestore(shop.deps.db, restore, { at: 0, by: 'manager' });
  await recoverUntilIdle(shop, 9000);
  assert.equal((await shop.current()).state, 'unknown', 'supplier 2 has not answered yet');
  shop.says.set(2, { buy: done, status: done });
  for (let round = 0; round < 3; round += 1) await recoverUntilIdle(shop, 9000);
  const sold = await shop.current();
  assert.deepEqual([sold.state, sold.supplierId], ['succeeded', 2]);
  assert.deepEqual(counts(shop), [1, 0, 0], 'nothing is sent after the restore');
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await shop.problems(), []);
  await shop.end();
});

test('a personal offer stays with the supplier that made it', async () => {
  const shop = await shopWith([outOfStock, done]);
  const offer = { code: '70101', type: '1' };
  await shop.buying.buy(requestOf('a', 'key', { productId: 510, price: 33_000, offer }));
  assert.deepEqual([(await shop.current()).state, counts(shop)], ['failed', [1, 0]]);
  await shop.end();
});

test('a second delivery is closed by a person, and no money moves', async () => {
  const shop = await shopWith([outOfStock, done]);
  await shop.buying.buy(requestOf('a', 'key'));
  const sold = await shop.current();
  assert.ok(await recordLeftDelivery(shop.deps, sold, 1));
  assert.equal((await shop.current()).disputed?.code, 'left_delivered');
  const deps = {
    ...shop.deps,
    ask: async () => ({ kind: 'asked', outcome: done, quiet: true }) as const,
  };
  const decided = { reason: 'claimed from supplier 1', actor: 'cli:test', force: false } as const;
  await assert.rejects(resolve(deps, sold.id, { ...decided, verdict: 'failed' }), {
    why: 'contradicted',
  });
  const { money } = await resolve(deps, sold.id, { ...decided, verdict: 'succeeded' });
  assert.equal(money.code, 'unchanged');
  const closed = await shop.current();
  assert.deepEqual([closed.state, closed.disputed], ['succeeded', null]);
  // Further word of the same delivery is no news.
  assert.ok(!(await recordLeftDelivery(shop.deps, closed, 1)));
  assert.equal((await shop.current()).disputed, null);
  assert.deepEqual(await shop.accountOf('a'), { available: 9 * price, held: 0 });
  await shop.end();
});
