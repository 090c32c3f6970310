/** Tests an operator that takes no inquiries: its order is sent again, while that is safe, and proves little. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createWorld,
  type Declared,
  price,
  requestOf,
  type World,
} from '../../test/support/purchase-world.ts';
import type { OrderOutcome, RefusalCode } from '../connector/connector.ts';
import type { Purchase } from './purchase.ts';
import { keepRecovering } from './recover.ts';
import { stepToResend } from './resend.ts';
import { insertRestore } from './restored/store.ts';
import { askOperator } from './review/ask-operator.ts';
import { termsOf } from './terms.ts';

const hour = 3_600_000;

const silence: OrderOutcome = { kind: 'unknown', detail: 'silence' };

const refusal = (code: RefusalCode = 'declined'): OrderOutcome => ({
  kind: 'refused',
  code,
  blame: 'supplier',
  reason: 'not now',
});

/** A purchase whose first order got no answer. */
const unanswered = async (declared: Declared): Promise<World> => {
  const world = await createWorld(declared);
  await world.client('a');
  world.say({ buy: async () => silence });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(100);
  assert.equal(world.orders.length, 1);
  return world;
};

const recoverFor = async (world: World, ms: number): Promise<void> => {
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(ms);
  void stop();
  await world.recovery.whenIdle();
};

const current = async (world: World): Promise<Purchase> =>
  (await world.find('a', 'key')) ?? assert.fail('no purchase');

test('an order without an answer is sent again under the same reference, once the first has settled', async () => {
  const world = await unanswered({ settlesWithin: 3000, resendWithin: hour });
  const { quietAt, id } = await current(world);
  await recoverFor(world, quietAt - world.clock.now() - 1);
  assert.equal(world.orders.length, 1);
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
  await recoverFor(world, 3000);
  assert.deepEqual(
    world.orders.map(({ ref }) => ref),
    [id, id],
  );
  assert.equal((await current(world)).state, 'succeeded');
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  assert.deepEqual(world.asked, []);
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('it is sent again less and less often while there is no answer, and then a person decides', async () => {
  const world = await unanswered({ settlesWithin: 3000, resendWithin: hour });
  await recoverFor(world, 120_000);
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.reason?.code], ['review', 'resend_over']);
  assert.equal((await world.accountOf('a')).held, price, 'the hold stays');
  assert.ok(world.orders.length >= 3 && world.orders.length <= 12, `${world.orders.length} orders`);
  const before = world.orders.length;
  await recoverFor(world, hour);
  assert.equal(world.orders.length, before, 'nothing is sent from review');
  await world.end();
});

test('the refusal of a repeat proves nothing where the operator does not deduplicate', async () => {
  const world = await unanswered({ settlesWithin: 3000, resendWithin: hour });
  world.say({ buy: async () => refusal() });
  await recoverFor(world, 20_000);
  const open = await current(world);
  assert.ok(world.orders.length > 1);
  assert.deepEqual([open.state, open.reason?.code], ['unknown', 'refused_again']);
  assert.equal((await world.accountOf('a')).held, price, 'no refund on a guess');
  await world.end();
});

test('nothing is sent again where the operator declares no time to settle: it may arrive too late', async () => {
  const world = await unanswered({ deduplicates: true, resendWithin: hour });
  await recoverFor(world, 20_000);
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.reason?.code], ['review', 'resend_over']);
  assert.equal(world.orders.length, 1);
  await world.end();
});

const settling: Declared = { settlesWithin: 3000, deduplicates: true, resendWithin: hour };

test('the refusal of a repeat is proof where the operator deduplicates', async () => {
  const world = await unanswered(settling);
  world.say({ buy: async () => refusal() });
  await recoverFor(world, 20_000);
  assert.equal((await current(world)).state, 'failed');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  assert.equal(world.orders.length, 2);
  await world.end();
});

for (const code of ['unreachable', 'throttled'] as const) {
  test(`a repeat that the operator has not read (${code}) proves nothing`, async () => {
    const world = await unanswered(settling);
    world.say({ buy: async () => refusal(code) });
    await recoverFor(world, 20_000);
    assert.equal((await current(world)).state, 'unknown');
    world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
    await recoverFor(world, 20_000);
    assert.equal((await current(world)).state, 'succeeded');
    await world.end();
  });
}

test('the refusal of the first order is proof, as everywhere', async () => {
  const world = await createWorld({ resendWithin: hour });
  await world.client('a');
  world.say({ buy: async () => refusal() });
  const result = await world.buying.buy(requestOf('a', 'key'));
  assert.equal(result.kind === 'answer' && result.answer.status, 422);
  assert.equal(world.orders.length, 1);
  await world.end();
});

test('after the declared time nothing is sent: the operator might deliver it again', async () => {
  const world = await unanswered({ ...settling, resendWithin: 12_000 });
  // The first repeat would have been possible just before.
  await world.clock.advance(8000);
  await recoverFor(world, 20_000);
  assert.equal(world.orders.length, 1);
  const ended = await current(world);
  assert.deepEqual([ended.state, ended.reason?.code], ['review', 'resend_over']);
  await world.end();
});

test('nothing is sent again when the clock was set back before the last order', async () => {
  const world = await unanswered(settling);
  const purchase = await current(world);
  const operator = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const terms = termsOf(operator, world.deps.config.recovery);
  const earlier = purchase.beganAt - 1;
  const step = stepToResend({ terms, chance: 0 })(purchase, earlier);
  assert.deepEqual([step?.after.state, step?.after.reason?.code], ['review', 'resend_over']);
  await world.end();
});

test('nothing is sent again while a restore is closed, and it waits as long as that takes', async () => {
  const world = await unanswered(settling);
  await insertRestore(world.deps.db, { id: 'restore', at: 0, cause: 'place_changed' });
  await recoverFor(world, 200_000);
  assert.equal(world.orders.length, 1);
  assert.equal((await current(world)).state, 'unknown');
  await world.end();
});

test('a person who decides sees that it was not asked, and nothing is sent', async () => {
  const world = await unanswered(settling);
  const purchase = await current(world);
  const { registry, call, config } = world.deps;
  const now = async (): Promise<number> => world.clock.now();
  const undecided = { ...purchase, state: 'review', dueAt: null } as const;
  assert.ok(undecided.answer === null);
  const asked = await askOperator({ registry, call, recovery: config.recovery, now }, undecided);
  assert.deepEqual(asked, {
    kind: 'not_asked',
    why: { code: 'no_inquiries', values: { operator: 1 } },
  });
  assert.equal(world.orders.length, 1);
  await world.end();
});
