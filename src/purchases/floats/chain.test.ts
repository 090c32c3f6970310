/** Tests the chain of balances: complete chains have no gaps, whatever their order, and gaps are named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Delivery, endsOf, gapsOf, movesOf, sizeOf } from './chain.ts';

const apart = 120_000;

const deliveryOf = (balance: number | null, cost: number | null, at = 1): Delivery => ({
  client_id: 'a',
  purchase_id: `purchase at ${balance}`,
  supplier_id: 1,
  cost,
  balance,
  at,
});

/** What happens at a supplier, in its order. */
type Event =
  | { readonly kind: 'told' | 'booked' | 'unknown'; readonly cost: number }
  | { readonly kind: 'added'; readonly amount: number };

const played = (events: readonly Event[]) => {
  let balance = 1_000_000;
  const deliveries: Delivery[] = [];
  const moves: number[] = [];
  events.forEach((event, index) => {
    if (event.kind === 'added') {
      balance += event.amount;
      moves.push(event.amount);
      return;
    }
    balance -= event.cost;
    if (event.kind === 'told') deliveries.push(deliveryOf(balance, event.cost, index * apart));
    if (event.kind === 'booked') moves.push(-event.cost);
  });
  return { deliveries, moves };
};

const told = (cost: number): Event => ({ kind: 'told', cost });
const unknown = (cost: number): Event => ({ kind: 'unknown', cost });
const booked = (cost: number): Event => ({ kind: 'booked', cost });
const added = (amount: number): Event => ({ kind: 'added', amount });

const missingIn = (events: readonly Event[]): number[] => {
  const { deliveries, moves } = played(events);
  return gapsOf(endsOf(deliveries), moves).map(({ missing }) => missing);
};

test('a complete chain has two loose ends and no gap, in whatever order it is counted', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(costs, fc.infiniteStream(fc.nat()), (all, numbers) => {
      const { deliveries } = played(all.map(told));
      const shuffled = deliveries
        .map((delivery) => ({ delivery, by: Number(numbers.next().value) }))
        .sort((one, other) => one.by - other.by)
        .map(({ delivery }) => delivery);
      const ends = endsOf(shuffled);
      assert.equal(sizeOf(ends), 2);
      assert.deepEqual(gapsOf(ends, []), []);
    }),
  );
});

test('a delivery that is not booked is a gap of its cost, between the purchases beside it', () => {
  const { deliveries } = played([told(5), told(7), unknown(40), told(5), told(6)]);
  const [gap, ...others] = gapsOf(endsOf(deliveries), []);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [gap?.missing, gap?.from.balance, gap?.to.balance],
    [-40, 1_000_000 - 12, 1_000_000 - 52],
  );
  assert.equal(gap?.from.purchase_id, deliveries[1]?.purchase_id);
});

test('what is booked without a balance explains a gap, alone or with others', () => {
  assert.deepEqual(missingIn([told(5), booked(9), told(5)]), [0]);
  assert.deepEqual(missingIn([told(5), booked(9), booked(3), told(5)]), [0]);
  assert.deepEqual(missingIn([told(5), added(500), told(5)]), [0]);
  assert.deepEqual(missingIn([told(5), booked(9), added(500), booked(3), told(5)]), [0]);
  assert.deepEqual(missingIn([told(5), booked(900), added(500), told(5)]), [0]);
});

test('each explains one gap only', () => {
  assert.deepEqual(missingIn([told(5), booked(9), told(5), unknown(9), told(5)]), [0, -9]);
});

test('what is not explained is missing, also beside what is', () => {
  assert.deepEqual(missingIn([told(5), booked(9), unknown(4), told(5)]), [-4]);
  const { deliveries } = played([told(5), added(700), told(5)]);
  assert.deepEqual(
    gapsOf(endsOf(deliveries), []).map(({ missing }) => missing),
    [700],
    'a top-up that no one recorded',
  );
});

test('a chain that goes up again is not taken for a shorter way down', () => {
  const down = [told(300_000), told(300_000), told(300_000)];
  assert.deepEqual(missingIn([...down, added(850_000), ...down]), [0]);
});

test('what came back explains a balance that lay there twice, though its end keeps one time', () => {
  // The answer of the second overtook that of the third.
  const deliveries = [deliveryOf(937, 21, 0), deliveryOf(916, 21, 15), deliveryOf(937, 21, 23)];
  const gaps = gapsOf(endsOf(deliveries), [21, -21, -21]);
  assert.deepEqual(
    gaps.map(({ known, missing }) => ({ known, missing })),
    [{ known: [21], missing: 0 }],
  );
});

test('any number of bookings without a balance leaves no gap while no delivery is unknown', () => {
  // Costs of which no sum is another: so one explanation fits.
  const event = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(told(1), told(10), told(100)) },
    { weight: 1, arbitrary: fc.constantFrom(booked(1000), booked(20_000)) },
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      for (const missing of missingIn(events)) assert.equal(missing, 0);
    }),
  );
});

test('a delivery without a known cost, or of no supplier, joins no chain', () => {
  assert.deepEqual(endsOf([deliveryOf(5, null), { ...deliveryOf(5, 5), supplier_id: 0 }]), []);
  assert.deepEqual(movesOf([deliveryOf(null, null), deliveryOf(null, 0), deliveryOf(5, 5)]), []);
});

test('deliveries without a balance, and reversals, are counted by their amounts', () => {
  const postings = [deliveryOf(null, 9), deliveryOf(null, 9), deliveryOf(null, -9)];
  assert.deepEqual(movesOf(postings), [
    { supplier_id: 1, amount: -9, moves: 2 },
    { supplier_id: 1, amount: 9, moves: 1 },
  ]);
});
