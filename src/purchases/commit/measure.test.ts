/** Tests that each state a purchase reaches is counted once, and only after its commit. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  createWorld,
  price,
  purchaseRequestOf,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { noMetrics } from '../../metrics/metrics.ts';
import { createBuying } from '../buy.ts';
import type { PurchaseDeps } from '../deps.ts';
import { createRecovery } from '../recover.ts';
import { countUnsettled } from '../stats/unsettled.ts';
import { measuredTransact } from './measure.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

let counted: string[] = [];
beforeEach(() => {
  counted = [];
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }), reports: noReports });
});

const noReports = async (cursor: string) => ({ kind: 'reports', reports: [], cursor }) as const;

/** The world's buying and recovery, with all counts recorded. */
const measured = () => {
  const transact = measuredTransact(world.deps.transact, {
    ...noMetrics,
    purchase: (operatorId, outcome) => counted.push(`${operatorId} ${outcome}`),
    settled: (_operatorId, outcome, ms) => counted.push(`${outcome} after ${ms}`),
  });
  const deps: PurchaseDeps = { ...world.deps, transact };
  return { buying: createBuying(deps), recovery: createRecovery(deps), transact };
};

const drive = async ({ recovery }: ReturnType<typeof measured>, ms: number): Promise<void> => {
  await world.clock.advance(ms);
  await recovery.claim();
  await recovery.whenIdle();
};

test('a sale is counted with its duration, and its repeat is not', async () => {
  const client = await world.client('sale');
  const { buying } = measured();
  world.say({
    buy: async ({ ref }) => {
      await world.clock.advance(250);
      return { kind: 'done', ref };
    },
  });
  await buying.buy(requestOf(client, 'k'));
  await buying.buy(requestOf(client, 'k'));
  assert.deepEqual(counted, ['1 succeeded', 'succeeded after 250']);
});

test('a refusal before the order counts as refused', async () => {
  const client = await world.client('poor', 0);
  const { buying } = measured();
  await buying.buy(requestOf(client, 'k'));
  await buying.buy(requestOf(client, 'other', { productId: 99, price }));
  assert.deepEqual(counted, ['1 refused', 'null refused']);
});

test('a refusal found under its key is not counted again', async () => {
  const client = await world.client('found');
  const { transact } = measured();
  const refuse = (id: string) =>
    transact.begin({
      requested: purchaseRequestOf({ clientId: client, id, key: 'k' }),
      decision: { kind: 'refuse', refusal: { code: 'PRODUCT_INACTIVE' } },
    });
  const both = [await refuse('found 1'), await refuse('found 2')];
  assert.deepEqual(
    both.map(({ ours }) => ours),
    [true, false],
  );
  assert.deepEqual(counted, ['1 refused']);
});

test('an unknown purchase is counted once, however often it is inquired about, and then by its end', async () => {
  const client = await world.client('unknown');
  const parts = measured();
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'lost' }),
    status: async () => ({ kind: 'pending' }),
  });
  const bought = parts.buying.buy(requestOf(client, 'k'));
  await world.clock.advance(0);
  const began = await world.deps.databaseTime(world.deps.db);
  for (let count = 0; count < 3; count += 1) await drive(parts, termsOfWorld.widestInquiryMs);
  assert.deepEqual(counted, ['1 unknown']);
  const unsettled = await countUnsettled(world.deps.db, began + 60_000);
  assert.equal(unsettled.open.get('unknown'), 1);
  assert.equal(unsettled.oldestOpenMs, 60_000);
  world.say({ status: async (ref) => ({ kind: 'done', ref }) });
  await drive(parts, 2 * termsOfWorld.widestInquiryMs);
  await bought;
  assert.equal(counted[1], '1 succeeded');
  assert.equal(counted.length, 3);
  const ended = await countUnsettled(world.deps.db, began + 60_000);
  assert.deepEqual([ended.open.size, ended.oldestOpenMs], [0, 0]);
});

test('a purchase that stays unknown counts as review, and needs review', async () => {
  const client = await world.client('review');
  const parts = measured();
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'lost' }),
    status: async () => ({ kind: 'pending' }),
  });
  const bought = parts.buying.buy(requestOf(client, 'k'));
  await world.clock.advance(0);
  const { review } = await countUnsettled(world.deps.db, 0);
  for (let count = 0; count < 4; count += 1) await drive(parts, termsOfWorld.reviewAfterMs);
  await bought;
  assert.deepEqual(counted, ['1 unknown', '1 review']);
  assert.equal((await countUnsettled(world.deps.db, 0)).review, review + 1);
});

test('a purchase delivered and reversed at once counts as both', async () => {
  const client = await world.client('reversed');
  const parts = measured();
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'lost' }),
    status: async () => ({ kind: 'reversed', at: 1 }),
  });
  const bought = parts.buying.buy(requestOf(client, 'k'));
  await world.clock.advance(0);
  await drive(parts, termsOfWorld.widestInquiryMs);
  await bought;
  const states = counted.filter((line) => !line.includes('after'));
  assert.deepEqual(states, ['1 unknown', '1 succeeded', '1 reversed']);
});

test('a step that is not committed is not counted', async () => {
  const client = await world.client('again');
  const { buying, transact } = measured();
  await buying.buy(requestOf(client, 'k'));
  const sold = (await world.find(client, 'k')) ?? assert.fail();
  counted = [];
  const failing = measuredTransact(
    { ...transact, advance: async () => Promise.reject(new Error('The commit failed.')) },
    { purchase: () => assert.fail('counted'), settled: () => assert.fail('counted') },
  );
  const move = { kind: 'reversal', at: 1 } as const;
  await assert.rejects(failing.advance({ name: sold, fence: 'any', move }));
  assert.deepEqual(counted, []);
});
