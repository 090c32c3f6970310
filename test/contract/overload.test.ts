/** Tests limits and circuit breakers: a quick 503 that holds and records nothing, while finished keys still answer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { at, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Answer, request, type TestServer } from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  buy,
  buyUnanswered,
  type Fields,
  listed,
  moneyOf,
  newKey,
  offer,
  operatorThat,
  purchaseOf,
  quickly,
  recorded,
  type Script,
  served,
  sold,
  untilOrdered,
  withServer,
} from './buying.ts';

const defaults = readConfig({});
const limits = (some: Partial<Config['limits']>): Pick<Config, 'limits'> => ({
  limits: { ...defaults.limits, ...some },
});

/** A package of operator 2. */
const ofTheOther: Fields = { ...aPackage, product_id: sold.tdLte };

/** An operator that delivers orders of operator 2 at once, and the rest when the test lets it. */
const heldOperator = () => {
  const held = Promise.withResolvers<void>();
  const operator = operatorThat({
    buy: async ({ ref, productId }) => {
      if (productId !== sold.tdLte) await held.promise;
      return { kind: 'done', ref };
    },
    deadlineMs: 60_000,
  });
  return { operator, release: () => held.resolve() };
};

describe('Beyond one operator’s limit of orders in flight', () => {
  test('a purchase is OVERLOADED: nothing is held, recorded or ordered, and the same key buys later', async () => {
    const { operator, release } = heldOperator();
    await withServer(
      served(operator, limits({ purchasesPerOperator: 2 })),
      async (server: TestServer) => {
        const inFlight = [buy(server, aPackage), buy(server, aPackage)];
        await untilOrdered(operator, 2);
        const before = await moneyOf(server);
        const key = newKey();
        assertRefused(await buy(server, aPackage, { key }), 'OVERLOADED');
        assert.deepEqual(await moneyOf(server), before);
        assert.equal(await recorded(server), 2);
        assert.equal(operator.asked.buy.length, 2);
        release();
        for (const answer of await Promise.all(inFlight)) assertSold(answer);
        assertSold(await buy(server, aPackage, { key }));
        assert.equal(await recorded(server), 3);
      },
    );
  });

  test('other operators continue, a finished key answers, and one in flight answers 202', async () => {
    const { operator, release } = heldOperator();
    const clock = manualClock();
    const config = { ...limits({ purchasesPerOperator: 1 }), purchases: quickly };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      const done = newKey();
      const first = await buy(server, ofTheOther, { key: done });
      const key = newKey();
      const held = buy(server, aPackage, { key });
      await untilOrdered(operator, 2);
      assertRefused(await buy(server, aPackage), 'OVERLOADED');
      assertSold(await buy(server, ofTheOther));
      assertRepeated(await buy(server, ofTheOther, { key: done }), first);
      await clock.advance(quickly.pendingAfterMs);
      assertRefused(await held, 'TRANSACTION_PENDING');
      assertRefused(await buy(server, aPackage, { key }), 'TRANSACTION_PENDING');
      assertRefused(await buy(server, aPackage), 'OVERLOADED');
      release();
      await eventually('the slot is free again', async () => {
        const answer = await buy(server, aPackage);
        return answer.status === 200;
      });
    });
  });

  test('slots are released by purchases that are refused, declined or left to recovery', async () => {
    const operator = operatorThat({
      buy: async ({ mobile }) =>
        mobile.endsWith('90')
          ? { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' }
          : { kind: 'unknown', detail: 'lost' },
      subscriber: async (mobile) =>
        mobile.endsWith('92')
          ? { kind: 'unknown', detail: 'silent' }
          : { kind: 'subscriber', simType: 'credit' },
    });
    const clock = manualClock();
    const config = {
      ...limits({ purchasesPerOperator: 1, purchases: 1 }),
      purchases: quickly,
      breaker: { ...defaults.breaker, leastCalls: 1000 },
    };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      for (let round = 0; round < 3; round += 1) {
        assertRefused(
          await buy(server, { ...aPackage, price: 1 }),
          'PRICE_MISMATCH',
          'expected_price',
        );
        assertRefused(await buy(server, { ...aPackage, product_id: 9999 }), 'PRODUCT_NOT_FOUND');
        const barred = { ...aPackage, mobile: '989123456790' };
        assertRefused(await buy(server, barred), 'OPERATOR_DECLINED');
        const untold = { ...aPackage, mobile: '989123456792' };
        assertRefused(await buy(server, untold), 'OPERATOR_UNAVAILABLE');
        const unanswered = await buyUnanswered(server, clock, aPackage);
        assertRefused(unanswered, 'TRANSACTION_PENDING');
      }
    });
  });
});

test('beyond the total limit of orders in flight, a purchase is OVERLOADED, whatever its operator', async () => {
  const { operator, release } = heldOperator();
  await withServer(served(operator, limits({ purchases: 2 })), async (server) => {
    const inFlight = [buy(server, aPackage), buy(server, aPackage)];
    await untilOrdered(operator, 2);
    assertRefused(await buy(server, ofTheOther), 'OVERLOADED');
    assertRefused(await buy(server, { ...aPackage, product_id: 9999 }), 'OVERLOADED');
    assert.equal(await recorded(server), 2);
    release();
    for (const answer of await Promise.all(inFlight)) assertSold(answer);
    assertSold(await buy(server, ofTheOther));
  });
});

test('beyond the limit of requests that wait for one purchase, a repeat gets 202 at once', async () => {
  const { operator, release } = heldOperator();
  await withServer(served(operator, limits({ waiting: 1 })), async (server) => {
    const key = newKey();
    const first = buy(server, aPackage, { key });
    await untilOrdered(operator, 1);
    const repeats = [buy(server, aPackage, { key }), buy(server, aPackage, { key })];
    const told = await Promise.race(repeats);
    assertRefused(told, 'TRANSACTION_PENDING');
    release();
    assertSold(await first);
    const answers: Answer[] = await Promise.all(repeats);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 202]));
    assert.equal(operator.asked.buy.length, 1);
  });
});

/** Readiness, as a probe reads it. */
const readiness = async (server: TestServer): Promise<unknown> => {
  const { status, body } = await request(server, '/health/ready', { token: null });
  return [status, at(body, 'selling'), /gateway is overloaded/.test(String(at(body, 'reason')))];
};

test('beyond the total limit of orders in flight, readiness says that nothing is sold', async () => {
  const { operator, release } = heldOperator();
  await withServer(served(operator, limits({ purchases: 1 })), async (server) => {
    assert.deepEqual(await readiness(server), [200, undefined, false]);
    const inFlight = buy(server, aPackage);
    await untilOrdered(operator, 1);
    assert.deepEqual(await readiness(server), [200, false, true]);
    release();
    assertSold(await inFlight);
    await eventually('it says that it sells', async () => {
      const { body } = await request(server, '/health/ready', { token: null });
      return at(body, 'selling') === undefined;
    });
  });
});

test('beyond the limit of client requests, one is OVERLOADED unread, and readiness says so', async () => {
  const { operator, release } = heldOperator();
  await withServer(served(operator, limits({ requests: 1 })), async (server) => {
    const inFlight = buy(server, aPackage);
    await untilOrdered(operator, 1);
    assertRefused(await buy(server, aPackage), 'OVERLOADED');
    // Anonymous callers have their own slots.
    assert.equal((await request(server, '/api/clients/products', { token: null })).status, 401);
    assert.deepEqual(await readiness(server), [200, false, true]);
    release();
    assertSold(await inFlight);
    await eventually('there is room again', async () => {
      const { status } = await request(server, '/api/clients/products');
      return status === 200;
    });
  });
});

/** Opens after four calls of which half got no answer; pauses until the test lets time pass. */
const breaker = { windowMs: 60_000, leastCalls: 4, silentPercent: 50, pauseMs: 60_000, trials: 1 };

/** An operator whose state a test changes; it does not answer orders unless it is healthy. */
const moodyOperator = (script: Script = {}) => {
  const mood = { well: false };
  const operator = operatorThat({
    buy: async ({ ref }) =>
      mood.well ? { kind: 'done', ref } : { kind: 'unknown', detail: 'lost' },
    ...script,
  });
  return { mood, operator };
};

/** Buys until the breaker opens; returns the earlier answers. */
const openBreaker = async (server: TestServer, clock: ManualClock): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (;;) {
    const answer = await buyUnanswered(server, clock, aPackage);
    if (answer.status === 503) return answers;
    assertRefused(answer, 'TRANSACTION_PENDING');
    assert.ok(answers.push(answer) <= breaker.leastCalls);
  }
};

describe('An operator that does not answer', () => {
  test('is paused: OPERATOR_UNAVAILABLE, nothing held, recorded or ordered; the others continue', async () => {
    const { mood, operator } = moodyOperator();
    const clock = manualClock();
    const config = { breaker, purchases: quickly };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      mood.well = true;
      const done = newKey();
      const sale = await buy(server, aPackage, { key: done });
      mood.well = false;
      const begun = await openBreaker(server, clock);
      const [before, orders] = [await moneyOf(server), operator.asked.buy.length];
      const refused = await buy(server, aPackage);
      assertRefused(refused, 'OPERATOR_UNAVAILABLE');
      assert.ok(Number(refused.headers.get('retry-after')) <= breaker.pauseMs / 1000);
      assert.deepEqual(await moneyOf(server), before);
      assert.equal(await recorded(server), 1 + begun.length);
      assert.equal(operator.asked.buy.length, orders);
      mood.well = true;
      assertSold(await buy(server, ofTheOther));
      assertRepeated(await buy(server, aPackage, { key: done }), sale);
    });
  });

  test('keeps its begun purchases as they are: unknown, and not failed', async () => {
    const { operator } = moodyOperator();
    const clock = manualClock();
    const config = { breaker, purchases: quickly };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      const begun = await openBreaker(server, clock);
      assert.equal(begun.length, breaker.leastCalls);
      for (const answer of begun) {
        assert.equal(at(await purchaseOf(server, answer), 'state'), 'unknown');
      }
      assert.equal((await moneyOf(server)).held, 10_000 * begun.length);
    });
  });

  test('sells again after its pause, under a key that was refused during it', async () => {
    const { mood, operator } = moodyOperator();
    const clock = manualClock();
    const config = { breaker, purchases: quickly };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      await openBreaker(server, clock);
      mood.well = true;
      const key = newKey();
      assertRefused(await buy(server, aPackage, { key }), 'OPERATOR_UNAVAILABLE');
      await clock.advance(breaker.pauseMs);
      assertSold(await buy(server, aPackage, { key }));
      const all = await Promise.all([buy(server, aPackage), buy(server, aPackage)]);
      for (const answer of all) assertSold(answer);
      const lines = server.logged.filter((line) =>
        /operator is (not responding|responding again)/.test(line),
      );
      assert.equal(lines.length, 2, 'start and end of its pause are logged, and not each refusal');
    });
  });

  test('sells again as soon as it answers an inquiry', async () => {
    const { mood, operator } = moodyOperator({
      status: async () => (mood.well ? { kind: 'pending' } : { kind: 'unknown', detail: 'silent' }),
    });
    const clock = manualClock();
    const purchases = { ...quickly, firstInquiryMs: 1000, widestInquiryMs: 1000 };
    await withServer({ ...served(operator, { breaker, purchases }), clock }, async (server) => {
      await openBreaker(server, clock);
      assertRefused(await buy(server, aPackage), 'OPERATOR_UNAVAILABLE');
      mood.well = true;
      await clock.advance(breaker.pauseMs / 2);
      assertSold(await buy(server, aPackage));
    });
  });

  test('to questions about subscribers counts the same', async () => {
    const operator = operatorThat({
      subscriber: async () => ({ kind: 'unknown', detail: 'silent' }),
    });
    await withServer(served(operator, { breaker }), async (server) => {
      for (let count = 0; count < 6; count += 1) {
        assertRefused(await buy(server, aPackage), 'OPERATOR_UNAVAILABLE');
      }
      assert.equal(operator.asked.subscriber.length, breaker.leastCalls);
      assert.deepEqual([await recorded(server), (await moneyOf(server)).held], [0, 0]);
    });
  });

  test('to requests for offers fails at once, and cached offers are still listed', async () => {
    const mood = { well: true };
    const operator = operatorThat({
      offers: async () => (mood.well ? listed(offer()) : { kind: 'unknown', detail: 'silent' }),
    });
    const ask = (server: TestServer, mobile: string): Promise<Answer> =>
      request(server, '/api/operator_2/offers/', { json: { mobile } });
    await withServer(served(operator, { breaker }), async (server) => {
      const remembered = '989123456700';
      assert.equal((await ask(server, remembered)).status, 200);
      mood.well = false;
      for (let count = 0; count < 6; count += 1) {
        assertRefused(await ask(server, `98912345671${count}`), 'OPERATOR_UNAVAILABLE');
      }
      assert.equal(operator.asked.offers.length, breaker.leastCalls);
      const again = await ask(server, remembered);
      assert.equal(listOf(at(again.body, 'offersList')).length, 1);
    });
  });
});

test('subscribers’ own errors, however many, do not open an operator’s breaker', async () => {
  const operator = operatorThat({
    buy: async ({ ref, mobile }) =>
      mobile.endsWith('90')
        ? { kind: 'refused', code: 'not_subscriber', blame: 'subscriber', reason: 'no such number' }
        : { kind: 'done', ref },
    subscriber: async (mobile) =>
      mobile.endsWith('91')
        ? { kind: 'not_subscriber' }
        : { kind: 'subscriber', simType: 'credit' },
  });
  await withServer(served(operator, { breaker }), async (server) => {
    for (let count = 0; count < 10; count += 1) {
      const mobile = `9891234567${count % 2 === 0 ? '90' : '91'}`;
      assertRefused(await buy(server, { ...aPackage, mobile }), 'OPERATOR_MISMATCH');
    }
    assertSold(await buy(server, aPackage));
  });
});
