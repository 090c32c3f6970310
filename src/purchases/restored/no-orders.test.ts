/** Tests that recovery sends no orders while a restore is closed, and continues with inquiries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, price, requestOf, type World } from '../../../test/support/purchase-world.ts';
import { createTransact } from '../commit/transact.ts';
import { createRecovery, keepRecovering } from '../recover.ts';
import { readPlace } from './place/store.ts';
import { findRestore, insertRestore, openRestore, type Restore } from './store.ts';

const deduplicating = { settlesWithin: 3000, deduplicates: true } as const;

const openNow = async ({ deps: { db } }: World): Promise<void> => {
  const restore = (await findRestore(db)) ?? assert.fail('never restored');
  await openRestore(db, restore, { at: 0, by: 'manager' });
};

const recoverFor = async (world: World, ms: number): Promise<void> => {
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(ms);
  void stop();
  await world.recovery.whenIdle();
};

/** A purchase whose first order got no answer. The next one is delivered. */
const unansweredOf = async (declared: Parameters<typeof createWorld>[0]): Promise<World> => {
  const world = await createWorld(declared);
  await world.client('a');
  world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(100);
  assert.equal(world.orders.length, 1);
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
  return world;
};

/** The same, in a database that has been closed since. */
const closedWith = async (cause: Restore['cause']): Promise<World> => {
  const world = await unansweredOf(deduplicating);
  await insertRestore(world.deps.db, { id: 'restore', at: 0, cause });
  return world;
};

test('nothing is ordered again while the place is unsettled; it waits and is ordered afterwards', async () => {
  const world = await closedWith('place_changed');
  await recoverFor(world, 20_000);
  assert.equal(world.orders.length, 1);
  assert.ok(world.asked.length > 2, 'it is inquired about in between');
  assert.equal((await world.find('a', 'key'))?.state, 'unknown');
  await openNow(world);
  await recoverFor(world, 20_000);
  assert.equal(world.orders.length, 2);
  assert.equal((await world.find('a', 'key'))?.state, 'succeeded');
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

for (const cause of ['backup', 'marked', 'witness_missing', 'witness_contradicted'] as const) {
  test(`what was open at a restore (${cause}) is never ordered again: the client may know another end`, async () => {
    const world = await closedWith(cause);
    await recoverFor(world, 3000);
    await openNow(world);
    await recoverFor(world, 30_000);
    assert.equal(world.orders.length, 1);
    assert.equal((await world.find('a', 'key'))?.state, 'failed', 'it never arrived');
    assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
    world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
    void world.buying.buy(requestOf('a', 'another'));
    await world.clock.advance(100);
    world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
    await recoverFor(world, 20_000);
    assert.equal(world.orders.length, 3, 'purchases after the restore are ordered again as before');
    assert.equal((await world.find('a', 'another'))?.state, 'succeeded');
    await world.end();
  });
}

/** Recovery of an instance that does not trust the place its transactions see. */
const distrusting = async (world: World, knowsPlace: boolean): Promise<World> => {
  const here = knowsPlace ? (await readPlace(world.deps.db))?.signature : undefined;
  const deps = {
    ...world.deps,
    transact: createTransact({ ...world.deps, trusts: () => false }),
    place: { signature: () => here, registered: () => true, within: async () => undefined },
  };
  return { ...world, deps, recovery: createRecovery(deps) };
};

for (const declared of [deduplicating, { settlesWithin: 3000 }]) {
  for (const knowsPlace of [true, false]) {
    const [how, when] = [
      'deduplicates' in declared ? 'ordered again' : 'failed',
      knowsPlace ? 'is found to be another one' : 'is not examined yet',
    ];
    test(`nothing is ${how} by "no such order" in a place that ${when}`, async () => {
      const world = await unansweredOf(declared);
      await recoverFor(await distrusting(world, knowsPlace), 20_000);
      assert.equal(world.orders.length, 1);
      assert.ok(
        world.asked.length > 2 && world.asked.length < 20,
        'it is inquired about at the usual rate',
      );
      assert.equal((await world.find('a', 'key'))?.state, 'unknown');
      await recoverFor(world, 20_000);
      const state = 'deduplicates' in declared ? 'succeeded' : 'failed';
      assert.equal((await world.find('a', 'key'))?.state, state);
      assert.deepEqual(await world.problems(), []);
      await world.end();
    });
  }
}

test('a delivery is settled while it is closed', async () => {
  const world = await closedWith('backup');
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  await recoverFor(world, 10_000);
  assert.equal((await world.find('a', 'key'))?.state, 'succeeded');
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  await world.end();
});
