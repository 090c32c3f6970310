/** Tests that no purchase or request waits for an hour when the database clock steps back by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, requestOf, type World } from '../../test/support/purchase-world.ts';
import { createBuying } from './buy.ts';
import { createTransact } from './commit/transact.ts';
import type { PurchaseDeps } from './deps.ts';
import { createRecovery, keepRecovering } from './recover.ts';

const hour = 3_600_000;

/** A world with one open purchase, and a way to set its database's clock. */
const unanswered = async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'silence' }),
    status: async () => ({ kind: 'pending' }),
  });
  let offset = 0;
  const databaseTime = async (): Promise<number> => world.clock.now() + offset;
  const transact = createTransact({ ...world.deps, databaseTime });
  const deps: PurchaseDeps = { ...world.deps, databaseTime, transact };
  void createBuying(deps).buy(requestOf('a', 'key'));
  await world.clock.advance(100);
  const step = (ms: number): void => {
    offset += ms;
  };
  return { world, deps, step };
};

/** How long some work takes by the test's clock. */
const timed = async (world: World, work: Promise<unknown>): Promise<number> => {
  const began = world.clock.now();
  await work;
  return world.clock.now() - began;
};

test('a repeat waits no longer than pendingAfterMs after the clock went back', async () => {
  const { world, deps, step } = await unanswered();
  step(-hour);
  const taken = timed(world, createBuying(deps).buy(requestOf('a', 'key')));
  await world.clock.advance(2 * hour);
  assert.equal(await taken, deps.config.pendingAfterMs);
  await world.end();
});

test('a server that starts after the clock went back inquires about open purchases within seconds', async () => {
  const { world, deps, step } = await unanswered();
  step(-hour);
  const recovery = createRecovery(deps);
  const stop = keepRecovering(deps, recovery);
  await world.clock.advance(10_000);
  assert.ok(world.asked.length > 0, 'it was inquired about');
  await stop();
  await recovery.whenIdle();
  await world.end();
});

test('a server that runs while the clock goes back keeps inquiring at the same rate', async () => {
  const { world, deps, step } = await unanswered();
  const recovery = createRecovery(deps);
  const stop = keepRecovering(deps, recovery);
  await world.clock.advance(10_000);
  const before = world.asked.length;
  assert.ok(before > 0);
  step(-hour);
  await world.clock.advance(30_000);
  // The widest pause of the world is 8 s and up to a fifth longer.
  assert.ok(world.asked.length >= before + 2, `${world.asked.length} after ${before}`);
  await stop();
  await recovery.whenIdle();
  await world.end();
});
