/** Tests buying on a real database: one key gives one purchase and one answer, however it is retried. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import {
  createWorld,
  offer,
  price,
  requestOf,
  type World,
} from '../../test/support/purchase-world.ts';
import type { OrderOutcome } from '../connector/connector.ts';
import type { Db } from '../db/types.ts';
import { GatewayError } from '../lib/errors.ts';
import { type BuyResult, createBuying } from './buy.ts';
import { PlaceNotTrusted } from './commit/begin.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.client('a');
});
afterEach(() => world.end());

const bodyOf = (result: BuyResult): unknown => {
  assert.ok(result.kind === 'answer', 'it is pending');
  return JSON.parse(result.answer.body);
};
const codeOf = (result: BuyResult): string => {
  const body = bodyOf(result);
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : 'sold';
};
const buy = (key: string, fields: Parameters<typeof requestOf>[2] = {}): Promise<BuyResult> =>
  world.buying.buy(requestOf('a', key, fields));
const rejectedWith = (code: string) => (error: unknown) =>
  error instanceof GatewayError && error.code === code;

// A repeat that does not join would wait for a clock that never moves.
test('each key orders once, and all its requests get the same bytes', {
  timeout: 60_000,
}, async () => {
  await world.client('rich', 1000 * price);
  let runs = 0;
  const keys = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(keys, async (drawn) => {
      runs += 1;
      const before = world.orders.length;
      const named = drawn.map((key) => `${runs}-${key}`);
      const results = await Promise.all(
        named.map((key, index) =>
          world.buying.buy({ ...requestOf('rich', key), requestId: `request ${index}` }),
        ),
      );
      assert.equal(world.orders.length - before, new Set(named).size);
      const byKey = Map.groupBy(results, (_, index) => named[index] ?? '');
      for (const of of byKey.values()) {
        assert.equal(of.filter((one) => one.kind === 'answer' && !one.replayed).length, 1);
        const same = of.map((one) => ({ ...one, replayed: true }));
        assert.deepEqual(new Set(same.map((one) => JSON.stringify(one))).size, 1);
      }
    }),
    { numRuns: 20 },
  );
  assert.deepEqual(await world.problems(), []);
});

test('a repeat gets the recorded answer, even after the product, the price and the balance are gone', async () => {
  const sold = await buy('key', { price });
  const rest = await buy('all', { productId: 2, price: 2 * price });
  const other = world.restarted();
  world.say({ buy: () => assert.fail('ordered again'), subscriber: () => assert.fail('judged') });
  const again = await other.buying.buy({ ...requestOf('a', 'key'), requestId: 'another' });
  assert.deepEqual(again, { ...sold, replayed: true });
  assert.equal(codeOf(rest), 'sold');
});

test('a key with other fields is refused, while the first is in flight and after', async () => {
  const answer = Promise.withResolvers<OrderOutcome>();
  world.say({ buy: () => answer.promise });
  const first = buy('key');
  await assert.rejects(
    buy('key', { webserviceCode: 'other' }),
    rejectedWith('IDEMPOTENCY_KEY_REUSED'),
  );
  answer.resolve({ kind: 'done', ref: 'r' });
  assert.equal(codeOf(await first), 'sold');
  await assert.rejects(buy('key', { price: price + 1 }), rejectedWith('IDEMPOTENCY_KEY_REUSED'));
  assert.equal(world.orders.length, 1);
});

test('refusals for rules and balance are recorded, and stay when their cause is gone', async () => {
  await world.client('poor', price - 1);
  const cases = [
    ['PRODUCT_NOT_FOUND', 'a', { productId: 99 }],
    ['VALIDATION_FAILED', 'a', { productId: 3 }],
    ['PRICE_MISMATCH', 'a', { price: price - 1 }],
    ['AMOUNT_OUT_OF_RANGE', 'a', { productId: 2, price: 2 * price + 1 }],
    ['INSUFFICIENT_BALANCE', 'poor', {}],
  ] as const;
  for (const [code, clientId, fields] of cases) {
    const request = requestOf(clientId, `key of ${code}`, fields);
    const first = await world.buying.buy(request);
    assert.equal(codeOf(first), code);
    const again = await world.restarted().buying.buy({ ...request, requestId: 'another' });
    assert.deepEqual(again, { ...first, replayed: true });
  }
  assert.deepEqual(world.orders, []);
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
});

test('if the operator cannot check the subscriber, nothing is recorded and the key can be retried', async () => {
  world.say({ subscriber: async () => ({ kind: 'unknown', detail: 'away' }) });
  await assert.rejects(buy('key'), rejectedWith('OPERATOR_UNAVAILABLE'));
  assert.equal(await world.find('a', 'key'), undefined);
  world.say({ subscriber: async () => ({ kind: 'subscriber', simType: 'credit' }) });
  assert.equal(codeOf(await buy('key')), 'sold');
});

test('an order that the operator refuses fails with its code, and the money is released', async () => {
  const codes = {
    declined: 'OPERATOR_DECLINED',
    out_of_stock: 'OPERATOR_DECLINED',
    out_of_funds: 'OPERATOR_DECLINED',
    throttled: 'OPERATOR_DECLINED',
    not_subscriber: 'OPERATOR_MISMATCH',
    wrong_sim_type: 'SIM_TYPE_MISMATCH',
    offer_gone: 'OFFER_EXPIRED',
    price_changed: 'PRICE_CHANGED',
  } as const;
  for (const refusal of [
    'declined',
    'out_of_stock',
    'out_of_funds',
    'throttled',
    'not_subscriber',
    'wrong_sim_type',
    'offer_gone',
    'price_changed',
  ] as const) {
    world.say({
      buy: async () => ({ kind: 'refused', code: refusal, blame: 'request', reason: 'Why not.' }),
    });
    const result = await buy(refusal);
    assert.equal(codeOf(result), codes[refusal]);
    const body = bodyOf(result);
    const withOffers = typeof body === 'object' && body !== null && 'offers' in body;
    assert.equal(withOffers, refusal === 'offer_gone' || refusal === 'price_changed');
  }
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
});

test('a personal offer is sold at the price that was shown, even if the operator asks more now', async () => {
  const [operator] = world.deps.registry.all;
  assert.ok(operator !== undefined);
  await world.client('rich', 100 * price);
  const request = (key: string, sent: number) =>
    world.buying.buy(
      requestOf('rich', key, {
        productId: 510,
        price: sent,
        offer: { code: offer.code, type: offer.type },
      }),
    );
  await world.deps.offers.list(operator, '989121234500');
  const dearer = { ...offer, amount: '40000' };
  world.say({
    offers: async () => ({ kind: 'offers', offers: [dearer], transactionId: '', message: '' }),
  });
  assert.equal(codeOf(await request('as shown', 33_000)), 'sold');
  assert.equal(
    codeOf(await request('as it is now', 44_000)),
    'sold',
    'asked afresh before refusing',
  );
  assert.equal(codeOf(await request('as shown, too late', 33_000)), 'PRICE_MISMATCH');
  assert.deepEqual(
    world.orders.map(({ amount }) => amount),
    [33_000, 44_000],
  );
});

test("the product's profile goes to the operator, and a client cannot choose another", async () => {
  const own = { productId: 4, profileId: 'its own' };
  assert.equal(codeOf(await buy('own', { productId: 4 })), 'sold');
  assert.equal(codeOf(await buy('sent', own)), 'sold');
  assert.equal(codeOf(await buy('other', { ...own, profileId: 'other' })), 'VALIDATION_FAILED');
  assert.equal(codeOf(await buy('none', { profileId: 'ignored' })), 'sold');
  assert.deepEqual(
    world.orders.map(({ profileId }) => profileId),
    ['its own', 'its own', undefined],
  );
});

test('a personal offer passes the profile of the request on to the operator', async () => {
  const wanted = { productId: 510, price: 33_000, offer: { code: offer.code, type: offer.type } };
  world.say({
    offers: async () => ({ kind: 'offers', offers: [offer], transactionId: '', message: '' }),
  });
  assert.equal(codeOf(await buy('offered', { ...wanted, profileId: 'sent' })), 'sold');
  assert.deepEqual(
    world.orders.map(({ profileId }) => profileId),
    ['sent'],
  );
});

test('after the time to wait all requests get 202, and later repeats get it at once', async () => {
  world.say({ buy: () => new Promise(() => {}), status: async () => ({ kind: 'pending' }) });
  const waiting = [buy('key'), buy('key')];
  await world.clock.advance(24_999);
  const early = await Promise.race([...waiting, world.clock.advance(0)]);
  assert.equal(early, undefined, 'not before the time');
  await world.clock.advance(1);
  const results = await Promise.all(waiting);
  assert.ok(results.every(({ kind }) => kind === 'pending'));
  assert.equal((await buy('key')).kind, 'pending', 'without waiting');
  assert.equal((await world.accountOf('a')).held, price);
});

test('an order is not sent once its time to send has passed', async () => {
  const { begin } = world.deps.transact;
  const slow = async (...args: Parameters<typeof begin>): ReturnType<typeof begin> => {
    const begun = await begin(...args);
    // The process is suspended between the commit and the order.
    await world.clock.advance(1000);
    return begun;
  };
  const transact = { ...world.deps.transact, begin: slow };
  const bought = createBuying({ ...world.deps, transact }).buy(requestOf('a', 'key'));
  await world.clock.advance(26_000);
  assert.equal((await bought).kind, 'pending');
  assert.deepEqual(world.orders, []);
});

test('during shutdown nothing new is bought, and finished keys still answer', async () => {
  const sold = await buy('key');
  world.buying.drain();
  await assert.rejects(buy('new'), rejectedWith('DRAINING'));
  assert.deepEqual(await buy('key'), { ...sold, replayed: true });
  assert.equal(await world.find('a', 'new'), undefined);
});

test('if the commit’s acknowledgement is lost, retrying under the same id finds it and orders once', async () => {
  const { begin } = world.deps.transact;
  let lost = 0;
  const transact = {
    ...world.deps.transact,
    begin: async (...args: Parameters<typeof begin>): ReturnType<typeof begin> => {
      const begun = await begin(...args);
      lost += 1;
      if (lost === 1) throw new Error('the acknowledgement was lost');
      return begun;
    },
  };
  const bought = createBuying({ ...world.deps, transact }).buy(requestOf('a', 'key'));
  await world.clock.advance(100);
  const result = await bought;
  assert.equal(codeOf(result), 'sold');
  assert.deepEqual([lost, world.orders.length], [2, 1]);
  assert.ok(result.kind === 'answer' && !result.replayed, 'it is the same purchase');
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
});

for (const [what, leave] of [
  ['in another place', (place: { signature: string }) => (place.signature = 'another')],
  [
    'by an instance that others consider dead',
    (place: { registered: boolean }) => (place.registered = false),
  ],
] as const) {
  test(`an answer that the database lacks is not replayed ${what}`, async () => {
    const place = { signature: 'first', registered: true };
    const buying = createBuying({
      ...world.deps,
      place: {
        signature: () => place.signature,
        registered: () => place.registered,
        within: async () => undefined,
      },
    });
    const { db } = world.deps;
    await world.client('poor', 0);
    assert.equal(codeOf(await buying.buy(requestOf('poor', 'key'))), 'INSUFFICIENT_BALANCE');
    await db.deleteFrom('purchases').where('client_id', '=', 'poor').execute();
    assert.equal(codeOf(await buying.buy(requestOf('poor', 'key'))), 'INSUFFICIENT_BALANCE');
    assert.equal(await world.find('poor', 'key'), undefined, 'it was replayed from memory');
    leave(place);
    assert.equal(codeOf(await buying.buy(requestOf('poor', 'key'))), 'INSUFFICIENT_BALANCE');
    assert.notEqual(await world.find('poor', 'key'), undefined, 'it was judged again');
  });
}

test('ten years later no key buys again', async () => {
  const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  await world.client('rich', 100 * price);
  const bought = await Promise.all(keys.map((key) => world.buying.buy(requestOf('rich', key))));
  await world.clock.advance(10 * 365 * 86_400_000);
  const { buying } = world.restarted();
  const again = await Promise.all(keys.map((key) => buying.buy(requestOf('rich', key))));
  assert.deepEqual(
    again,
    bought.map((one) => ({ ...one, replayed: true })),
  );
  assert.equal(world.orders.length, 50);
});

// Without the notification it would wait for a clock that never moves.
test('waiting requests are answered as soon as the purchase ends here, not at the next poll', {
  timeout: 60_000,
}, async () => {
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'silence' }),
    status: async (ref) => ({ kind: 'done', ref }),
  });
  const waiting = buy('patient');
  await world.clock.advance(1500);
  await world.recovery.claim();
  await world.recovery.whenIdle();
  assert.equal(codeOf(await waiting), 'sold');
});

test('a failed begin is not retried once nothing is sold any more', async () => {
  let [closed, begun] = [false, 0];
  const transact = {
    ...world.deps.transact,
    begin: async () => {
      begun += 1;
      closed = true;
      throw new PlaceNotTrusted('to be examined');
    },
  };
  const pass = (): void => {
    if (closed) throw new GatewayError('DATABASE_UNAVAILABLE');
  };
  const unavailable = (): GatewayError => new GatewayError('DATABASE_UNAVAILABLE');
  const gate = { pass, shut: unavailable, closed: () => undefined };
  const buying = createBuying({ ...world.deps, transact, gate });
  const refused = assert.rejects(buying.buy(requestOf('a', 'key')), GatewayError);
  await world.clock.advance(1000);
  await refused;
  assert.equal(begun, 1);
});

test('an admitted purchase does not begin if the gate closed while it was judged', async () => {
  let letIn = 0;
  const unavailable = (): GatewayError => new GatewayError('DATABASE_UNAVAILABLE');
  const pass = (): void => {
    letIn += 1;
    if (letIn > 1) throw unavailable();
  };
  const gate = { pass, shut: unavailable, closed: () => undefined };
  const { buy } = createBuying({ ...world.deps, gate });
  await assert.rejects(buy(requestOf('a', 'key')), rejectedWith('DATABASE_UNAVAILABLE'));
  assert.equal(await world.find('a', 'key'), undefined);
  assert.equal(world.orders.length, 0);
});

/** The key is finished by another instance, while here its first request hangs: that, and a repeat that joins it. */
const finishElsewhere = async (db: Db) => {
  const { transact } = world.deps;
  // The answer cannot be written here: the connection hangs.
  const hanging = { ...transact, advance: () => new Promise<never>(() => {}) };
  const { buy } = createBuying({ ...world.deps, db, transact: hanging });
  const first = buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const name = (await world.find('a', 'key')) ?? assert.fail('it has not begun');
  const report = { kind: 'delivered', ref: name.id, at: 1 } as const;
  await transact.advance({
    name,
    fence: 'any',
    move: { kind: 'report', report, supplierId: 1, seenNotes: 0 },
  });
  return { first, repeated: buy(requestOf('a', 'key')) };
};

test('a repeat gets the answer of the instance that finished the key, while here it is still in flight', async () => {
  const { first, repeated } = await finishElsewhere(world.deps.db);
  await world.clock.advance(world.deps.config.pendingAfterMs);
  for (const result of [await first, await repeated]) assert.equal(codeOf(result), 'sold');
});

test('a repeat is not told that a finished key is pending, when the database is away', async () => {
  let isAway = false;
  const away: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isAway) throw new Error('the database is away');
      return result;
    },
  };
  const { first, repeated } = await finishElsewhere(world.deps.db.withPlugin(away));
  isAway = true;
  const refused = assert.rejects(repeated, /the database is away/);
  await world.clock.advance(world.deps.config.pendingAfterMs);
  assert.equal((await first).kind, 'pending');
  await refused;
});
