/** Tests that percentiles of a time span are those of all its calls, not a mean of its parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bucketOf, percentilesOf, type Times } from '../../purchases/stats/buckets.ts';
import { mergedTimes, timesOf } from './figures.ts';

const counted = (calls: readonly number[]): Times =>
  new Map([...Map.groupBy(calls, bucketOf)].map(([bucket, all]) => [bucket, all.length]));

const rowsOf = (parts: readonly (readonly number[])[]) =>
  parts.flatMap((calls, of) =>
    [...counted(calls)].map(([bucket, calls]) => ({ of, bucket, calls })),
  );

const everyPart = (parts: readonly unknown[]): number[] => parts.map((_, of) => of);

test('percentiles of a span are those of all calls in its parts', () => {
  const ms = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 60_000 }));
  fc.assert(
    fc.property(fc.array(fc.array(ms, { maxLength: 40 }), { maxLength: 30 }), (parts) => {
      const merged = percentilesOf(mergedTimes(everyPart(parts), timesOf(rowsOf(parts))));
      const all = parts.flat().sort((one, other) => one - other);
      assert.deepEqual(merged, percentilesOf(counted(all)));
      for (const percent of [50, 95, 99] as const) {
        const exact = all[Math.ceil((all.length * percent) / 100) - 1];
        const found = merged[`p${percent}`];
        if (exact === undefined) assert.equal(found, null);
        else assert.ok(found !== null && Math.abs(found - exact) <= exact / 20 + 0.01);
      }
    }),
  );
});

test('a busy part weighs more than a quiet one, and parts outside the span count nothing', () => {
  const parts = [
    Array.from({ length: 990 }, () => 100),
    [5000],
    Array.from({ length: 9 }, () => 1),
  ];
  const { p50, p99 } = percentilesOf(mergedTimes([0, 1], timesOf(rowsOf(parts))));
  assert.ok(p50 !== null && Math.abs(p50 - 100) <= 5);
  assert.ok(p99 !== null && Math.abs(p99 - 100) <= 5);
});
