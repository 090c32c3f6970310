/** Tests that rules are stored as set, and which products they allow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ClientRules, mayBuy, noRules, rowOf, rulesIn } from './rules.ts';

const id = fc.integer({ min: 1, max: 5 });
const rules: fc.Arbitrary<ClientRules> = fc
  .record({
    products: fc.option(fc.array(id)),
    operators: fc.option(fc.array(id)),
    repeatSeconds: fc.option(fc.integer({ min: 1, max: 86_400 })),
    dailyLimit: fc.option(fc.integer({ min: 1 })),
    pendingStatus: fc.constantFrom(202, 409),
  })
  .map((one) => ({ ...one }));

const none = {
  products: null,
  operators: null,
  repeat_seconds: null,
  daily_limit: null,
  pending_status: null,
};

test('rules read back as they were set, and rules that set nothing are undefined', () => {
  fc.assert(
    fc.property(rules, (set) => {
      assert.deepEqual(rulesIn({ ...none, ...rowOf(set) }) ?? noRules, set);
    }),
  );
  assert.equal(rulesIn(none), undefined);
  assert.equal(rulesIn({ ...none, ...rowOf(noRules) }), undefined);
  assert.deepEqual(rowOf({}), {});
});

test('a product may be bought if it and its operator are on the lists, as far as there are lists', () => {
  fc.assert(
    fc.property(rules, id, id, (set, product, operator) => {
      const { products, operators } = set;
      const expected =
        (products === null || products.includes(product)) &&
        (operators === null || operators.includes(operator));
      assert.equal(mayBuy(set, { id: product, operator_id: operator }), expected);
    }),
  );
  assert.ok(mayBuy(undefined, { id: 1, operator_id: 1 }));
});
