/** Tests the answer to a purchase: sold or refused, recorded or not, and how long it may take. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { OrderOutcome, RefusalCode, StatusOutcome } from '../../src/connector/connector.ts';
import { at, listOf } from '../support/answers.ts';
import { deposit } from '../support/clients.ts';
import { importProducts } from '../support/import-products.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  shareServer,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  aTopUp,
  type BuyingCode,
  balanceShown,
  buy,
  buyUnanswered,
  catalogue,
  type Fields,
  moneyOf,
  newKey,
  operatorThat,
  packages,
  postpaid,
  prepaid,
  purchaseDefaults,
  purchaseOf,
  quickly,
  recorded,
  served,
  sold,
  type TestOperator,
  topUps,
  turn,
  untilOrdered,
  withServer,
} from './buying.ts';
import { sampleProduct } from './sample-product.ts';

const barred = '989123456790';
const notSubscriber = '989123456791';

/** Fails unless the repeat is the first answer again, and nothing was done for it. */
const assertRecorded = async (
  server: TestServer,
  first: Answer,
  repeat: () => Promise<Answer>,
): Promise<void> => {
  const money = await moneyOf(server);
  const count = await recorded(server);
  for (let times = 0; times < 3; times += 1) assertRepeated(await repeat(), first);
  assert.deepEqual(await moneyOf(server), money);
  assert.equal(await recorded(server), count);
};

describe('A success', () => {
  const withClient = shareServer({ products: catalogue });

  for (const [path, fields, price] of [
    [packages, aPackage, 10_000],
    [topUps, aTopUp, 5000],
  ] as const) {
    test(`at ${path} is 200 with one field, its ids in headers, and costs its price`, () =>
      withClient(async (server) => {
        const answer = await buy(server, fields, { path });
        assertSold(answer);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000 - price, held: 0 });
        assert.equal(await balanceShown(server), 1_000_000 - price);
        const purchase = await purchaseOf(server, answer);
        assert.equal(at(purchase, 'state'), 'succeeded');
        assert.equal(at(purchase, 'charged'), 'yes');
      }));
  }

  test('is replayed byte for byte, and costs nothing more', () => {
    const operator = operatorThat();
    return withServer(served(operator), async (server) => {
      const key = newKey();
      const first = await buy(server, aPackage, { key });
      assertSold(first);
      await assertRecorded(server, first, () => buy(server, aPackage, { key }));
      assert.equal(operator.asked.buy.length, 1);
    });
  });

  test('is replayed even after product, price, funds and operator have changed', () => {
    let down = false;
    const operator = operatorThat({
      subscriber: async () =>
        down ? { kind: 'unknown', detail: 'down' } : { kind: 'subscriber', simType: 'credit' },
      buy: async ({ ref }) => {
        assert.ok(!down);
        return { kind: 'done', ref };
      },
    });
    const clock = manualClock();
    return withServer({ ...served(operator), clock, balance: 10_000 }, async (server) => {
      const key = newKey();
      const first = await buy(server, aPackage, { key });
      assertSold(first);
      down = true;
      await importProducts(server.deps, [sampleProduct({ id: sold.credit, price: 1, status: 0 })]);
      await clock.advance(2000);
      assertRefused(await buy(server, aPackage), 'PRODUCT_INACTIVE');
      await assertRecorded(server, first, () => buy(server, aPackage, { key }));
    });
  });

  test('goes to the operator under the id of the purchase, with all requested fields', () => {
    const operator = operatorThat();
    return withServer(served(operator), async (server) => {
      const answer = await buy(server, { ...aPackage, product_id: sold.withProfile });
      assert.deepEqual(operator.asked.buy, [
        {
          ref: answer.headers.get('purchase-id'),
          mobile: prepaid,
          amount: 10_000,
          productId: sold.withProfile,
          simType: 'credit',
          profileId: '42',
        },
      ]);
    });
  });
});

type Case = {
  readonly code: BuyingCode;
  readonly fields: Fields;
  readonly path?: string;
  readonly more?: readonly ('errors' | 'expected_price' | 'offers')[];
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether it came from the operator, after the money was held. */
  readonly ordered?: boolean;
};

const refusals: Readonly<Record<string, Case>> = {
  'an insufficient balance': {
    code: 'INSUFFICIENT_BALANCE',
    fields: { ...aPackage, product_id: sold.range, price: 20_001 },
  },
  'an unknown product': {
    code: 'PRODUCT_NOT_FOUND',
    fields: { ...aPackage, product_id: 999_999 },
  },
  'a product on the wrong path': {
    code: 'VALIDATION_FAILED',
    fields: aPackage,
    path: topUps,
    more: ['errors'],
    body: { errors: { product_id: ['Buy this product at /api/top-up/package/.'] } },
  },
  'a product that is switched off': {
    code: 'PRODUCT_INACTIVE',
    fields: { ...aPackage, product_id: sold.switchedOff },
  },
  'another price than a fixed one': {
    code: 'PRICE_MISMATCH',
    fields: { ...aPackage, price: 9999 },
    more: ['expected_price'],
    body: { expected_price: 10_000 },
  },
  'a price below the range': {
    code: 'AMOUNT_OUT_OF_RANGE',
    fields: { ...aPackage, product_id: sold.range, price: 9999 },
  },
  'a price above the range': {
    code: 'AMOUNT_OUT_OF_RANGE',
    fields: { ...aTopUp, product_id: sold.topUpRange, price: 100_001 },
    path: topUps,
  },
  'a number of another operator': {
    code: 'OPERATOR_MISMATCH',
    fields: { ...aPackage, mobile: notSubscriber },
  },
  'a postpaid number for a prepaid product': {
    code: 'SIM_TYPE_MISMATCH',
    fields: { ...aPackage, mobile: postpaid },
  },
  'a prepaid number for a postpaid product': {
    code: 'SIM_TYPE_MISMATCH',
    fields: { ...aPackage, product_id: sold.permanent },
  },
  'an operator that declines': {
    code: 'OPERATOR_DECLINED',
    fields: { ...aPackage, mobile: barred },
    ordered: true,
  },
};

describe('A refusal', () => {
  const withClient = shareServer({ products: catalogue });

  for (const [what, { code, fields, path = packages, more = [], body, ordered }] of Object.entries(
    refusals,
  )) {
    test(`of ${what} is ${code}, takes no money, and is recorded for good`, () =>
      withClient(async (server) => {
        const key = newKey();
        const first = await buy(server, fields, { key, path });
        assertRefused(first, code, ...more);
        for (const [name, value] of Object.entries(body ?? {})) {
          assert.deepEqual(at(first.body, name), value);
        }
        assert.equal(at(first.body, 'request_id'), first.headers.get('request-id'));
        assert.deepEqual(await moneyOf(server), { available: 20_000, held: 0 });
        const purchase = await purchaseOf(server, first);
        assert.equal(at(purchase, 'state'), ordered ? 'failed' : 'refused');
        assert.equal(at(purchase, 'charged'), 'no');
        assert.equal(at(purchase, 'reason'), code);
        await deposit(server.deps, { clientId: server.client.id, amount: 1_000_000 });
        await assertRecorded(server, first, () => buy(server, fields, { key, path }));
      }, 20_000));
  }

  test('of funds is lifted by a deposit and a new key, as it says, and not for the old key', () =>
    withClient(async (server) => {
      const key = newKey();
      const poor = await buy(server, aPackage, { key });
      assertRefused(poor, 'INSUFFICIENT_BALANCE');
      await deposit(server.deps, { clientId: server.client.id, amount: 1 });
      assertRepeated(await buy(server, aPackage, { key }), poor);
      assertSold(await buy(server, aPackage));
      assert.deepEqual(await moneyOf(server), { available: 0, held: 0 });
    }, 9999));

  test('includes the reason of an operator that declines', () =>
    withClient(async (server) => {
      const { body } = await buy(server, { ...aPackage, mobile: barred });
      assert.match(String(at(body, 'message')), /barred/);
      assert.match(String(at(body, 'message')), /[Nn]othing was charged/);
    }));

  test('includes the range of a product, both ends of which are sold', () =>
    withClient(async (server) => {
      const range = { ...aPackage, product_id: sold.range };
      const { body } = await buy(server, { ...range, price: 1 });
      assert.match(String(at(body, 'message')), /from 10000 to 50000/);
      for (const price of [10_000, 10_001, 49_999, 50_000]) {
        const answer = await buy(server, { ...range, price });
        assertSold(answer);
        assert.equal(at(await purchaseOf(server, answer), 'price'), price);
      }
      assert.deepEqual(await moneyOf(server), { available: 880_000, held: 0 });
    }));

  test('of an operator that alone knows its subscribers is mapped to the same codes', async () => {
    const mapped: Readonly<Record<string, readonly [RefusalCode, BuyingCode]>> = {
      'not its subscriber': ['not_subscriber', 'OPERATOR_MISMATCH'],
      'the other SIM': ['wrong_sim_type', 'SIM_TYPE_MISMATCH'],
      'no connection': ['unreachable', 'ORDER_NOT_RECEIVED'],
      'anything else': ['declined', 'OPERATOR_DECLINED'],
    };
    for (const [reason, [word, code]] of Object.entries(mapped)) {
      const operator = operatorThat({
        buy: async () => ({ kind: 'refused', code: word, blame: 'request', reason }),
      });
      await withServer(served(operator), async (server) => {
        const key = newKey();
        const first = await buy(server, aPackage, { key });
        assertRefused(first, code);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
        assert.equal(at(await purchaseOf(server, first), 'state'), 'failed');
        await assertRecorded(server, first, () => buy(server, aPackage, { key }));
        assert.equal(operator.asked.buy.length, 1);
      });
    }
  });
});

describe('What is not recorded', () => {
  const withClient = shareServer({ products: catalogue });

  test('is an invalid request: the same key may be sent again, corrected', () =>
    withClient(async (server) => {
      const key = newKey();
      const wrong = { ...aPackage, price: 'much' };
      assertRefused(await buy(server, wrong, { key }), 'VALIDATION_FAILED', 'errors');
      const badNumber = { ...aPackage, mobile: 'none' };
      assertRefused(await buy(server, badNumber, { key }), 'INVALID_MOBILE', 'errors');
      assert.equal(await recorded(server), 0);
      assertSold(await buy(server, aPackage, { key }));
    }));

  test('is a wrong token, a missing key or an exceeded rate', () => {
    const clock = manualClock();
    const rateLimits = { client: { perSecond: 1, burst: 1 } };
    return withServer({ clock, config: { rateLimits } }, async (server) => {
      const key = newKey();
      const unknown = await buy(server, aPackage, { key, token: 'simgate_unknown' });
      assert.equal(unknown.status, 401);
      assertRefused(await buy(server, aPackage, { key: null }), 'IDEMPOTENCY_KEY_MISSING');
      assertRefused(await buy(server, aPackage, { key }), 'RATE_LIMITED');
      assert.equal(await recorded(server), 0);
      await clock.advance(1000);
      assertSold(await buy(server, aPackage, { key }));
    });
  });

  const silent: Readonly<Record<string, TestOperator>> = {
    'says that it does not know': operatorThat({
      subscriber: async () => ({ kind: 'unknown', detail: 'down' }),
    }),
    'breaks off': operatorThat({
      subscriber: () => Promise.reject(new Error('reset')),
    }),
    'never answers': operatorThat({
      subscriber: () => new Promise(() => {}),
      deadlineMs: 20,
    }),
  };

  for (const [what, operator] of Object.entries(silent)) {
    test(`is an operator that ${what} when asked about the subscriber: 503, and nothing is held`, () =>
      withServer(served(operator), async (server) => {
        const answer = await buy(server, aPackage);
        assertRefused(answer, 'OPERATOR_UNAVAILABLE');
        assert.equal(answer.headers.get('purchase-id'), null);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
        assert.equal(await recorded(server), 0);
      }));
  }

  test('is an unavailable operator: the same key buys when it is back', () => {
    let down = true;
    const operator = operatorThat({
      subscriber: async () =>
        down ? { kind: 'unknown', detail: 'down' } : { kind: 'subscriber', simType: 'credit' },
    });
    return withServer(served(operator), async (server) => {
      const key = newKey();
      const first = await buy(server, aPackage, { key });
      const second = await buy(server, aPackage, { key });
      for (const answer of [first, second]) assertRefused(answer, 'OPERATOR_UNAVAILABLE');
      assert.notEqual(at(first.body, 'request_id'), at(second.body, 'request_id'));
      down = false;
      assertSold(await buy(server, aPackage, { key }));
      assert.equal(operator.asked.buy.length, 1);
    });
  });

  test('is an error of ours, such as a deleted table: 500, and the operator gets no call', () => {
    const operator = operatorThat();
    return withServer(served(operator), async (server) => {
      assertSold(await buy(server, aPackage));
      await server.deps.db.destroy();
      assertRefused(await buy(server, aPackage), 'INTERNAL_ERROR');
      assert.equal(operator.asked.buy.length, 1);
    });
  });

  test('is a reused key: nothing changes, neither the first purchase nor the money', () =>
    withClient(async (server) => {
      const key = newKey();
      const first = await buy(server, aPackage, { key });
      const other = await buy(server, { ...aPackage, webservice_code: 'another' }, { key });
      assertRefused(other, 'IDEMPOTENCY_KEY_REUSED');
      assert.equal(at(other.body, 'request_id'), other.headers.get('request-id'));
      await assertRecorded(server, first, () => buy(server, aPackage, { key }));
      assert.equal(at(await purchaseOf(server, first), 'webservice_code'), 'order 1');
    }));
});

/** An operator that answers an order when the test says so, and inquiries as the test decides. */
const heldOperator = (): TestOperator & {
  readonly answer: (outcome: OrderOutcome) => void;
  readonly say: (outcome: StatusOutcome) => void;
} => {
  const answer = Promise.withResolvers<OrderOutcome>();
  let status: StatusOutcome = { kind: 'pending' };
  const operator = operatorThat(
    { buy: () => answer.promise, status: async () => status, deadlineMs: 60_000 },
    {
      settlesWithin: 1000,
      inquiries: { firstInquiryMs: 1000, widestInquiryMs: 1000, reviewAfterMs: 600_000 },
    },
  );
  return {
    ...operator,
    answer: answer.resolve,
    say: (outcome) => {
      status = outcome;
    },
  };
};

const done: OrderOutcome = { kind: 'done', ref: 'receipt' };

describe('While a purchase is in flight', () => {
  test('its money is held: off the balance that lists show, and released if it fails', async () => {
    for (const [outcome, available] of [
      [done, 990_000],
      [
        { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' } as const,
        1_000_000,
      ],
    ] as const) {
      const operator = heldOperator();
      await withServer(served(operator), async (server) => {
        const waiting = buy(server, aPackage);
        await untilOrdered(operator, 1);
        assert.deepEqual(await moneyOf(server), { available: 990_000, held: 10_000 });
        assert.equal(await balanceShown(server), 990_000);
        const filtered = await request(server, '/api/filter', { json: { table: 'product' } });
        assert.equal(at(filtered.body, 'balance'), 990_000);
        operator.answer(outcome);
        await waiting;
        assert.deepEqual(await moneyOf(server), { available, held: 0 });
        assert.equal(await balanceShown(server), available);
      });
    }
  });

  test('what is held cannot be spent again', () => {
    const operator = heldOperator();
    return withServer({ ...served(operator), balance: 15_000 }, async (server) => {
      const waiting = buy(server, aPackage);
      await untilOrdered(operator, 1);
      assertRefused(await buy(server, aPackage), 'INSUFFICIENT_BALANCE');
      operator.answer(done);
      assertSold(await waiting);
      assert.deepEqual(await moneyOf(server), { available: 5000, held: 0 });
    });
  });

  test('concurrent repeats share one order and its answer; one of them is the first', () => {
    const operator = heldOperator();
    return withServer(served(operator), async (server) => {
      const key = newKey();
      const first = buy(server, aPackage, { key });
      await untilOrdered(operator, 1);
      const repeats = Array.from({ length: 20 }, () => buy(server, aPackage, { key }));
      for (let count = 0; count < 5; count += 1) await request(server, '/health/ready');
      operator.answer(done);
      const answers = await Promise.all([first, ...repeats]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(new Set(answers.map(({ headers }) => headers.get('purchase-id'))).size, 1);
      assertSold(await first);
      for (const repeat of await Promise.all(repeats)) assertSold(repeat, true);
      assert.equal(operator.asked.buy.length, 1);
      assert.deepEqual(await moneyOf(server), { available: 990_000, held: 0 });
    });
  });

  test('concurrent repeats of a refusal share its recorded bytes', () => {
    const operator = heldOperator();
    return withServer(served(operator), async (server) => {
      const key = newKey();
      const sent = Array.from({ length: 10 }, () => buy(server, aPackage, { key }));
      await untilOrdered(operator, 1);
      operator.answer({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'No' });
      const answers = await Promise.all(sent);
      for (const answer of answers) assertRefused(answer, 'OPERATOR_DECLINED');
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      const repeated = answers.filter(({ headers }) => headers.get('idempotent-replayed'));
      assert.equal(repeated.length, answers.length - 1);
    });
  });

  test('its key with other fields is reused at once, without waiting', () => {
    const operator = heldOperator();
    return withServer(served(operator), async (server) => {
      const key = newKey();
      const waiting = buy(server, aPackage, { key });
      await untilOrdered(operator, 1);
      const other = await buy(server, { ...aPackage, webservice_code: 'other' }, { key });
      assertRefused(other, 'IDEMPOTENCY_KEY_REUSED');
      operator.answer(done);
      assertSold(await waiting);
    });
  });

  test("the same key of another client is that client's own", () => {
    const operator = operatorThat();
    return withServer(served(operator), async (server) => {
      const other = await addClient(server, { balance: 10_000 });
      const key = newKey();
      const [one, two] = await Promise.all([
        buy(server, aPackage, { key }),
        buy(server, aPackage, { key, token: other.token }),
      ]);
      assertSold(one);
      assertSold(two);
      assert.equal(operator.asked.buy.length, 2);
    });
  });
});

const assertPending = (answer: Answer): void => {
  assertRefused(answer, 'TRANSACTION_PENDING');
  assert.doesNotMatch(String(at(answer.body, 'message')), /success|sold|bought|deliver|accept/i);
  assert.match(answer.headers.get('purchase-id') ?? '', /^[\da-f-]{36}$/);
  assert.equal(answer.headers.get('idempotent-replayed'), null);
};

describe('A purchase that takes long', () => {
  test('is 202 for all waiting requests 25 seconds after the first began, and for later repeats at once', () => {
    const operator = heldOperator();
    const clock = manualClock();
    return withServer({ ...served(operator), clock }, async (server) => {
      const key = newKey();
      let answered = 0;
      const count = (answer: Answer): Answer => {
        answered += 1;
        return answer;
      };
      const first = buy(server, aPackage, { key }).then(count);
      await untilOrdered(operator, 1);
      await clock.advance(15_000);
      const repeat = buy(server, aPackage, { key }).then(count);
      for (let times = 0; times < 5; times += 1) await request(server, '/health/ready');
      await clock.advance(9999);
      for (let times = 0; times < 5; times += 1) await request(server, '/health/ready');
      assert.equal(answered, 0);
      await clock.advance(1);
      assertPending(await first);
      assertPending(await repeat);
      assertPending(await buy(server, aPackage, { key }));
      assert.equal(operator.asked.buy.length, 1);
      assert.deepEqual(await moneyOf(server), { available: 990_000, held: 10_000 });
      assert.equal(at(await purchaseOf(server, await first), 'charged'), 'unknown');
      // The server stops only after the order in flight.
      operator.answer(done);
    });
  });

  for (const [end, status, state, available] of [
    [done, 200, 'succeeded', 990_000],
    [
      { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' },
      422,
      'failed',
      1_000_000,
    ],
  ] as const) {
    test(`ends ${state} by inquiry after its 202, and from then on answers ${status}, the same bytes`, () => {
      const operator = heldOperator();
      const clock = manualClock();
      const purchases = { ...purchaseDefaults, pendingAfterMs: 1000 };
      return withServer({ ...served(operator, { purchases }), clock }, async (server) => {
        const key = newKey();
        const first = buy(server, aPackage, { key });
        await untilOrdered(operator, 1);
        await clock.advance(1000);
        assertPending(await first);
        assertPending(await buy(server, aPackage, { key }));
        operator.say(end);
        // Past the lease of the first attempt: then recovery inquires.
        await clock.advance(25_000);
        const final = await buy(server, aPackage, { key });
        assert.equal(final.status, status);
        assert.equal(final.headers.get('idempotent-replayed'), 'true');
        assert.equal(final.headers.get('purchase-id'), (await first).headers.get('purchase-id'));
        assert.equal(at(await purchaseOf(server, final), 'state'), state);
        assert.deepEqual(await moneyOf(server), { available, held: 0 });
        const again = await buy(server, aPackage, { key });
        assert.deepEqual([again.status, again.text], [final.status, final.text]);
        // The answer to the first attempt comes too late to change anything.
        operator.answer({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'late' });
        await turn();
        assert.equal((await buy(server, aPackage, { key })).text, final.text);
        assert.deepEqual(await moneyOf(server), { available, held: 0 });
      });
    });
  }

  test('is not 202 if the operator answers just in time', () => {
    const operator = heldOperator();
    const clock = manualClock();
    return withServer({ ...served(operator), clock }, async (server) => {
      const first = buy(server, aPackage);
      await untilOrdered(operator, 1);
      await clock.advance(19_000);
      operator.answer(done);
      assertSold(await first);
    });
  });

  test('whose outcome is unknown is never a 5xx: it waits, and then it is 202', () => {
    const operator = operatorThat({ buy: () => Promise.reject(new Error('HTTP 500')) });
    const clock = manualClock();
    return withServer({ ...served(operator, { purchases: quickly }), clock }, async (server) => {
      const key = newKey();
      const answer = await buyUnanswered(server, clock, aPackage, { key });
      assertPending(answer);
      assert.equal(at(await purchaseOf(server, answer), 'state'), 'unknown');
      assertRefused(
        await buy(server, { ...aPackage, price: 10_001 }, { key }),
        'IDEMPOTENCY_KEY_REUSED',
      );
      assertPending(await buy(server, aPackage, { key }));
      assert.equal(operator.asked.buy.length, 1);
      assert.deepEqual(await moneyOf(server), { available: 990_000, held: 10_000 });
    });
  });
});

describe('While draining', () => {
  test('finished keys still answer, new ones are DRAINING, and work in flight completes', () => {
    const operator = heldOperator();
    return withServer(served(operator), async (server) => {
      const refusedKey = newKey();
      const refused = await buy(server, { ...aPackage, price: 1 }, { key: refusedKey });
      const key = newKey();
      const waiting = buy(server, aPackage, { key });
      await untilOrdered(operator, 1);
      server.drain();
      assertRefused(await buy(server, aPackage), 'DRAINING');
      assertRefused(await buy(server, aTopUp, { path: topUps }), 'DRAINING');
      const finished = await buy(server, { ...aPackage, price: 1 }, { key: refusedKey });
      assertRepeated(finished, refused);
      const repeat = buy(server, aPackage, { key });
      operator.answer(done);
      assertSold(await waiting);
      const repeated = await repeat;
      assertSold(repeated, true);
      assert.equal(repeated.headers.get('connection'), 'close');
      assert.equal(operator.asked.buy.length, 1);
      assert.equal(await recorded(server), 2);
    });
  });
});

test('In production an operator without a connector sells nothing, and nothing is charged', () => {
  const { operators } = readConfig({ NODE_ENV: 'production', DATA_DIR: './data' });
  return withServer({ config: { operators }, balance: 50_000 }, async (server) => {
    assertRefused(await buy(server, aPackage), 'OPERATOR_UNAVAILABLE');
    assertRefused(await buy(server, aTopUp, { path: topUps }), 'OPERATOR_UNAVAILABLE');
    assert.equal(await recorded(server), 0);
    assert.deepEqual(await moneyOf(server), { available: 50_000, held: 0 });
  });
});

test('Every purchase and refusal leaves a balanced ledger', () =>
  withServer({ balance: 50_000 }, async (server) => {
    for (const { fields, path = packages } of Object.values(refusals)) {
      await buy(server, fields, { path });
    }
    assertSold(await buy(server, aPackage));
    const { body } = await request(server, '/api/purchases');
    const spent = listOf(at(body, 'data'))
      .filter((one) => at(one, 'charged') === 'yes')
      .reduce<number>((sum, one) => sum + Number(at(one, 'price')), 0);
    assert.equal(listOf(at(body, 'data')).length, Object.keys(refusals).length + 1);
    assert.deepEqual(await moneyOf(server), { available: 50_000 - spent, held: 0 });
  }));
