/** Tests the simulator's numbers: each purchase ends as its last two digits promise, to the unit of money. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { createSimulator } from '../../src/operators/simulator/index.ts';
import { at, listOf } from '../support/answers.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { createBook, type MemoryBook } from '../support/simulator-book.ts';
import {
  assertRefused,
  assertRepeated,
  assertSold,
  type BuyingCode,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  newKey,
  packages,
  sold,
  topUps,
  turn,
} from './buying.ts';

const balance = 1_000_000;

type World = {
  readonly server: TestServer;
  readonly clock: ManualClock;
  /** The operator's actual deliveries. */
  readonly book: MemoryBook;
};

/** Whether a promise has come true by now. */
const soonTrue = (promise: Promise<boolean>): Promise<boolean> =>
  Promise.race([promise, turn().then(() => false)]);

/** A server exits after work in flight, and here that needs time that only a test can advance. */
const closeWorld = async ({ server, clock }: World): Promise<void> => {
  server.drain();
  const stopping = server.stop();
  for (const stopped = stopping.then(() => true); !(await soonTrue(stopped)); ) {
    await clock.advance(1000);
  }
};

/**
 * A server in virtual time, whose operators share one book; it ends with the test, or with a hook's suite.
 */
const openWorld = async (settings: Readonly<Record<string, unknown>> = {}): Promise<World> => {
  const clock = manualClock();
  const book = createBook(clock, 'book');
  const connectors = [createSimulator(book)];
  // The operators of the catalogue: each is asked for reports every other second.
  const operators = readConfig({})
    .operators.filter(({ id }) => id <= 2)
    .map((one) => ({ ...one, settings: { ...one.settings, ...settings } }));
  const options = { clock, connectors, balance, products: catalogue, config: { operators } };
  const world = { server: await startServer(options), clock, book };
  cleanUpAfterTest(() => closeWorld(world));
  return world;
};

type Wanted = { readonly path: string; readonly fields: Fields };

const kinds: Readonly<
  Record<string, (server: TestServer, mobile: string, prepaid: boolean) => Promise<Wanted>>
> = {
  'a package': async (_server, mobile, prepaid) => ({
    path: packages,
    fields: {
      product_id: prepaid ? sold.credit : sold.permanent,
      mobile,
      price: 10_000,
      webservice_code: 'w',
    },
  }),
  'a top-up': async (_server, mobile, prepaid) => ({
    path: topUps,
    fields: {
      product_id: prepaid ? sold.topUp : sold.topUpPermanent,
      mobile,
      price: 5000,
      webservice_code: 'w',
    },
  }),
  'a personal offer': async (server, mobile, prepaid) => {
    const { body } = await request(server, '/api/operator_2/offers/', { json: { mobile } });
    const [offer] = listOf(at(body, 'offersList'));
    return {
      path: packages,
      fields: {
        product_id: prepaid ? 510 : 511,
        mobile,
        price: offer === undefined ? 33_000 : Math.round(Number(at(offer, 'amount')) * 1.1),
        offerCode: at(offer, 'offerCode') ?? 'C',
        offerType: at(offer, 'offerType') ?? 'T',
        webservice_code: 'w',
      },
    };
  },
};

type Client = TestServer['client'];

type Started = {
  readonly client: Client;
  readonly answer: Promise<Answer>;
  readonly again: () => Promise<Answer>;
  /** The purchase as its client sees it now. */
  readonly look: () => Promise<unknown>;
};

/** Sends a purchase and returns once everything has happened that needs no time. */
const start = async (
  { server, clock }: World,
  { path, fields }: Wanted,
  client = server.client,
): Promise<Started> => {
  const key = newKey();
  const { token } = client;
  const send = (): Promise<Answer> => buy(server, fields, { key, path, token });
  const answer = send();
  const look = async (): Promise<unknown> => {
    const { body } = await request(server, `/api/purchases?idempotency_key=${key}`, { token });
    return at(body, 'data', 0);
  };
  await eventually('the purchase began', async () => (await look()) !== undefined);
  await clock.advance(0);
  return { client, answer, again: send, look };
};

type Ending = {
  readonly what: string;
  readonly answer: 200 | BuyingCode;
  readonly state: string;
  readonly charged: 'yes' | 'no' | 'unknown';
  /** What has happened to the price. */
  readonly money: 'paid' | 'back' | 'held';
  readonly deliveries: 0 | 1;
};

const sale: Ending = {
  what: 'is sold',
  answer: 200,
  state: 'succeeded',
  charged: 'yes',
  money: 'paid',
  deliveries: 1,
};

const loss: Ending = {
  what: 'fails with the money released',
  answer: 'OPERATOR_DECLINED',
  state: 'failed',
  charged: 'no',
  money: 'back',
  deliveries: 0,
};

/** The operator has no such order. */
const unheard: Ending = { ...loss, answer: 'ORDER_NOT_RECEIVED' };

const endings: Readonly<Record<string, Ending>> = {
  '00': sale,
  '01': sale,
  '10': sale,
  '45': sale,
  '87': sale,
  '88': { ...loss, what: 'is declined, because the supplier is out of stock' },
  '89': sale,
  '90': { ...loss, what: 'is declined, because the subscriber is barred' },
  '91': {
    ...loss,
    what: 'is refused, because the number is not a subscriber',
    answer: 'OPERATOR_MISMATCH',
    state: 'refused',
  },
  '92': { ...sale, what: 'is sold after three seconds' },
  '93': { ...sale, what: 'is sold, although the answer was lost' },
  '94': { ...unheard, what: 'fails with the money released, because the request was lost' },
  '95': { ...sale, what: 'is sold, although the answer was HTTP 500' },
  '96': { ...unheard, what: 'fails with the money released, because nothing was delivered' },
  '97': { ...sale, what: 'is sold at the third inquiry' },
  '98': {
    what: 'ends in review, with the money held',
    answer: 'TRANSACTION_PENDING',
    state: 'review',
    charged: 'unknown',
    money: 'held',
    deliveries: 0,
  },
  '99': {
    ...sale,
    what: 'is sold and then reversed, with the money refunded',
    state: 'reversed',
    charged: 'no',
    money: 'back',
  },
};

const moneyAfter = (money: Ending['money'], price: number) => ({
  available: money === 'back' ? balance : balance - price,
  held: money === 'held' ? price : 0,
});

const assertEnding = async (
  { server, book }: World,
  started: Started,
  ending: Ending,
  price: number,
): Promise<void> => {
  const first = await started.answer;
  if (ending.answer === 200) assertSold(first);
  else assertRefused(first, ending.answer);
  const purchase = await started.look();
  assert.equal(at(purchase, 'state'), ending.state);
  assert.equal(at(purchase, 'charged'), ending.charged);
  const money = await moneyOf(server, started.client.id);
  assert.deepEqual(money, moneyAfter(ending.money, price));
  const mobile = at(purchase, 'mobile');
  assert.deepEqual(
    book.deliveries.filter((one) => one.mobile === mobile).map(({ ref, amount }) => [ref, amount]),
    Array.from({ length: ending.deliveries }, () => [at(purchase, 'id'), price]),
  );
  const repeat = await started.again();
  if (ending.answer === 'TRANSACTION_PENDING') assertRefused(repeat, ending.answer);
  else assertRepeated(repeat, first);
};

const isPrepaid = (digits: string): boolean => Number(digits) % 2 === 0;

for (const [kind, wantedOf] of Object.entries(kinds)) {
  describe(`Of ${kind}`, () => {
    let world: World;
    const all = new Map<string, Started & { readonly price: number }>();
    // One client for each number: the money of one purchase does not affect another.
    before(async () => {
      world = await openWorld();
      const { server } = world;
      for (const digits of Object.keys(endings)) {
        const wanted = await wantedOf(server, `9891234567${digits}`, isPrepaid(digits));
        const started = await start(world, wanted, await addClient(server, { balance }));
        all.set(digits, { ...started, price: Number(wanted.fields['price']) });
      }
    });

    for (const [when, ms] of [
      ['Within a minute', 60_000],
      ['And that is the end: later too', 20_000],
    ] as const) {
      describe(`${when}, one for a number that ends in`, () => {
        before(() => world.clock.advance(ms));

        for (const [digits, ending] of Object.entries(endings)) {
          const sim = isPrepaid(digits) ? 'a prepaid' : 'a postpaid';
          test(`${digits}, ${sim} SIM, ${ending.what}`, async () => {
            const started = all.get(digits) ?? assert.fail();
            await assertEnding(world, started, ending, started.price);
          });
        }

        test('nothing else is delivered', () => {
          const sum = Object.values(endings).reduce((count, one) => count + one.deliveries, 0);
          assert.equal(world.book.deliveries.length, sum);
        });
      });
    }
  });
}

describe('A number of the other SIM', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  for (const digits of ['00', '01', '92', '93', '98', '99']) {
    test(`that ends in ${digits} is SIM_TYPE_MISMATCH, and the operator delivers nothing`, async () => {
      const { server, book } = world;
      const mobile = `9891234567${digits}`;
      const product_id = isPrepaid(digits) ? sold.permanent : sold.credit;
      const fields = { product_id, mobile, price: 10_000, webservice_code: 'w' };
      assertRefused(await buy(server, fields), 'SIM_TYPE_MISMATCH');
      assert.deepEqual(await moneyOf(server), { available: balance, held: 0 });
      assert.equal(book.deliveries.length, 0);
    });
  }
});

test('A second supplier delivers to a number that ends in 88, once', async () => {
  const { server, book } = await openWorld({ second: true });
  const fields = { product_id: sold.credit, mobile: '989123456788', price: 10_000 };
  assertSold(await buy(server, { ...fields, webservice_code: 'w' }));
  assert.deepEqual(await moneyOf(server), { available: balance - 10_000, held: 0 });
  assert.equal(book.deliveries.length, 1);
});

const held = { available: balance - 10_000, held: 10_000 };
const paid = { available: balance - 10_000, held: 0 };
const back = { available: balance, held: 0 };

type Watch = World & Started & { readonly state: () => Promise<unknown> };

/** Follows a package for a number on its way. */
const watching = async (digits: string, work: (watch: Watch) => Promise<void>): Promise<void> => {
  const world = await openWorld();
  const product_id = isPrepaid(digits) ? sold.credit : sold.permanent;
  const mobile = `9891234567${digits}`;
  const fields = { product_id, mobile, price: 10_000, webservice_code: 'w' };
  const started = await start(world, { path: packages, fields });
  const state = async (): Promise<unknown> => at(await started.look(), 'state');
  await work({ ...world, ...started, state });
};

describe('On its way, a purchase for', () => {
  for (const digits of ['90', '91']) {
    test(`${digits} is answered at once, and holds nothing after it`, () =>
      watching(digits, async ({ server, answer }) => {
        assert.equal((await answer).status, 422);
        assert.deepEqual(await moneyOf(server), back);
      }));
  }

  test('92 holds its money for three seconds and is then delivered', () =>
    watching('92', async ({ server, clock, book, answer, state }) => {
      assert.equal(await state(), 'submitted');
      await clock.advance(2999);
      assert.equal(await state(), 'submitted');
      assert.deepEqual(await moneyOf(server), held);
      assert.equal(book.deliveries.length, 0);
      await clock.advance(1);
      assertSold(await answer);
      assert.deepEqual(await moneyOf(server), paid);
    }));

  test('93 holds its money until the call times out, and is found delivered', () =>
    watching('93', async ({ server, clock, book, answer, state }) => {
      assert.equal(await state(), 'submitted');
      assert.equal(book.deliveries.length, 1);
      assert.deepEqual(await moneyOf(server), held);
      await clock.advance(10_000);
      assertSold(await answer);
      assert.equal(await state(), 'succeeded');
      assert.deepEqual(await moneyOf(server), paid);
      assert.equal(book.deliveries.length, 1);
    }));

  for (const [digits, unknownAfter] of [
    ['94', 5000],
    ['96', 0],
  ] as const) {
    test(`${digits} keeps its money until "no such order" is proof, ten seconds after its beginning`, () =>
      watching(digits, async ({ server, clock, book, answer, look, state }) => {
        await clock.advance(unknownAfter);
        assert.equal(await state(), 'unknown');
        await clock.advance(9999 - unknownAfter);
        assert.equal(await state(), 'unknown');
        assert.deepEqual(await moneyOf(server), held);
        const ref = String(at(await look(), 'id'));
        assert.ok(book.inquiries(ref) > 0, 'asked before, and not taken as proof');
        await clock.advance(3000);
        assertRefused(await answer, 'ORDER_NOT_RECEIVED');
        assert.equal(await state(), 'failed');
        assert.deepEqual(await moneyOf(server), back);
        assert.equal(book.deliveries.length, 0);
      }));
  }

  test('95 is unknown at once, although delivered, and is found so by inquiry', () =>
    watching('95', async ({ server, clock, book, answer, state }) => {
      assert.equal(await state(), 'unknown');
      assert.equal(book.deliveries.length, 1);
      assert.deepEqual(await moneyOf(server), held);
      await clock.advance(4000);
      assertSold(await answer);
      assert.deepEqual(await moneyOf(server), paid);
      assert.equal(book.deliveries.length, 1);
    }));

  test('97 is delivered at the third inquiry and not inquired about any more', () =>
    watching('97', async ({ server, clock, book, answer, look, state }) => {
      assert.equal(await state(), 'unknown');
      const ref = String(at(await look(), 'id'));
      while (book.inquiries(ref) < 2) await clock.advance(100);
      assert.equal(await state(), 'unknown');
      assert.deepEqual(await moneyOf(server), held);
      await clock.advance(20_000);
      assertSold(await answer);
      assert.equal(book.inquiries(ref), 3);
      assert.deepEqual(await moneyOf(server), paid);
    }));

  test('98 is 202 after 25 seconds and in review after 30, where its money stays held', () =>
    watching('98', async ({ server, clock, answer, again, state }) => {
      await clock.advance(25_000);
      assertRefused(await answer, 'TRANSACTION_PENDING');
      assert.equal(await state(), 'unknown');
      assertRefused(await again(), 'TRANSACTION_PENDING');
      await clock.advance(12_000);
      assert.equal(await state(), 'review');
      assertRefused(await again(), 'TRANSACTION_PENDING');
      assert.deepEqual(await moneyOf(server), held);
    }));

  test('99 is sold first, and still answers 200 when it was reversed', () =>
    watching('99', async ({ server, clock, answer, again, state }) => {
      const first = await answer;
      assertSold(first);
      assert.equal(await state(), 'succeeded');
      assert.deepEqual(await moneyOf(server), paid);
      await clock.advance(2999);
      assert.equal(await state(), 'succeeded');
      await clock.advance(3000);
      assert.equal(await state(), 'reversed');
      assert.deepEqual(await moneyOf(server), back);
      assertRepeated(await again(), first);
    }));
});
