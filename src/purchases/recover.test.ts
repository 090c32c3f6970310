/** Tests recovery on a real database: it inquires first, never orders twice on a guess, and settles or moves to review. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, price, requestOf, type World } from '../../test/support/purchase-world.ts';
import type { OrderOutcome } from '../connector/connector.ts';
import { sleep } from '../lib/clock.ts';
import type { BuyResult } from './buy.ts';
import type { PurchaseDeps } from './deps.ts';
import { errorFact } from './facts/facts.ts';
import { readNotes } from './inquiry/store.ts';
import type { Purchase } from './purchase.ts';
import { createRecovery, keepRecovering, takeOver } from './recover.ts';

const silence = (): Promise<never> => new Promise(() => {});

/** A world with one purchase whose order was never answered. */
const unanswered = async (
  declared?: Parameters<typeof createWorld>[0],
): Promise<World & { readonly bought: Promise<BuyResult> }> => {
  const world = await createWorld(declared);
  await world.client('a');
  world.say({ buy: silence });
  const bought = world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  assert.equal(world.orders.length, 1);
  return { ...world, bought };
};

const current = async (world: World): Promise<Purchase> =>
  (await world.find('a', 'key')) ?? assert.fail('no purchase');

/** Advances time while recovery polls every second, as a server does. */
const recoverFor = async (world: World, ms: number): Promise<void> => {
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(ms);
  void stop();
  await world.recovery.whenIdle();
};

test('an inquiry finds an unanswered delivery, which is sold and answered to waiting requests', async () => {
  const world = await unanswered();
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  await recoverFor(world, 10_000);
  const result = await world.bought;
  assert.ok(result.kind === 'answer');
  assert.equal(result.answer.status, 200);
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  assert.equal(world.orders.length, 1);
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('an order that never arrived fails only after the quiet time, and is never ordered again', async () => {
  const world = await unanswered();
  const { quietAt } = await current(world);
  await recoverFor(world, quietAt - world.clock.now() - 1);
  assert.equal((await current(world)).state, 'unknown');
  assert.equal((await world.accountOf('a')).held, price, 'no refund on a guess');
  assert.ok(world.asked.length > 0, 'it was inquired about before');
  await recoverFor(world, 3000);
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.answer?.status], ['failed', 422]);
  assert.deepEqual(ended.reason, errorFact('ORDER_NOT_RECEIVED'), 'the operator refused nothing');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  assert.equal(world.orders.length, 1);
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('an early "no such order" does not delay the next inquiry', async () => {
  const hour = 3_600_000;
  const world = await unanswered({ settlesWithin: hour });
  await recoverFor(world, 20_000);
  assert.ok(world.asked.length >= 2, `${world.asked.length} inquiries`);
  assert.equal((await current(world)).state, 'unknown', '"no such order" is no proof yet');
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  // The widest pause, a fifth longer, and a poll each second.
  await recoverFor(world, 8000 * 1.2 + 1000);
  assert.equal((await current(world)).state, 'succeeded');
  await world.end();
});

test('an operator that deduplicates gets the order again under the same reference', async () => {
  const world = await unanswered({ settlesWithin: 3000, deduplicates: true });
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
  await recoverFor(world, 12_000);
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.attempts], ['succeeded', 2]);
  assert.deepEqual(new Set(world.orders.map(({ ref }) => ref)), new Set([ended.id]));
  assert.equal(world.orders.length, 2);
  await world.end();
});

test('an operator that promises nothing gets inquiries only, and then it needs review', async () => {
  const world = await unanswered({});
  await recoverFor(world, 90_000);
  const ended = await current(world);
  assert.equal(ended.state, 'review');
  assert.equal((await world.accountOf('a')).held, price, 'the hold stays');
  assert.equal(world.orders.length, 1);
  assert.equal(world.asked.length, ended.inquiries);
  const before = world.asked.length;
  await recoverFor(world, 60_000);
  assert.equal(world.asked.length, before, 'no more inquiries');
  const notes = await readNotes(world.deps.db, ended);
  const kinds = notes.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['order', ...world.asked.map(() => 'inquiry')]);
  await world.end();
});

test('a server that was suspended past its lease can no longer settle: the new claimant does', async () => {
  const world = await createWorld();
  await world.client('a');
  const late = Promise.withResolvers<OrderOutcome>();
  world.say({ buy: () => late.promise });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const began = await current(world);
  // Another server claims it while the first is still in its call.
  await takeOver(world.deps);
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  await world.restarted().recovery.claim();
  await world.clock.advance(0);
  assert.equal((await current(world)).state, 'succeeded');
  late.resolve({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'too late' });
  await world.buying.whenIdle();
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.fence], ['succeeded', began.fence + 2]);
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  await world.end();
});

test('an unreadable row does not block its neighbours', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'silence' }),
    status: async (ref) => ({ kind: 'done', ref }),
  });
  const bought = ['broken', 'one', 'two'].map((key) => world.buying.buy(requestOf('a', key)));
  await world.clock.advance(100);
  // No step leaves a purchase in review due.
  await world.deps.db
    .updateTable('purchases')
    .set({ state: 'review' })
    .where('idempotency_key', '=', 'broken')
    .execute();
  const heard: unknown[] = [];
  const log = { warn: () => {}, error: (details: unknown) => void heard.push(details) };
  const recovery = createRecovery({ ...world.deps, log });
  await world.clock.advance(2000);
  await recovery.claim();
  await recovery.whenIdle();
  const states = await Promise.all(
    ['one', 'two'].map(async (key) => (await world.find('a', key))?.state),
  );
  assert.deepEqual(states, ['succeeded', 'succeeded']);
  assert.equal(heard.length, 1, 'it is logged');
  void bought;
  await world.clock.advance(30_000);
  await world.end();
});

test('taking over restarts the quiet time: what a dead server sent may still arrive', async () => {
  const world = await unanswered();
  await world.clock.advance(4000);
  const { recovery } = world.restarted();
  await takeOver(world.deps);
  const taken = await current(world);
  assert.deepEqual([taken.dueAt, taken.quietAt], [world.clock.now(), world.clock.now() + 5000]);
  await recovery.claim();
  await recovery.whenIdle();
  assert.equal((await current(world)).state, 'unknown', '"no such order" is no proof yet');
  await world.end();
});

test('a reversal refunds once, however often it is reported, and keeps the answer', async () => {
  const world = await createWorld();
  await world.client('a');
  const sold = await world.buying.buy(requestOf('a', 'key'));
  const { id } = await current(world);
  const cursors: string[] = [];
  const report = { ref: id, at: 7, kind: 'reversed' } as const;
  world.say({
    reports: async (cursor) => {
      cursors.push(cursor);
      if (cursor === '3') return { kind: 'reports', reports: [], cursor };
      return { kind: 'reports', reports: [report, report], cursor: `${cursors.length}` };
    },
  });
  for (let times = 0; times < 2; times += 1) await world.recovery.readReports();
  assert.deepEqual(cursors, ['', '1', '2', '3', '3'], 'it continues from there');
  assert.equal((await current(world)).state, 'reversed');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  assert.deepEqual(await world.buying.buy(requestOf('a', 'key')), { ...sold, replayed: true });
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('a delivery after a recorded failure is disputed, and moves no money', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' }),
  });
  const failed = await world.buying.buy(requestOf('a', 'key'));
  const { id } = await current(world);
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports: [{ ref: id, at: 7, kind: 'delivered' }],
      cursor: `${cursor}1`,
    }),
  });
  await world.recovery.readReports();
  await world.recovery.readReports();
  const ended = await current(world);
  assert.equal(ended.state, 'failed');
  assert.deepEqual(ended.disputed, { code: 'reported_delivered', values: { at: 7 } });
  assert.equal(ended.notes, 1, 'it is noted once');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  assert.deepEqual(await world.buying.buy(requestOf('a', 'key')), { ...failed, replayed: true });
  await world.end();
});

test('missing reports move no cursor', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({ reports: async () => ({ kind: 'unknown', detail: 'away' }) });
  await world.recovery.readReports();
  const row = await world.deps.db.selectFrom('operator_reports').selectAll().execute();
  assert.deepEqual(row, []);
  await world.end();
});

const recoveryOf = (deps: PurchaseDeps) => {
  const recovery = createRecovery(deps);
  return { recovery, keep: () => keepRecovering(deps, recovery) };
};

/** Recovery of an instance whose configuration lacks the operator. */
const elsewhere = ({ deps }: World) =>
  recoveryOf({ ...deps, registry: { ...deps.registry, all: [], byId: () => undefined } });

/** Recovery of an instance that cannot use the operator's settings. */
const withoutSettings = ({ deps }: World) => {
  const all = deps.registry.all.map((operator) => ({ ...operator, system: null }));
  const byId = (id: number) => all.find((one) => one.id === id);
  return recoveryOf({ ...deps, registry: { ...deps.registry, all, byId } });
};

test('an instance without the operator leaves its purchases to those that have it', async () => {
  const world = await unanswered();
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  const other = elsewhere(world);
  const stop = other.keep();
  await world.clock.advance(60_000);
  const left = await current(world);
  assert.deepEqual([left.state, left.fence], ['unknown', 1]);
  await recoverFor(world, 2000);
  assert.equal((await current(world)).state, 'succeeded');
  void stop();
  await other.recovery.whenIdle();
  await world.end();
});

test('an instance that cannot reach the operator leaves its purchases to those that can', async () => {
  const world = await unanswered();
  const { recovery } = withoutSettings(world);
  await world.clock.advance(30_000);
  await recovery.claim();
  await recovery.whenIdle();
  assert.equal((await current(world)).fence, 1);
  assert.deepEqual(world.asked, []);
  await world.end();
});

for (const [what, other] of [
  ['has', elsewhere],
  ['has usable settings for', withoutSettings],
] as const) {
  test(`a purchase whose operator no instance ${what} goes to review after ten minutes, with its hold`, async () => {
    const world = await unanswered();
    const { keep, recovery } = other(world);
    const stop = keep();
    await world.clock.advance(590_000);
    assert.equal((await current(world)).state, 'unknown', 'one that has it may be starting');
    await world.clock.advance(120_000);
    void stop();
    await recovery.whenIdle();
    const ended = await current(world);
    assert.equal(ended.state, 'review');
    assert.deepEqual(ended.reason, { code: 'operator_unreachable', values: { operator: 1 } });
    assert.deepEqual(world.asked, []);
    assert.equal((await world.accountOf('a')).held, price);
    await world.end();
  });
}

test('purchases that waited ten minutes because no instance ran are left to those with the operator', async () => {
  const world = await unanswered();
  await world.clock.advance(900_000);
  const other = elsewhere(world);
  await other.recovery.claimAbandoned();
  await other.recovery.whenIdle();
  assert.equal((await current(world)).state, 'unknown', 'one that has it may be starting');
  await world.end();
});

test('an operator that does not answer gets few inquiries at once, and all of them in the end', async () => {
  const world = await createWorld();
  const many = 40;
  await world.client('a', many * price);
  // Not before all are sent: an operator known to be down would get no more.
  const allSent = Promise.withResolvers<void>();
  const lost = async (): Promise<OrderOutcome> => {
    if (world.orders.length === many) allSent.resolve();
    await allSent.promise;
    return { kind: 'unknown', detail: 'lost' };
  };
  world.say({ buy: lost, status: silence });
  const keys = Array.from({ length: many }, (_, index) => `key ${index}`);
  const bought = keys.map((key) => world.buying.buy(requestOf('a', key)));
  await world.clock.advance(1500);
  await world.recovery.claim();
  await world.recovery.claim();
  await world.clock.advance(0);
  assert.ok(world.asked.length > 0 && world.asked.length < 32, `${world.asked.length} at once`);
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  await recoverFor(world, 60_000);
  for (const result of await Promise.all(bought)) assert.equal(result.kind, 'answer');
  assert.deepEqual(await world.accountOf('a'), { available: 0, held: 0 });
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('once an operator answers again, its long queue is worked off in one run', async () => {
  const world = await createWorld();
  const many = 100;
  await world.client('a', many * price);
  const allSent = Promise.withResolvers<void>();
  const lost = async (): Promise<OrderOutcome> => {
    if (world.orders.length === many) allSent.resolve();
    await allSent.promise;
    return { kind: 'unknown', detail: 'lost' };
  };
  let [asking, most] = [0, 0];
  world.say({
    buy: lost,
    status: async (ref) => {
      asking += 1;
      most = Math.max(most, asking);
      await sleep(world.clock, 10);
      asking -= 1;
      return { kind: 'done', ref };
    },
  });
  const bought = Array.from({ length: many }, (_, index) =>
    world.buying.buy(requestOf('a', `key ${index}`)),
  );
  await world.clock.advance(1500);
  await recoverFor(world, 1500);
  assert.equal(world.asked.length, many);
  for (const result of await Promise.all(bought)) assert.equal(result.kind, 'answer');
  assert.ok(most < 32, `${most} at once`);
  await world.end();
});
