/** Tests that a revert restores exactly the prices that a change left, and keeps all others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { demoCatalogue } from '../demo.ts';
import type { Product } from '../product.ts';
import { movesBetween, planRevert, priceFields } from './moves.ts';

const [sample] = demoCatalogue();

const product = (fields: Partial<Product>): Product => {
  assert.ok(sample !== undefined);
  const { created_at = null, updated_at = null } = sample;
  return { ...sample, created_at, updated_at, second_price: null, showable_price: null, ...fields };
};

describe('Recorded prices', () => {
  test('are those that differ, also where one appears or disappears', () => {
    const before = [
      product({ id: 1, price: 100 }),
      product({ id: 2, price: 100, second_price: 200 }),
      product({ id: 3, price: 100 }),
    ];
    const after = [
      product({ id: 1, price: 110, showable_price: 5 }),
      product({ id: 2, price: 100 }),
      product({ id: 4, price: 1 }),
    ];
    assert.deepEqual(movesBetween(before, after), [
      { productId: 1, field: 'price', before: 100, after: 110 },
      { productId: 1, field: 'showable_price', before: null, after: 5 },
      { productId: 2, field: 'second_price', before: 200, after: null },
    ]);
  });
});

describe('A revert', () => {
  test('keeps what was changed since, removed, or would make an empty range', () => {
    const before = [1, 2, 3, 4].map((id) => product({ id, price: 100, second_price: 300 }));
    const after = before.map((one) => ({ ...one, price: 200 }));
    const moves = movesBetween(before, after);
    const now = [
      product({ id: 1, price: 200, second_price: 300 }),
      product({ id: 2, price: 250, second_price: 300 }),
      product({ id: 4, price: 200, second_price: 200 }),
    ];
    const { products, moves: back, kept } = planRevert(now, moves);
    assert.deepEqual(products, [
      product({ id: 1, price: 100, second_price: 300 }),
      product({ id: 4, price: 100, second_price: 200 }),
    ]);
    assert.deepEqual(
      back.map(({ productId }) => productId),
      [1, 4],
    );
    assert.deepEqual(
      kept.map(({ productId, code }) => [productId, code]),
      [
        [2, 'changed_since'],
        [3, 'removed'],
      ],
    );
    const dearer = [product({ id: 5, price: 500, second_price: 600 })];
    const cheaper = [product({ id: 5, price: 50, second_price: 600 })];
    const narrow = planRevert(
      [product({ id: 5, price: 50, second_price: 60 })],
      movesBetween(dearer, cheaper),
    );
    assert.deepEqual([narrow.products, narrow.kept[0]?.code], [[], 'wrong_range']);
  });

  test('of an untouched catalogue restores it, and of any other touches nothing else', () => {
    const price = fc.integer({ min: 0, max: 50 });
    const states = fc.array(
      fc.record({ price, more: fc.option(price), showable_price: fc.option(price) }),
      { minLength: 1, maxLength: 6 },
    );
    const made = (
      list: readonly { price: number; more: number | null; showable_price: number | null }[],
    ) =>
      list.map(({ more, ...rest }, index) =>
        product({ id: index + 1, ...rest, second_price: more === null ? null : rest.price + more }),
      );
    fc.assert(
      fc.property(states, states, states, (one, two, three) => {
        const [before, after, now] = [made(one), made(two).slice(0, one.length), made(three)];
        const moves = movesBetween(before, after);
        const undone = planRevert(after, moves);
        assert.equal(undone.kept.length, 0);
        assert.deepEqual(movesBetween(undone.products, before), []);
        const plan = planRevert(now, moves);
        assert.equal(plan.moves.length + plan.kept.length, moves.length);
        for (const next of plan.products) {
          const current = now.find(({ id }) => id === next.id);
          const reverted = plan.moves.filter(({ productId }) => productId === next.id);
          for (const field of priceFields) {
            const move = reverted.find((each) => each.field === field);
            assert.equal(next[field], move === undefined ? current?.[field] : move.before);
            if (move !== undefined) assert.equal(current?.[field], move.after);
          }
          assert.ok(next.second_price === null || next.second_price >= next.price);
        }
      }),
    );
  });
});
