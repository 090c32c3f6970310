/** Tests that a histogram's quantiles match those of the list, to the width of a bucket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bucketWidth, createHistogram } from '../../bench/histogram.ts';

const times = fc.array(fc.double({ min: 0.02, max: 100_000, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});

test('a quantile is that of the sorted list, or above it by a bucket at most', () => {
  fc.assert(
    fc.property(times, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const histogram = createHistogram();
      for (const ms of list) histogram.add(ms);
      const sorted = list.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(list.length * share) - 1)] ?? 0;
      const found = histogram.quantile(share);
      assert.ok(found >= exact * (1 - 1e-9), `${found} below ${exact}`);
      assert.ok(found <= exact * bucketWidth * (1 + 1e-9), `${found} far above ${exact}`);
    }),
  );
});

test('it counts everything, keeps the longest exactly, and is empty again after clearing', () => {
  fc.assert(
    fc.property(times, (list) => {
      const histogram = createHistogram();
      for (const ms of list) histogram.add(ms);
      assert.equal(histogram.count(), list.length);
      assert.equal(histogram.max(), Math.max(...list));
      assert.ok(histogram.quantile(1) <= histogram.max());
      histogram.clear();
      assert.deepEqual([histogram.count(), histogram.max(), histogram.quantile(0.5)], [0, 0, 0]);
    }),
  );
});

test('values too short or too long for its buckets are counted too', () => {
  const histogram = createHistogram();
  for (const ms of [0, 1e-9, 1e9]) histogram.add(ms);
  assert.equal(histogram.count(), 3);
  assert.ok(histogram.quantile(0.5) <= 0.01);
  assert.equal(histogram.max(), 1e9);
});
