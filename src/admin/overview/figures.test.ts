/** Tests that percentiles of a time span are those of all its calls, and which parts a period has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { daysIn, utcDays } from '../../lib/business-day.ts';
import { bucketOf, percentilesOf, type Times } from '../../purchases/stats/buckets.ts';
import { mergedTimes, partOf, partsOf, timesOf, rowsOf as wantedOf } from './figures.ts';

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

const hour = 3_600_000;

test('a day has the hours that have begun, and yesterday has all of them', () => {
  const now = Date.parse('2026-01-31T09:30:00Z');
  const midnight = Date.parse('2026-01-31T00:00:00Z');
  const today = partsOf('today', now, utcDays);
  assert.deepEqual([today.begins.length, today.begins[0]], [10, midnight]);
  assert.equal(partsOf('today', midnight, utcDays).begins.length, 1);
  const yesterday = partsOf('yesterday', now, utcDays);
  assert.deepEqual([yesterday.begins.length, yesterday.until], [24, midnight]);
  // Clocks are put forward on the first of these days, and back on the second.
  const berlin = daysIn('Europe/Berlin');
  const hoursOn = (day: string): number =>
    partsOf('yesterday', Date.parse(`${day}T12:00:00Z`) + 24 * hour, berlin).begins.length;
  assert.deepEqual([hoursOn('2026-03-29'), hoursOn('2026-10-25')], [23, 25]);
});

test('a row counts for the part that has its middle, and for no other period', () => {
  const now = Date.parse('2026-01-31T09:30:00Z');
  const parts = partsOf('yesterday', now, daysIn('Asia/Tehran'));
  const [first = 0] = parts.begins;
  assert.equal(new Date(first).toISOString(), '2026-01-29T20:30:00.000Z');
  // Counted by UTC: from half past to half past.
  const byUtc = first + hour / 2;
  assert.equal(partOf(parts)(byUtc), first + hour);
  assert.equal(partOf(parts)(first), first);
  const { from, until } = wantedOf(parts);
  assert.ok(first >= from && parts.until >= until, 'the next day is not read');
  assert.ok(parts.until - hour < until);
});
