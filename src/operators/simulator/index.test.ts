/** Tests that the simulator is a correct connector, and misbehaves only as documented. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createBook } from '../../../test/support/simulator-book.ts';
import { callWithin } from '../../connector/call.ts';
import type { Order, OrderOutcome } from '../../connector/connector.ts';
import { inquireAt } from '../../connector/suite/inquire-at.ts';
import { connectorSuite } from '../../connector/suite/suite.ts';
import type { TestBed } from '../../connector/suite/test-bed.ts';
import { readDecimal, withVat } from '../../lib/money.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { createSimulator, simulator } from './index.ts';
import { type Faults, noLocalFaults } from './local-faults.ts';
import { simTypeOf } from './numbers.ts';
import { offersOf } from './offers.ts';

const deadline = 5_000;
const reversesAfter = 3_000;

const openSimulator = (
  settings: { offers?: boolean; deadline?: number; discountPercent?: number; float?: number } = {},
) => {
  const clock = manualClock();
  const newId = uuidV7(clock, systemRandom);
  const book = createBook(clock, 'book');
  const context = { operatorId: 2, clock, random: systemRandom, newId, call: callWithin(clock) };
  const connector = createSimulator(book);
  const full = { offers: true, deadline, reversesAfter, ...settings };
  return { clock, book, context, connector, connection: connector.connect(full, context) };
};

const mobileEnding = (digits: string): string => `9891200000${digits}`;

const order = (digits: string, ref = 'ref-1'): Order => ({
  ref,
  mobile: mobileEnding(digits),
  amount: 33_000,
  productId: 510,
});

const bedWith =
  (settings: { offers: boolean; discountPercent?: number }) => async (): Promise<TestBed> => {
    const { clock, book, connector, connection } = openSimulator(settings);
    return {
      connector,
      connection,
      deadline,
      clock,
      wait: clock.advance,
      deliveries: (ref) => book.deliveries.filter((delivery) => delivery.ref === ref).length,
      mobiles: {
        success: mobileEnding('12'),
        declined: mobileEnding('90'),
        notSubscriber: mobileEnding('91'),
        answerLost: mobileEnding('93'),
        requestLost: mobileEnding('94'),
        nonsense: mobileEnding('96'),
        reversed: { mobile: mobileEnding('99'), after: reversesAfter },
      },
    };
  };

connectorSuite({
  name: 'simulator with offers',
  open: bedWith({ offers: true, discountPercent: 4 }),
});
connectorSuite({ name: 'simulator without offers', open: bedWith({ offers: false }) });

test('with a discount it says what each delivery costs, also when it is asked later', async () => {
  const { connection } = openSimulator({ discountPercent: 2.5 });
  const done = { kind: 'done', ref: 'ref-1', cost: 32_175 };
  assert.deepEqual(await connection.buy(order('12')), done);
  assert.ok(typeof connection.status === 'function');
  assert.deepEqual(await connection.status('ref-1'), done);
});

test('with a discount and a float it says what is left after each delivery', async () => {
  const { connection } = openSimulator({ discountPercent: 2.5, float: 100_000 });
  const told = [await connection.buy(order('12')), await connection.buy(order('12', 'ref-2'))];
  assert.deepEqual(
    told.map((outcome) => outcome.kind === 'done' && outcome.balance),
    [67_825, 35_650],
  );
});

/** Buys and lets `ms` pass: returns the outcome by then, and the book's content. */
const buyWithin = async (digits: string, ms: number) => {
  const opened = openSimulator();
  const answers: OrderOutcome[] = [];
  void opened.connection.buy(order(digits)).then((outcome) => answers.push(outcome));
  await opened.clock.advance(ms);
  return { ...opened, answer: answers[0], delivered: opened.book.deliveries.length };
};

for (const digits of ['00', '01', '37', '50', '87', '89']) {
  test(`${digits}: delivered and done at once`, async () => {
    const { answer, book, clock } = await buyWithin(digits, 0);
    assert.deepEqual(answer, { kind: 'done', ref: 'ref-1' });
    const delivery = { ref: 'ref-1', mobile: mobileEnding(digits), amount: 33_000 };
    assert.deepEqual(book.deliveries, [{ ...delivery, at: clock.now() }]);
  });
}

test('88: out of stock, by the fault of the supplier', async () => {
  const { answer, delivered } = await buyWithin('88', 0);
  assert.ok(answer?.kind === 'refused');
  assert.deepEqual([answer.code, answer.blame], ['out_of_stock', 'supplier']);
  assert.equal(delivered, 0);
});

test('an order for the other kind of SIM is refused before anything else', async () => {
  for (const digits of ['00', '92', '94', '96', '98']) {
    const { connection, book } = openSimulator();
    const outcome = await connection.buy({ ...order(digits), simType: 'permanent' });
    assert.ok(outcome.kind === 'refused', digits);
    assert.deepEqual([outcome.code, outcome.blame], ['wrong_sim_type', 'subscriber']);
    assert.equal(book.deliveries.length, 0);
  }
});

test('90: declined because the subscriber is barred, though offers are listed', async () => {
  const { answer, delivered, connection } = await buyWithin('90', 0);
  const reason = 'The subscriber is barred.';
  assert.deepEqual(answer, { kind: 'refused', code: 'declined', blame: 'subscriber', reason });
  assert.equal(delivered, 0);
  assert.equal((await connection.offers?.(mobileEnding('90')))?.kind, 'offers');
});

test('91: not a subscriber, for any call', async () => {
  const { answer, delivered, connection } = await buyWithin('91', 0);
  assert.ok(answer?.kind === 'refused');
  assert.equal(answer.code, 'not_subscriber');
  assert.equal(delivered, 0);
  const offers = await connection.offers?.(mobileEnding('91'));
  assert.ok(offers?.kind === 'refused');
  assert.equal(offers.code, 91);
  assert.deepEqual(await connection.subscriber?.(mobileEnding('91')), { kind: 'not_subscriber' });
});

test('92: done after three seconds, and not earlier', async () => {
  const early = await buyWithin('92', 2_999);
  assert.equal(early.answer, undefined);
  assert.equal(early.delivered, 0);
  await early.clock.advance(1);
  assert.equal(early.book.deliveries.length, 1);
  assert.deepEqual((await buyWithin('92', 3_000)).answer, { kind: 'done', ref: 'ref-1' });
});

test('92 under a short deadline is unknown, and delivered before "no such order" is proof', async () => {
  const { clock, book, connection, connector } = openSimulator({ deadline: 100 });
  const bought = connection.buy(order('92'));
  await clock.advance(100);
  assert.equal((await bought).kind, 'unknown');
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'not_found' });
  await clock.advance(connector.settlesWithin ?? 0);
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'done');
  assert.equal(book.deliveries.length, 1);
});

test('93: delivered, and the call times out', async () => {
  const { answer, clock, connection, delivered } = await buyWithin('93', deadline - 1);
  assert.equal(answer, undefined);
  assert.equal(delivered, 1);
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'done', ref: 'ref-1' });
  await clock.advance(1);
  assert.equal((await buyWithin('93', deadline)).answer?.kind, 'unknown');
});

test('94: nothing delivered, and the call times out', async () => {
  assert.equal((await buyWithin('94', deadline - 1)).answer, undefined);
  const { answer, connection, delivered } = await buyWithin('94', deadline);
  assert.equal(answer?.kind, 'unknown');
  assert.equal(delivered, 0);
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'not_found' });
});

test('95: delivered, then HTTP 500, which is unknown at once', async () => {
  const { answer, connection, delivered } = await buyWithin('95', 0);
  assert.deepEqual(answer, { kind: 'unknown', detail: 'the operator answered HTTP 500' });
  assert.equal(delivered, 1);
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'done');
});

test('96: not delivered, and the answer is unreadable', async () => {
  const { answer, connection, delivered } = await buyWithin('96', 0);
  assert.deepEqual(answer, { kind: 'unknown', detail: 'the answer is unreadable' });
  assert.equal(delivered, 0);
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'not_found' });
});

test('97: pending, pending, and delivered at the third inquiry', async () => {
  const { answer, book, connection } = await buyWithin('97', 0);
  assert.equal(answer?.kind, 'unknown');
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'pending' });
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'pending' });
  assert.equal(book.deliveries.length, 0);
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'done', ref: 'ref-1' });
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'done', ref: 'ref-1' });
  assert.equal(book.deliveries.length, 1);
  assert.equal(book.inquiries('ref-1'), 4);
});

test('97: inquiries made before the order do not count', async () => {
  const { connection } = openSimulator();
  for (let asked = 0; asked < 5; asked += 1) await inquireAt(connection, 'ref-1');
  await connection.buy(order('97'));
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'pending');
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'pending');
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'done');
});

test('98: pending forever', async () => {
  const { answer, book, clock, connection } = await buyWithin('98', 0);
  assert.equal(answer?.kind, 'unknown');
  for (let asked = 0; asked < 50; asked += 1) {
    assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'pending' });
    await clock.advance(3_600_000);
  }
  assert.equal(book.deliveries.length, 0);
});

test('99: done, and reversed some seconds later', async () => {
  const { answer, clock, connection } = await buyWithin('99', 0);
  const at = clock.now() + reversesAfter;
  assert.equal(answer?.kind, 'done');
  await clock.advance(reversesAfter - 1);
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'done');
  await clock.advance(1);
  assert.deepEqual(await inquireAt(connection, 'ref-1'), { kind: 'reversed', at });
  const reports = await connection.reports?.('');
  assert.ok(reports?.kind === 'reports');
  assert.deepEqual(reports.reports, [
    { ref: 'ref-1', at: at - reversesAfter, kind: 'delivered' },
    { ref: 'ref-1', at, kind: 'reversed' },
  ]);
});

test('a second order under the same reference is delivered too, and the book shows both', async () => {
  for (const digits of ['12', '93', '95', '97', '99']) {
    const { book, clock, connection } = openSimulator();
    void connection.buy(order(digits));
    void connection.buy(order(digits));
    await clock.advance(deadline);
    for (let asked = 0; asked < 3; asked += 1) await inquireAt(connection, 'ref-1');
    assert.equal(book.deliveries.length, 2, digits);
    assert.ok(book.deliveries.every(({ ref }) => ref === 'ref-1'));
  }
});

test('delivered twice and reversed once is not reversed yet', async () => {
  const { clock, connection } = openSimulator();
  await connection.buy(order('99'));
  await clock.advance(1_000);
  await connection.buy(order('99'));
  await clock.advance(2_000);
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'done');
  await clock.advance(1_000);
  assert.equal((await inquireAt(connection, 'ref-1')).kind, 'reversed');
});

test('an even number is prepaid, an odd one postpaid', async () => {
  const { connection } = openSimulator();
  for (let digit = 0; digit <= 9; digit += 1) {
    const simType = digit % 2 === 0 ? 'credit' : 'permanent';
    assert.equal(simTypeOf(mobileEnding(`1${digit}`)), simType);
    const subscriber = await connection.subscriber?.(mobileEnding(`1${digit}`));
    assert.deepEqual(subscriber, { kind: 'subscriber', simType });
  }
});

test('a cursor of an earlier book, or a nonsense one, starts over', async () => {
  const { connection } = openSimulator();
  await connection.buy(order('12'));
  for (const cursor of ['past:1', 'book:', 'book:-1', 'book:1.5', '1', 'x']) {
    const reports = await connection.reports?.(cursor);
    assert.ok(reports?.kind === 'reports');
    assert.equal(reports.reports.length, 1, cursor);
  }
});

test('by default each operator keeps its own book, also when it reconnects', async () => {
  const { context } = openSimulator();
  const settings = { offers: false, deadline, reversesAfter };
  const other = simulator.connect(settings, { ...context });
  const one = simulator.connect(settings, context);
  await one.buy(order('12'));
  assert.equal((await inquireAt(one, 'ref-1')).kind, 'done');
  assert.equal((await inquireAt(other, 'ref-1')).kind, 'not_found');
  const again = simulator.connect({ ...settings, deadline: 1 }, context);
  assert.equal((await inquireAt(again, 'ref-1')).kind, 'done');
});

/** A simulator with one fault at every request. */
const openFaulty = (faults: Partial<Faults>) => {
  const opened = openSimulator();
  const settings = {
    offers: true,
    deadline,
    reversesAfter,
    faults: { ...noLocalFaults, ...faults },
  };
  const connection = opened.connector.connect(settings, opened.context);
  const isDelivered = (): boolean => opened.book.deliveries.length > 0;
  return { ...opened, connection, isDelivered };
};

for (const [fault, delivered] of [
  ['loseRequests', false],
  ['loseAnswers', true],
  ['errors', true],
  ['nonsense', true],
] as const) {
  test(`with ${fault} the outcome of an order and an inquiry is unknown`, async () => {
    const { clock, connection, isDelivered } = openFaulty({ [fault]: 1 });
    const asked = [connection.buy(order('12')), inquireAt(connection, 'ref-2')];
    await clock.advance(deadline);
    for (const outcome of await Promise.all(asked)) assert.equal(outcome.kind, 'unknown');
    assert.equal(isDelivered(), delivered);
    assert.equal((await connection.subscriber?.(mobileEnding('12')))?.kind, 'subscriber');
  });
}

test('with lag, delays and reversals an order appears late, and is reversed, as promised', async () => {
  const late = openFaulty({ lag: 1, lagMs: 4000 });
  assert.equal((await late.connection.buy(order('12'))).kind, 'done');
  assert.equal((await inquireAt(late.connection, 'ref-1')).kind, 'not_found');
  await late.clock.advance(4000);
  assert.equal((await inquireAt(late.connection, 'ref-1')).kind, 'done');
  assert.equal(late.connection.settlesWithin, (simulator.settlesWithin ?? 0) + 4000);
  const slow = openFaulty({ delays: 1, delayMs: 2000 });
  let answered = false;
  void slow.connection.buy(order('12')).then(() => (answered = true));
  await slow.clock.advance(1999);
  assert.equal(answered, false);
  await slow.clock.advance(1);
  assert.ok(answered && slow.isDelivered());
  const back = openFaulty({ reversals: 1 });
  await back.connection.buy(order('12'));
  await back.clock.advance(reversesAfter);
  assert.equal((await inquireAt(back.connection, 'ref-1')).kind, 'reversed');
});

test('a rate is the fault’s frequency, and no rate changes nothing', async () => {
  const half = openFaulty({ errors: 0.5 });
  const kinds = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const outcome = await half.connection.buy(order('12', `ref-${index}`));
      return outcome.kind;
    }),
  );
  const failed = kinds.filter((kind) => kind === 'unknown').length;
  assert.ok(failed > 50 && failed < 150, String(failed));
  const none = openFaulty({});
  assert.equal(none.connection.settlesWithin, simulator.settlesWithin);
  assert.deepEqual(await none.connection.buy(order('12')), { kind: 'done', ref: 'ref-1' });
});

test('an operator without offers ignores the offer of an order', async () => {
  const { connection } = openSimulator({ offers: false });
  const offer = { code: 'no-such-offer', type: '1' };
  assert.equal((await connection.buy({ ...order('12'), offer })).kind, 'done');
});

test('a lost request with a wrong offer is still lost', async () => {
  const { clock, connection } = openSimulator();
  const bought = connection.buy({ ...order('94'), offer: { code: 'no-such-offer', type: '1' } });
  await clock.advance(deadline);
  assert.equal((await bought).kind, 'unknown');
});

const mobiles = fc
  .integer({ min: 0, max: 9_999_999_999 })
  .map((digits) => `98${String(digits).padStart(10, '0')}`);

const tenPercent = { digits: 10n, scale: 0 };

test('a subscriber always has the same three to twelve well-formed offers', () => {
  fc.assert(
    fc.property(mobiles, (mobile) => {
      const offers = offersOf(mobile);
      assert.deepEqual(offersOf(mobile), offers);
      assert.ok(offers.length >= 3 && offers.length <= 12);
      assert.equal(new Set(offers.map(({ code }) => code)).size, offers.length);
      for (const offer of offers) {
        assert.match(offer.type, /^[1-9]$/);
        assert.match(offer.validityDays, /^([1-9]\d*)?$/);
        assert.match(offer.description, /^[\x20-\x7e]+$/);
        assert.match(offer.descriptionLocal, /^[^A-Za-z0-9]+$/);
        assert.match(offer.name, /^[^A-Za-z0-9]+$/);
        const amount = readDecimal(offer.amount);
        assert.ok(amount !== undefined);
        assert.ok(Number(offer.amount) >= 10_000 && Number(offer.amount) <= 900_000);
        const round = amount.scale === 0 ? Number(offer.amount) : withVat(amount, tenPercent);
        assert.equal((round ?? 1) % 1_000, 0, offer.amount);
      }
      assert.ok(offers.filter(({ amount }) => amount.includes('.')).length <= 1);
    }),
  );
});

test('among a thousand subscribers some have a fractional amount, and some an open validity', () => {
  const lists = Array.from({ length: 1_000 }, (_, index) => offersOf(String(989120000000 + index)));
  const fractional = lists.filter((offers) => offers.some(({ amount }) => amount.includes('.')));
  assert.ok(fractional.length > 50 && fractional.length < 200, String(fractional.length));
  const open = lists.filter((offers) => offers.some(({ validityDays }) => validityDays === ''));
  assert.ok(open.length > 300 && open.length < 1_000, String(open.length));
  assert.deepEqual(new Set(lists.map(({ length }) => length)).size, 10);
});
