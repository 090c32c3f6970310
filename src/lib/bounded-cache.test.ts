/** Tests the cache against a plain list, and its weight limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundedCache } from './bounded-cache.ts';

type Step =
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'set'; readonly key: string; readonly weight: number }
  | { readonly kind: 'clear' };

type Entry = { readonly key: string; readonly value: number; readonly weight: number };

const mostWeight = 20;
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor', '__proto__');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('get' as const), key }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      key,
      weight: fc.integer({ min: 0, max: 14 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

const weightOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { weight }) => sum + weight, 0);

/** The oldest use comes first. */
const afterSet = (entries: readonly Entry[], entry: Entry): Entry[] => {
  const others = entries.filter(({ key }) => key !== entry.key);
  if (entry.weight > mostWeight / 2) return others;
  let kept = [...others, entry];
  while (weightOf(kept) > mostWeight) kept = kept.slice(1);
  return kept;
};

test('it behaves like a list that drops the least recently used', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = boundedCache<number>(mostWeight);
      let model: Entry[] = [];
      steps.forEach((one, value) => {
        if (one.kind === 'clear') {
          cache.clear();
          model = [];
        } else if (one.kind === 'set') {
          cache.set(one.key, value, one.weight);
          model = afterSet(model, { key: one.key, value, weight: one.weight });
        } else {
          const found = model.find(({ key }) => key === one.key);
          assert.equal(cache.get(one.key), found?.value);
          if (found !== undefined) model = [...model.filter((entry) => entry !== found), found];
        }
      });
      // The last use first: a lookup moves its entry, and must not disturb those still to come.
      for (const entry of model) assert.equal(cache.get(entry.key), entry.value);
      for (const name of ['a', 'b', 'c', 'd', 'e', 'constructor', '__proto__']) {
        if (!model.some(({ key }) => key === name)) assert.equal(cache.get(name), undefined);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a value of more than half of the capacity is not stored, and evicts the entry of its key', () => {
  const cache = boundedCache<string>(10);
  cache.set('a', 'small', 5);
  cache.set('b', 'other', 5);
  cache.set('a', 'large', 6);
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.get('b'), 'other');
});

test('a value that is written again counts once', () => {
  const cache = boundedCache<number>(10);
  cache.set('kept', 0, 5);
  for (let round = 1; round <= 100; round += 1) cache.set('again', round, 5);
  assert.equal(cache.get('kept'), 0);
  assert.equal(cache.get('again'), 100);
});

test('after it was emptied its full capacity is back', () => {
  const cache = boundedCache<number>(10);
  cache.set('a', 1, 5);
  cache.set('b', 2, 5);
  cache.clear();
  assert.equal(cache.get('a'), undefined);
  cache.set('c', 3, 5);
  cache.set('d', 4, 5);
  assert.equal(cache.get('c'), 3);
  assert.equal(cache.get('d'), 4);
});
