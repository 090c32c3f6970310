/** Tests final answers that arrive after the lease, when another instance has claimed the purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, price, requestOf, type World } from '../../test/support/purchase-world.ts';
import type { OrderOutcome } from '../connector/connector.ts';
import { sleep } from '../lib/clock.ts';
import { type Buying, createBuying } from './buy.ts';
import type { PurchaseDeps } from './deps.ts';
import { readNotes } from './inquiry/store.ts';
import type { Purchase } from './purchase.ts';
import { createRecovery, keepRecovering, type Recovery } from './recover.ts';

const done = { kind: 'done', ref: 'receipt' } as const;
const refusal = {
  kind: 'refused',
  code: 'declined',
  blame: 'subscriber',
  reason: 'barred',
} as const;

type SlowWorld = World & {
  readonly slow: {
    readonly deps: PurchaseDeps;
    readonly buying: Buying;
    readonly recovery: Recovery;
  };
};

/** A world whose operator may take 30 seconds for an exchange, longer than any lease. */
const slowWorld = async (declared?: Parameters<typeof createWorld>[0]): Promise<SlowWorld> => {
  const world = await createWorld(declared);
  await world.client('a');
  const one = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const operator = { ...one, connection: { ...one.connection, deadlineMs: 30_000 } };
  const registry = { ...world.deps.registry, all: [operator], byId: () => operator };
  const deps = { ...world.deps, registry };
  return { ...world, slow: { deps, buying: createBuying(deps), recovery: createRecovery(deps) } };
};

const current = async (world: World): Promise<Purchase> =>
  (await world.find('a', 'key')) ?? assert.fail('no purchase');

/** Orders, with an answer after this many seconds, while recovery polls every second. */
const answeredAfter = async (
  world: SlowWorld,
  seconds: number,
  outcome: OrderOutcome,
): Promise<void> => {
  world.say({
    buy: async () => {
      await sleep(world.clock, seconds * 1000);
      return outcome;
    },
  });
  void world.slow.buying.buy(requestOf('a', 'key'));
  const stop = keepRecovering(world.slow.deps, world.slow.recovery);
  await world.clock.advance(120_000);
  void stop();
  await world.slow.recovery.whenIdle();
};

for (const [what, outcome, state, money] of [
  ['a delivery', done, 'succeeded', { available: 9 * price, held: 0 }],
  ['a refusal', refusal, 'failed', { available: 10 * price, held: 0 }],
] as const) {
  test(`${what} that is answered after the lease settles the purchase`, async () => {
    const world = await slowWorld({});
    await answeredAfter(world, 25, outcome);
    const ended = await current(world);
    assert.equal(ended.state, state);
    assert.ok(ended.fence > 1, 'it was claimed in between');
    assert.deepEqual(await world.accountOf('a'), money);
    const notes = await readNotes(world.deps.db, ended);
    assert.equal(notes.at(-1)?.kind, 'late answer');
    assert.deepEqual(await world.problems(), []);
    await world.end();
  });
}

test('a late delivery after a recorded failure is disputed once', async () => {
  const world = await slowWorld({ settlesWithin: 0 });
  const answer = Promise.withResolvers<OrderOutcome>();
  world.say({ buy: () => answer.promise, status: async () => refusal });
  void world.slow.buying.buy(requestOf('a', 'key'));
  const stop = keepRecovering(world.slow.deps, world.slow.recovery);
  await world.clock.advance(25_000);
  assert.equal((await current(world)).state, 'failed', 'an inquiry said: refused');
  answer.resolve(done);
  await world.clock.advance(0);
  const ended = await current(world);
  assert.deepEqual(ended.disputed, { code: 'late_delivered', values: {} });
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  const kinds = (await readNotes(world.deps.db, ended)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'contradiction').length, 1);
  await stop();
  await world.clock.advance(30_000);
  await world.end();
});

test('a refusal of an earlier attempt does not fail a purchase that was ordered again since', async () => {
  const world = await slowWorld({ settlesWithin: 0, deduplicates: true });
  const [first, second] = [
    Promise.withResolvers<OrderOutcome>(),
    Promise.withResolvers<OrderOutcome>(),
  ];
  let orders = 0;
  world.say({
    buy: () => {
      orders += 1;
      return orders === 1 ? first.promise : second.promise;
    },
    status: async () => ({ kind: 'not_found' }),
  });
  void world.slow.buying.buy(requestOf('a', 'key'));
  const { fence } = await world.clock.advance(0).then(() => current(world));
  // The first server holds its answer until after the quiet time, and another orders again.
  await world.deps.db
    .updateTable('purchases')
    .set({ send_before: 0, quiet_at: 0, due_at: 0 })
    .execute();
  await world.slow.recovery.claim();
  await world.clock.advance(0);
  const again = await current(world);
  assert.deepEqual([again.attempts, orders], [2, 2]);
  first.resolve(refusal);
  await world.clock.advance(0);
  assert.equal((await current(world)).state, 'submitted', 'the second order is in flight');
  second.resolve(done);
  await world.clock.advance(0);
  const ended = await current(world);
  assert.equal(ended.state, 'succeeded');
  assert.ok(ended.fence > fence);
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(await world.problems(), []);
  await world.clock.advance(30_000);
  await world.end();
});
