/** Tests what a float is, when it counts as low, and what of a supplier's own book is drift. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coversCost, driftOf, type FloatBooks, floatOf, levelOf } from './float.ts';

const books: FloatBooks = {
  supplierId: 2,
  entries: 1000,
  captured: 300,
  learnt: -50,
  inFlight: 100,
  recent: 60,
  losses: 0,
};

test('a float is what was recorded less what was taken, and free is less what is in flight', () => {
  assert.deepEqual(floatOf(books), {
    supplierId: 2,
    held: 750,
    inFlight: 100,
    free: 650,
    perHour: 10,
    coverHours: 75,
  });
});

test('without any entry there is no float to watch', () => {
  assert.equal(floatOf({ ...books, entries: null }), undefined);
  assert.ok(coversCost(undefined, 5));
});

for (const [level, entries, recent] of [
  ['enough', 1000, 0],
  ['enough', 590 + 24, 6],
  ['approaching', 1350, 300],
  ['approaching', 350 + 6 * 1000, 6000],
  ['low', 350 + 5000, 6000],
  ['empty', 350, 0],
  ['empty', 0, 60],
] as const) {
  test(`${entries} recorded, and ${recent} in six hours: ${level}`, () => {
    const float = floatOf({ ...books, entries, recent }) ?? assert.fail();
    assert.equal(levelOf(float), level);
  });
}

test('an order goes where the free float covers it, or is above zero if its cost is not known', () => {
  const float = floatOf(books) ?? assert.fail();
  assert.deepEqual(
    [coversCost(float, 650), coversCost(float, 651), coversCost(float, undefined)],
    [true, false, true],
  );
  const empty = floatOf({ ...books, entries: 350 });
  assert.deepEqual([coversCost(empty, 0), coversCost(empty, undefined)], [false, false]);
});

test('a balance that orders in flight explain is no drift; any other is, by as much as they do not', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      amount,
      amount,
      amount,
      fc.integer({ min: -9999, max: 9999 }),
      (entries, taken, inFlight, off) => {
        const one = { ...books, entries, captured: taken, learnt: 0, inFlight };
        const held = entries - taken;
        assert.equal(driftOf(held, one, one), 0);
        assert.equal(driftOf(held - inFlight, one, one), 0);
        const expected = off > 0 ? off : Math.min(0, off + inFlight);
        assert.equal(driftOf(held + off, one, one), expected === 0 ? 0 : expected);
      },
    ),
  );
});
