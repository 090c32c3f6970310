/** Tests that price changes are exact and rounded half up, and that products that cannot change stay as they are. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { demoCatalogue } from '../../catalogue/demo.ts';
import type { Product } from '../../catalogue/product.ts';
import {
  digestOfPrices,
  type PriceChange,
  type PriceUpdate,
  planPrices,
  priceAfter,
  priceFields,
  readPercent,
  roundings,
  summarise,
} from './prices.ts';

const percentOf = (text: string): PriceChange => {
  const percent = readPercent(text);
  assert.ok(percent !== undefined, text);
  return { percent };
};

const after = (before: number, change: PriceChange, roundTo = 1) =>
  priceAfter(before, { change, roundTo });

const prices = fc.integer({ min: 0, max: 2 ** 40 });
const roundTos = fc.constantFrom(...roundings);
/** Hundredths of a percent, as text and as a number. */
const hundredths = fc.integer({ min: -10_000, max: 50_000 }).map((value) => {
  const size = Math.abs(value);
  const text = `${value < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
  return { value, text };
});
const changes: fc.Arbitrary<PriceChange> = fc.oneof(
  hundredths.map(({ text }) => percentOf(text)),
  fc.integer({ min: -(10 ** 6), max: 10 ** 6 }).map((amount) => ({ amount })),
  prices.map((price) => ({ price })),
);

describe('A changed price', () => {
  test('is what people expect', () => {
    assert.equal(after(418_000, percentOf('5.5'), 1000), 441_000);
    assert.equal(after(100, percentOf('-5.5')), 95);
    assert.equal(after(90, percentOf('5')), 95);
    assert.equal(after(110, percentOf('۵٫۵'.replace('٫', '.'))), 116);
    assert.equal(after(1005, { amount: 0 }, 10), 1010);
    assert.equal(after(1004, { amount: 0 }, 10), 1000);
    assert.equal(after(700, { price: 50_000 }), 50_000);
    assert.equal(after(0, percentOf('50')), 0);
  });

  test('is the multiple nearest to the exact price, and of two the higher', () => {
    fc.assert(
      fc.property(prices, hundredths, roundTos, (before, { value, text }, roundTo) => {
        const found = after(before, percentOf(text), roundTo);
        assert.ok(typeof found === 'number' && found % roundTo === 0);
        // In ten-thousandths: 2 * |found - exact| <= roundTo, and where it is equal, found is above.
        const off = BigInt(found) * 10_000n - BigInt(before) * BigInt(10_000 + value);
        const half = BigInt(roundTo) * 5000n;
        assert.ok(off <= half && off > -half, `${off} of ${half}`);
      }),
    );
  });

  test('keeps the order of prices, and is never negative or inexact', () => {
    fc.assert(
      fc.property(prices, prices, changes, roundTos, (one, other, change, roundTo) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const [first, second] = [after(low, change, roundTo), after(high, change, roundTo)];
        for (const found of [first, second]) {
          assert.ok(found === 'below_zero' || (Number.isSafeInteger(found) && Number(found) >= 0));
        }
        if (typeof first === 'number') assert.ok(typeof second === 'number' && first <= second);
      }),
    );
  });

  test('that would be negative or too large to store exactly is rejected', () => {
    assert.equal(after(100, { amount: -101 }), 'below_zero');
    assert.equal(after(100, { amount: -100 }), 0);
    assert.equal(after(1, percentOf('-100.01')), 'below_zero');
    assert.equal(after(Number.MAX_SAFE_INTEGER, { amount: 1 }), 'too_large');
    assert.equal(after(Number.MAX_SAFE_INTEGER, { amount: 0 }), Number.MAX_SAFE_INTEGER);
    assert.equal(
      after(Number.MAX_SAFE_INTEGER, { amount: 0 }, 10_000),
      Number.MAX_SAFE_INTEGER - 991,
    );
  });

  test('takes a percentage that is a plain number', () => {
    for (const text of ['', '-', '5%', '1e3', '--5', '5.', '.5', 'NaN', '5,5']) {
      assert.equal(readPercent(text), undefined, text);
    }
    assert.deepEqual(readPercent(' +5.50 '), readPercent('5.50'));
  });
});

const sample = demoCatalogue()[0];
const product = (fields: Partial<Product>): Product => {
  assert.ok(sample !== undefined);
  const { created_at = null, updated_at = null } = sample;
  return { ...sample, created_at, updated_at, ...fields };
};
const update = (fields: Partial<PriceUpdate>): PriceUpdate => ({
  change: { amount: 10 },
  fields: ['price'],
  roundTo: 1,
  ...fields,
});

describe('A change of many', () => {
  test('skips prices that are missing, the operator’s, or would make an empty range', () => {
    const products = [
      product({ id: 1, price: 100, second_price: null }),
      product({ id: 2, price: 100, second_price: 105 }),
      product({ id: 3, price: 100, second_price: 200, showable_price: 90 }),
      product({ id: 510, price: 100 }),
    ];
    const { moves, unchanged, refused, products: next } = planPrices(products, update({}), [510]);
    assert.deepEqual(
      moves.map(({ id, field, before, after }) => [id, field, before, after]),
      [
        [1, 'price', 100, 110],
        [3, 'price', 100, 110],
      ],
    );
    assert.equal(unchanged, 0);
    assert.deepEqual(refused, [
      { id: 2, code: 'wrong_range' },
      { id: 510, code: 'set_by_operator' },
    ]);
    assert.deepEqual(next[1], { ...products[2], price: 110 });
    const second = planPrices(products, update({ fields: ['second_price'] }), [510]);
    assert.deepEqual([second.unchanged, second.moves.length], [1, 2]);
    const both = planPrices(products, update({ fields: [...priceFields] }), [510]);
    assert.deepEqual(
      both.products.find(({ id }) => id === 3),
      {
        ...products[2],
        price: 110,
        second_price: 210,
        showable_price: 100,
      },
    );
  });

  test('changes each product or says why not, and creates none that an import would refuse', () => {
    const some = fc.array(
      fc.record({
        id: fc.integer({ min: 1, max: 20 }),
        price: fc.integer({ min: 0, max: 1000 }),
        more: fc.option(fc.integer({ min: 0, max: 1000 })),
        showable_price: fc.option(fc.integer({ min: 0, max: 1000 })),
      }),
    );
    const fields = fc.uniqueArray(fc.constantFrom(...priceFields), { minLength: 1 });
    fc.assert(
      fc.property(some, changes, fields, roundTos, (list, change, fields, roundTo) => {
        const products = list.map(({ more, ...rest }) =>
          product({ ...rest, second_price: more === null ? null : rest.price + more }),
        );
        const plan = planPrices(products, { change, fields, roundTo }, [7]);
        const count = plan.products.length + plan.unchanged + plan.refused.length;
        assert.equal(count, products.length);
        for (const { price, second_price } of plan.products) {
          assert.ok(price >= 0 && (second_price === null || second_price >= price));
        }
        assert.ok(plan.moves.every(({ id, before, after }) => id !== 7 && before !== after));
      }),
    );
  });

  test('is summed up with the effect that rounding has', () => {
    const products = [40_000, 67_000, 10_000, 0].map((price, index) =>
      product({ id: index + 1, price, second_price: null }),
    );
    const rounded = update({ change: percentOf('7.5'), roundTo: 10_000 });
    const { moves } = planPrices(products, rounded, []);
    assert.deepEqual(
      moves.map(({ before, after }) => [before, after]),
      [[67_000, 70_000]],
    );
    assert.deepEqual(summarise(moves, rounded), {
      before: 67_000,
      after: 70_000,
      rounded: 1,
      percent: { least: 4.48, most: 4.48, average: 4.48 },
    });
    const exact = update({ change: percentOf('7.5') });
    const plan = planPrices(products, exact, []);
    assert.deepEqual(summarise(plan.moves, exact), {
      before: 117_000,
      after: 125_775,
      rounded: 0,
      percent: { least: 7.5, most: 7.5, average: 7.5 },
    });
    const set = update({ change: { price: 5 } });
    const zero = planPrices(products.slice(3), set, []);
    assert.deepEqual(summarise(zero.moves, set), {
      before: 0,
      after: 5,
      rounded: 0,
      percent: null,
    });
  });

  test('has a summary whose effect lies between its smallest and largest', () => {
    const some = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(some, changes, roundTos, (list, change, roundTo) => {
        const products = list.map((price, id) => product({ id, price, second_price: null }));
        const { moves } = planPrices(products, update({ change, roundTo }), []);
        const { before, after, rounded, percent } = summarise(moves, { change });
        assert.equal(
          after - before,
          moves.reduce((sum, move) => sum + move.after - move.before, 0),
        );
        assert.ok(
          rounded <= moves.length && (roundTo > 1 || !('amount' in change) || rounded === 0),
        );
        if (percent === null) return;
        assert.ok(percent.least <= percent.average && percent.average <= percent.most);
      }),
    );
  });

  test('has a digest of its own for each catalogue and each result', () => {
    const moves = [
      { id: 1, name: 'a', name_en: null, field: 'price', before: 1, after: 2 },
    ] as const;
    const digest = digestOfPrices('v', moves);
    assert.equal(digestOfPrices('v', moves), digest);
    assert.notEqual(digestOfPrices('w', moves), digest);
    assert.notEqual(digestOfPrices('v', []), digest);
    assert.notEqual(digestOfPrices('v', [{ ...moves[0], after: 3 }]), digest);
  });
});
