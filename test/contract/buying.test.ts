/** Tests the contract's own flow: a personal offer is listed, chosen and bought once at its price with tax. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Offer, OffersOutcome } from '../../src/connector/connector.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  buy,
  catalogue,
  type Fields,
  listed,
  moneyOf,
  newKey,
  offer,
  operatorThat,
  postpaid,
  prepaid,
  purchaseOf,
  recorded,
  type Script,
  served,
  type TestOperator,
  withServer,
} from './buying.ts';

const offersPath = '/api/operator_2/offers/';

const listOffers = async (server: TestServer, mobile: string): Promise<readonly unknown[]> => {
  const { body } = await request(server, offersPath, { json: { mobile } });
  return listOf(at(body, 'offersList'));
};

describe('A personal offer of the simulator', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ products: catalogue, balance: 1_000_000_000 });
  });

  after(() => server.stop());

  const chosen = (mobile: string, one: unknown, price: unknown): Fields => ({
    product_id: mobile === prepaid ? 510 : 511,
    mobile,
    price,
    offerCode: at(one, 'offerCode'),
    offerType: at(one, 'offerType'),
    webservice_code: 'order 1',
  });

  for (const [sim, mobile] of Object.entries({ prepaid, postpaid })) {
    test(`is bought for a ${sim} number at its amount plus 10 percent, each of those listed`, async () => {
      for (const one of await listOffers(server, mobile)) {
        const before = await moneyOf(server);
        const price = Math.round(Number(at(one, 'amount')) * 1.1);
        const answer = await buy(server, chosen(mobile, one, price));
        assertSold(answer);
        const paid = before.available - (await moneyOf(server)).available;
        assert.equal(paid, price);
        const purchase = await purchaseOf(server, answer);
        assert.equal(at(purchase, 'offerCode'), at(one, 'offerCode'));
        assert.equal(at(purchase, 'offerType'), at(one, 'offerType'));
        assert.equal(at(purchase, 'price'), price);
      }
    });
  }

  test('may be paid in the floating point of the client: what is charged is our integer', async () => {
    for (const one of await listOffers(server, prepaid)) {
      const before = await moneyOf(server);
      const amount = Number(at(one, 'amount'));
      assertSold(await buy(server, chosen(prepaid, one, amount * 1.1)));
      const paid = before.available - (await moneyOf(server)).available;
      assert.equal(paid, Math.round(amount * 1.1));
    }
  });

  test('may be bought without a listing: then the operator is asked', () =>
    withServer({ balance: 10_000_000 }, async (fresh) => {
      const [one] = await listOffers(server, prepaid);
      const price = Math.round(Number(at(one, 'amount')) * 1.1);
      assertSold(await buy(fresh, chosen(prepaid, one, price)));
    }));

  test('of a prepaid number is not sold under the postpaid product, nor the other way', async () => {
    for (const [mobile, product_id] of [
      [prepaid, 511],
      [postpaid, 510],
    ] as const) {
      const [one] = await listOffers(server, mobile);
      const answer = await buy(server, { ...chosen(mobile, one, 33_000), product_id });
      assertRefused(answer, 'SIM_TYPE_MISMATCH');
    }
  });

  test('of a number that is not a subscriber is OPERATOR_MISMATCH', async () => {
    const fields = { ...chosen(prepaid, {}, 33_000), offerCode: 'C', offerType: 'T' };
    const answer = await buy(server, { ...fields, mobile: '989123456791', product_id: 511 });
    assertRefused(answer, 'OPERATOR_MISMATCH');
  });

  test('without its code and type is VALIDATION_FAILED', async () => {
    const answer = await buy(server, { ...aPackage, product_id: 510 });
    assertRefused(answer, 'VALIDATION_FAILED', 'errors');
    assert.deepEqual(keysOf(at(answer.body, 'errors')), ['offerCode', 'offerType']);
  });
});

const anOffer: Fields = {
  ...aPackage,
  product_id: 510,
  price: 33_000,
  offerCode: 'C1',
  offerType: 'T1',
};

/** An operator whose offers a test changes, and which sells everything by default. */
const offering = (
  first: readonly Offer[] | OffersOutcome,
  script: Omit<Script, 'offers'> = {},
): TestOperator & { readonly nowOffers: (next: readonly Offer[] | OffersOutcome) => void } => {
  const outcomeOf = (given: readonly Offer[] | OffersOutcome): OffersOutcome =>
    'kind' in given ? given : listed(...given);
  let current = outcomeOf(first);
  return {
    ...operatorThat({ ...script, offers: async () => current }),
    nowOffers: (next) => {
      current = outcomeOf(next);
    },
  };
};

const onServer = (
  operator: TestOperator,
  options: TestOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const { connectors, config } = served(operator, options.config);
  return withServer(
    { ...options, ...(connectors && { connectors }), ...(config && { config }) },
    work,
  );
};

/** The codes and amounts of the fresh offers that an answer carries. */
const offersIn = ({ body }: Answer): readonly unknown[] =>
  listOf(at(body, 'offers')).map((one) => [at(one, 'offerCode'), at(one, 'amount')]);

const offerFields = [
  'offerCode',
  'offerDesc',
  'offerDescLN',
  'validityDays',
  'offerType',
  'amount',
  'name',
];

describe('The price of an offer', () => {
  const prices = [
    ['10', '30000', 33_000],
    ['10', '18181.82', 20_000],
    ['10', '45454.55', 50_000],
    ['10', '5', 6],
    ['10', '4.5', 5],
    ['10', '4', 4],
    ['0', '30000', 30_000],
    ['0', '30000.5', 30_001],
    ['9', '30000', 32_700],
    ['9.5', '30001', 32_851],
    ['100', '1', 2],
  ] as const;

  for (const [vatPercent, amount, price] of prices) {
    test(`of ${amount} with ${vatPercent} percent of tax is ${price}, and nothing beside it`, () => {
      const operator = offering([offer({ amount })]);
      return onServer(operator, { config: { vatPercent } }, async (server) => {
        for (const wrong of [price - 1, price + 1].filter((one) => one > 0)) {
          const answer = await buy(server, { ...anOffer, price: wrong });
          assertRefused(answer, 'PRICE_MISMATCH', 'expected_price', 'offers');
          assert.equal(at(answer.body, 'expected_price'), price);
        }
        assertSold(await buy(server, { ...anOffer, price }));
        assert.deepEqual(await moneyOf(server), { available: 1_000_000 - price, held: 0 });
        assert.equal(operator.asked.buy.at(-1)?.amount, price);
      });
    });
  }

  test('may come in Persian digits and in floating point', () =>
    onServer(offering([offer()]), {}, async (server) => {
      const key = newKey();
      const first = await buy(server, { ...anOffer, price: 30_000 * 1.1 }, { key });
      assertSold(first);
      for (const price of ['۳۳۰۰۰', '٣٣٠٠٠', '33000.000000000004', '32999.5']) {
        assertRepeated(await buy(server, { ...anOffer, price }, { key }), first);
      }
    }));
});

describe('The cached offers', () => {
  test('decide: the shown price is sold, although the operator now lists another', () => {
    const operator = offering([offer()]);
    return onServer(operator, {}, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers([offer({ amount: '40000' })]);
      assertSold(await buy(server, anOffer));
      assert.equal(operator.asked.offers.length, 1);
      assert.deepEqual(operator.asked.buy[0]?.offer, { code: 'C1', type: 'T1' });
      assert.equal(operator.asked.buy[0]?.amount, 33_000);
    });
  });

  test('decide for every client, whichever client requested them', () => {
    const operator = offering([offer()]);
    return onServer(operator, {}, async (server) => {
      const other = await addClient(server, { balance: 33_000 });
      await listOffers(server, prepaid);
      assertSold(await buy(server, anOffer, { token: other.token }));
      assert.equal(operator.asked.offers.length, 1);
    });
  });

  test('decide for ten minutes; after that the operator is asked', () => {
    const operator = offering([offer()]);
    const clock = manualClock();
    return onServer(operator, { clock }, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers([offer({ amount: '40000' })]);
      await clock.advance(599_999);
      assertSold(await buy(server, anOffer));
      assert.equal(operator.asked.offers.length, 1);
      await clock.advance(1);
      assertRefused(await buy(server, anOffer), 'PRICE_MISMATCH', 'expected_price', 'offers');
      assert.equal(operator.asked.offers.length, 2);
    });
  });

  test('do not refuse: if they do not match, the operator is asked again, once', () => {
    const operator = offering([offer()]);
    return onServer(operator, {}, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers([offer({ amount: '40000' })]);
      assertSold(await buy(server, { ...anOffer, price: 44_000 }));
      assert.equal(operator.asked.offers.length, 2);
      // Fresh offers replace the cached ones.
      assertSold(await buy(server, { ...anOffer, price: 44_000 }));
      assert.equal(operator.asked.offers.length, 2);
      operator.nowOffers([offer({ code: 'C2' })]);
      assertSold(await buy(server, { ...anOffer, offerCode: 'C2' }));
      assert.equal(operator.asked.offers.length, 3);
    });
  });
});

describe('An offer is refused', () => {
  test('OFFER_NOT_FOUND if no offer has its code and type, with the fresh offers', () => {
    const operator = offering([offer(), offer({ code: 'C2', type: 'T2', amount: '7' })]);
    return onServer(operator, {}, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers([offer({ amount: '31000' }), offer({ code: 'C2', type: 'T2' })]);
      const strangers = [
        { offerCode: 'C3' },
        { offerType: 'T3' },
        { offerCode: 'C2' },
        { offerCode: 'c1' },
      ];
      for (const [index, stranger] of strangers.entries()) {
        const key = newKey();
        const answer = await buy(server, { ...anOffer, ...stranger }, { key });
        assertRefused(answer, 'OFFER_NOT_FOUND', 'offers');
        assert.equal(operator.asked.offers.length, index + 2, 'asked afresh');
        assert.deepEqual(offersIn(answer), [
          ['C1', '31000'],
          ['C2', '30000'],
        ]);
        for (const one of listOf(at(answer.body, 'offers'))) {
          assert.deepEqual(keysOf(one), offerFields);
        }
        assertRepeated(await buy(server, { ...anOffer, ...stranger }, { key }), answer);
        assert.equal(operator.asked.offers.length, index + 2, 'a repeat causes no call');
      }
      assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
      assert.equal(operator.asked.buy.length, 0);
    });
  });

  test('PRICE_MISMATCH if it costs something else, with its price and the fresh offers', () => {
    const operator = offering([offer()]);
    return onServer(operator, {}, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers([offer({ amount: '40000' })]);
      const key = newKey();
      const answer = await buy(server, { ...anOffer, price: 30_000 }, { key });
      assertRefused(answer, 'PRICE_MISMATCH', 'expected_price', 'offers');
      assert.equal(at(answer.body, 'expected_price'), 44_000);
      assert.deepEqual(offersIn(answer), [['C1', '40000']]);
      assertRepeated(await buy(server, { ...anOffer, price: 30_000 }, { key }), answer);
      assertSold(await buy(server, { ...anOffer, price: 44_000 }));
      assert.equal(operator.asked.offers.length, 2);
    });
  });

  test('OFFER_NOT_FOUND with none if the operator has none for the number, or refuses', async () => {
    const refused = { kind: 'refused', code: 7, reason: 'barred', transactionId: 'tx' } as const;
    for (const none of [[], refused]) {
      await onServer(offering(none), {}, async (server) => {
        const answer = await buy(server, anOffer);
        assertRefused(answer, 'OFFER_NOT_FOUND', 'offers');
        assert.deepEqual(at(answer.body, 'offers'), []);
      });
    }
  });

  test('OFFER_NOT_FOUND if its amount cannot be read', () =>
    onServer(offering([offer({ amount: 'free' })]), {}, async (server) => {
      assertRefused(await buy(server, anOffer), 'OFFER_NOT_FOUND', 'offers');
    }));

  const trouble: Readonly<Record<string, () => Promise<OffersOutcome>>> = {
    'does not know': async () => ({ kind: 'unknown', detail: 'nonsense' }),
    'breaks off': () => Promise.reject(new Error('reset')),
  };

  for (const [what, offers] of Object.entries(trouble)) {
    test(`not if the operator ${what}: 503, nothing is held or recorded`, () =>
      onServer(operatorThat({ offers }), {}, async (server) => {
        assertRefused(await buy(server, anOffer), 'OPERATOR_UNAVAILABLE');
        assert.equal(await recorded(server), 0);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
      }));
  }

  test('if it matches the cached offers, an operator that lists nothing now does not matter', () => {
    const operator = offering([offer()]);
    return onServer(operator, {}, async (server) => {
      await listOffers(server, prepaid);
      operator.nowOffers({ kind: 'unknown', detail: 'down' });
      assertSold(await buy(server, anOffer));
      const dearer = await buy(server, { ...anOffer, price: 1 });
      assertRefused(dearer, 'OPERATOR_UNAVAILABLE');
    });
  });
});

describe('An operator that refuses at the order', () => {
  for (const [word, code] of [
    ['offer_gone', 'OFFER_EXPIRED'],
    ['price_changed', 'PRICE_CHANGED'],
  ] as const) {
    test(`by ${word} is 409 ${code} with the fresh offers, the money released, recorded for good`, () => {
      const operator = offering([offer()], {
        buy: async () => ({ kind: 'refused', code: word, blame: 'request', reason: 'no more' }),
      });
      return onServer(operator, {}, async (server) => {
        await listOffers(server, prepaid);
        operator.nowOffers([offer({ code: 'C9', amount: '50000' })]);
        const key = newKey();
        const answer = await buy(server, anOffer, { key });
        assertRefused(answer, code, 'offers');
        assert.deepEqual(offersIn(answer), [['C9', '50000']]);
        assert.equal(operator.asked.offers.length, 2);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
        assert.equal(at(await purchaseOf(server, answer), 'state'), 'failed');
        operator.nowOffers([offer()]);
        assertRepeated(await buy(server, anOffer, { key }), answer);
        assert.equal(operator.asked.offers.length, 2);
        assert.equal(operator.asked.buy.length, 1);
      });
    });

    test(`by ${word} is ${code} even if it then lists no offers any more`, () => {
      const operator = offering([offer()], {
        buy: async () => ({ kind: 'refused', code: word, blame: 'request', reason: 'no more' }),
      });
      return onServer(operator, {}, async (server) => {
        await listOffers(server, prepaid);
        operator.nowOffers({ kind: 'unknown', detail: 'down' });
        const answer = await buy(server, anOffer);
        assertRefused(answer, code, 'offers');
        assert.deepEqual(at(answer.body, 'offers'), []);
        assert.deepEqual(await moneyOf(server), { available: 1_000_000, held: 0 });
      });
    });
  }
});

describe('The identity of an offer', () => {
  test('is part of the request: the same key with another code or type is reused', () => {
    const operator = offering([offer(), offer({ code: 'C2' }), offer({ type: 'T2' })]);
    return onServer(operator, {}, async (server) => {
      const key = newKey();
      const first = await buy(server, anOffer, { key });
      assertSold(first);
      for (const other of [{ offerCode: 'C2' }, { offerType: 'T2' }]) {
        const answer = await buy(server, { ...anOffer, ...other }, { key });
        assertRefused(answer, 'IDEMPOTENCY_KEY_REUSED');
      }
      assertRepeated(await buy(server, anOffer, { key }), first);
      assert.equal(operator.asked.buy.length, 1);
    });
  });

  test('is the same as text and as a number of JSON', () => {
    const operator = offering([offer({ code: '70101', type: '1' })]);
    return onServer(operator, {}, async (server) => {
      const key = newKey();
      const first = await buy(server, { ...anOffer, offerCode: '70101', offerType: '1' }, { key });
      assertSold(first);
      const json = { ...anOffer, offerCode: 70_101, offerType: 1 };
      const headers = { 'idempotency-key': key };
      assertRepeated(await request(server, '/api/top-up/package', { headers, json }), first);
    });
  });

  test('a repeat of a sold offer is never judged again', () => {
    const operator = offering([offer()]);
    return onServer(operator, { balance: 33_000 }, async (server) => {
      const key = newKey();
      const first = await buy(server, anOffer, { key });
      assertSold(first);
      operator.nowOffers([]);
      assertRepeated(await buy(server, anOffer, { key }), first);
      assert.equal(operator.asked.offers.length, 1);
      assertRefused(await buy(server, anOffer), 'INSUFFICIENT_BALANCE');
    });
  });
});
