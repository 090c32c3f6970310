/** Tests calendar days as text, and their months. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDay, monthOf, readDay } from './calendar-day.ts';

const day = fc.integer({ min: -680_000, max: 2_900_000 });

test('a day reads back from its text, and nothing else is a day', () => {
  fc.assert(fc.property(day, (one) => assert.equal(readDay(formatDay(one)), one)));
  for (const text of [
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '2026-01-01T00:00',
    ' 2026-01-01',
  ])
    assert.equal(readDay(text), undefined, text);
  assert.equal(readDay('1970-01-02'), 1);
});

test('a day lies in its month, which ends where the next begins', () => {
  fc.assert(
    fc.property(day, (one) => {
      const { first, next } = monthOf(one);
      assert.ok(first <= one && one < next);
      assert.equal(formatDay(first), `${formatDay(one).slice(0, 8)}01`);
      assert.equal(monthOf(next).first, next);
    }),
  );
});
