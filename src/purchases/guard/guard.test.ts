/** Tests the guard on a real database: likely repeats and daily limits stay exact under concurrent purchases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  createWorld,
  purchaseRequestOf,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { daysIn, utcDays } from '../../lib/business-day.ts';
import { advanceAll } from '../commit/advance.ts';
import { type BeginItem, beginAll } from '../commit/begin.ts';
import { wireWords } from '../facts/words.ts';
import { fail, type Purchase, reverse, succeed } from '../purchase.ts';
import { type Guard, readDay } from './guard.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

let count = 0;
const newClient = (balance = 1_000_000): Promise<string> => {
  count += 1;
  return world.client(`client ${count}`, balance);
};

const order = { kind: 'order', terms: termsOfWorld } as const;
const none: Guard = { repeatMs: null, dailyLimit: null };
const minute: Guard = { ...none, repeatMs: 60_000 };

let ids = 0;
const itemOf = (
  clientId: string,
  more: Partial<Parameters<typeof purchaseRequestOf>[0]> = {},
  guard?: Guard,
): BeginItem => {
  ids += 1;
  const requested = purchaseRequestOf({ clientId, id: `purchase ${ids}`, ...more });
  return { requested, decision: order, ...(guard === undefined ? {} : { guard }) };
};

const beginOne = async (item: BeginItem) => {
  const [result] = await beginAll(world.deps, [item]);
  return result ?? assert.fail();
};

const reasonOf = async (item: BeginItem): Promise<string | null> => {
  const { purchase, rejection } = await beginOne(item);
  return rejection?.code ?? wireWords(purchase.reason);
};

type Ending = 'succeeded' | 'failed' | 'reversed';

/** Brings a purchase to an end, if it can reach that end. */
const end = async (purchase: Purchase, ending: Ending): Promise<void> => {
  const answer = { status: 200, body: '' };
  const step = (one: Purchase, at: number) => {
    if (ending === 'reversed') {
      return one.state === 'succeeded'
        ? reverse(one, { kind: 'reversal', fact: { code: 'reversed', values: { at: 1 } } })
        : undefined;
    }
    if (one.state !== 'submitted') return undefined;
    return ending === 'succeeded'
      ? succeed(one, { at, answer, ref: 'r', note: null })
      : fail(one, { at, answer: { ...answer, status: 422 }, reason: 'no', note: null });
  };
  await advanceAll(world.deps, [{ name: purchase, fence: 'any', step }]);
};

describe('A likely repeat', () => {
  test('is the same product for the same number at the same price under another key, and nothing else', async () => {
    const clientId = await newClient();
    const offer = { code: 'C', type: 'T' };
    const { purchase } = await beginOne(itemOf(clientId, { offer }));
    for (const [more, expected] of [
      [{ offer }, 'LIKELY_DUPLICATE'],
      [{ offer, profileId: 'p', webserviceCode: 'other' }, 'LIKELY_DUPLICATE'],
      [{ offer: { ...offer, code: 'D' } }, null],
      [{ offer: { ...offer, type: 'U' } }, null],
      [{ offer: null }, null],
      [{ offer, mobile: '989121234501' }, null],
      [{ offer, price: 9999 }, null],
      [{ offer, productId: 2 }, null],
    ] as const) {
      assert.equal(await reasonOf(itemOf(clientId, more, minute)), expected, JSON.stringify(more));
    }
    const other = await newClient();
    assert.equal(await reasonOf(itemOf(other, { offer }, minute)), null);
    const { purchase: refused } = await beginOne(itemOf(clientId, { offer }, minute));
    assert.match(refused.answer?.body ?? '', new RegExp(`"purchase_id":"${purchase.id}"`));
  });

  test('ends after its time', async () => {
    const clientId = await newClient();
    await beginOne(itemOf(clientId));
    await world.clock.advance(59_999);
    assert.equal(await reasonOf(itemOf(clientId, {}, minute)), 'LIKELY_DUPLICATE');
    await world.clock.advance(1);
    assert.equal(await reasonOf(itemOf(clientId, {}, minute)), null);
  });

  test('excludes failed and reversed purchases, and includes sold ones', async () => {
    for (const [endings, expected] of [
      [['failed'], null],
      [['succeeded', 'reversed'], null],
      [['succeeded'], 'LIKELY_DUPLICATE'],
      [[], 'LIKELY_DUPLICATE'],
    ] as const) {
      const clientId = await newClient();
      const { purchase } = await beginOne(itemOf(clientId));
      for (const ending of endings) await end(purchase, ending);
      assert.equal(await reasonOf(itemOf(clientId, {}, minute)), expected, endings.join());
    }
  });

  test('is detected within one batch: of many at once exactly the first begins', async () => {
    const [one, other] = [await newClient(), await newClient()];
    const items = [one, other, one, other, one].map((clientId) => itemOf(clientId, {}, minute));
    const results = await beginAll(world.deps, items);
    assert.deepEqual(
      results.map(({ purchase }) => purchase.state),
      ['submitted', 'submitted', 'refused', 'refused', 'refused'],
    );
    assert.deepEqual(await world.problems(), []);
  });
});

type Bought = { readonly purchase: Purchase; state: string };

/** A day's spending, from the result of each purchase that began on it. */
const spentOf = (bought: readonly Bought[], now: number): number =>
  bought
    .filter(
      ({ purchase, state }) =>
        purchase.beganAt >= utcDays(now).begins && !/failed|reversed/.test(state),
    )
    .reduce((sum, { purchase }) => sum + purchase.price, 0);

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      buy: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
      aware: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      settle: fc.nat(),
      ending: fc.constantFrom<Ending>('succeeded', 'failed', 'reversed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 10 * 3_600_000 }) }) },
);

describe('A daily limit', () => {
  test('admits exactly what fits, whatever other clients buy and however purchases end', async () => {
    const limit = 100;
    const guard = { ...none, dailyLimit: limit };
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 15 }), async (operations) => {
        const clientId = await newClient();
        const bought: Bought[] = [];
        for (const one of operations) {
          if ('wait' in one) await world.clock.advance(one.wait);
          else if ('settle' in one) {
            const chosen = bought[one.settle % bought.length];
            if (chosen === undefined) continue;
            await end(chosen.purchase, one.ending);
            const now = await world.find(clientId, chosen.purchase.key);
            chosen.state = now?.state ?? assert.fail();
          } else {
            // A server without the new limit sells past it, and all of it counts.
            const items = one.buy.map((price) =>
              itemOf(clientId, { price }, one.aware ? guard : undefined),
            );
            for (const [index, result] of (await beginAll(world.deps, items)).entries()) {
              const price: number = one.buy[index] ?? 0;
              const fits: boolean = spentOf(bought, world.clock.now()) + price <= limit;
              const begins: boolean = !one.aware || fits;
              assert.equal(result.rejection?.code, begins ? undefined : 'DAILY_LIMIT_REACHED');
              const { purchase } = result;
              assert.equal((await world.find(clientId, purchase.key)) !== undefined, begins);
              if (begins) bought.push({ purchase, state: purchase.state });
            }
          }
          const { spent } = await readDay(world.deps.db, clientId, utcDays(world.clock.now()));
          assert.equal(spent, spentOf(bought, world.clock.now()));
        }
      }),
      { numRuns: 25 },
    );
    assert.deepEqual(await world.problems(), []);
  });

  test('does not grow by refunds for another day', async () => {
    const clientId = await newClient();
    const guard = { ...none, dailyLimit: 100 };
    const [one, other] = [itemOf(clientId, { price: 60 }), itemOf(clientId, { price: 70 })];
    const { purchase } = await beginOne(one);
    await world.clock.advance(86_400_000);
    assert.equal(await reasonOf({ ...other, guard }), null);
    await end(purchase, 'failed');
    const { spent } = await readDay(world.deps.db, clientId, utcDays(world.clock.now()));
    assert.equal(spent, 70);
    const more = itemOf(clientId, { price: 40 }, guard);
    assert.equal(await reasonOf(more), 'DAILY_LIMIT_REACHED');
  });

  test('turns away nothing that had begun when the commit’s acknowledgement was lost', async () => {
    const clientId = await newClient();
    const item = itemOf(clientId, { price: 60 }, { ...none, dailyLimit: 100 });
    assert.equal((await beginOne(item)).ours, true);
    const again = await beginOne(item);
    assert.equal(again.rejection, undefined);
    assert.deepEqual([again.ours, again.purchase.state], [true, 'submitted']);
  });

  test('applies to one client, also in a batch with others', async () => {
    const [one, other] = [await newClient(), await newClient()];
    const guard = { ...none, dailyLimit: 25 };
    const items = [one, other, one, other].map((clientId) =>
      itemOf(clientId, { price: 20 }, clientId === one ? guard : undefined),
    );
    const results = await beginAll(world.deps, items);
    assert.deepEqual(
      results.map(({ rejection }) => rejection?.code),
      [undefined, undefined, 'DAILY_LIMIT_REACHED', undefined],
    );
  });

  test('goes by the days of the business time zone', async () => {
    const clientId = await newClient();
    const guard = { ...none, dailyLimit: 100 };
    const { now } = world.clock;
    const limitDayAt = daysIn('Asia/Tehran');
    const begin = async (price: number) => {
      const items = [itemOf(clientId, { price }, guard)];
      const [result] = await beginAll({ ...world.deps, limitDayAt }, items);
      return result?.rejection?.details.headers?.['retry-after'] ?? 'begun';
    };
    // To 20:00 UTC, half an hour before midnight in Tehran.
    await world.clock.advance(utcDays(now()).ends - now() + 20 * 3_600_000);
    assert.equal(await begin(60), 'begun');
    assert.equal(await begin(60), '1800');
    await world.clock.advance(30 * 60_000);
    assert.equal(await begin(60), 'begun');
    assert.equal(await begin(60), String(24 * 3600));
    const { spent } = await readDay(world.deps.db, clientId, limitDayAt(now()));
    assert.equal(spent, 60);
  });

  test('says how long the day still lasts, and the same key buys on the next', async () => {
    const clientId = await newClient();
    const rules = {
      products: null,
      operators: null,
      repeatSeconds: null,
      dailyLimit: 15_000,
      pendingStatus: 202,
    } as const;
    const buy = (key: string) => world.buying.buy({ ...requestOf(clientId, key), rules });
    assert.equal((await buy('first')).kind, 'answer');
    const { now } = world.clock;
    const left = utcDays(now()).ends - now();
    await assert.rejects(buy('second'), {
      code: 'DAILY_LIMIT_REACHED',
      details: {
        more: { daily_limit: 15_000, left_today: 5000 },
        headers: { 'retry-after': String(Math.ceil(left / 1000)) },
      },
    });
    assert.equal(await world.find(clientId, 'second'), undefined);
    await world.clock.advance(left);
    assert.equal((await buy('second')).kind, 'answer');
  });
});
