/** Tests the months of both calendars: their names, and that they follow each other without a gap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, readDay } from './calendar-day.ts';
import { calendars, monthOn, readMonth } from './calendar-month.ts';

const dayOf = (text: string): number => readDay(text) ?? assert.fail(text);

test('a month has the days that its calendar gives it', () => {
  for (const [calendar, name, first, next] of [
    ['gregorian', '2026-02', '2026-02-01', '2026-03-01'],
    ['gregorian', '2024-12', '2024-12-01', '2025-01-01'],
    ['persian', '1404-01', '2025-03-21', '2025-04-21'],
    ['persian', '1404-11', '2026-01-21', '2026-02-20'],
    ['persian', '1403-12', '2025-02-19', '2025-03-21'],
  ] as const) {
    const month = readMonth(calendar, name);
    assert.ok(month, name);
    assert.deepEqual([formatDay(month.first), formatDay(month.next)], [first, next], name);
  }
});

test('every day of eighty years is in one month, which its name gives back', () => {
  for (const calendar of calendars) {
    let month = monthOn(calendar, dayOf('1990-01-15'));
    while (month.first < dayOf('2070-01-01')) {
      assert.deepEqual(readMonth(calendar, month.name), month);
      assert.deepEqual(monthOn(calendar, month.next - 1), month);
      const after = monthOn(calendar, month.next);
      assert.equal(after.first, month.next);
      month = after;
    }
  }
});

test('what is no month is none', () => {
  for (const name of ['2026-13', '2026-00', '2026', '2026-1', 'January', '2026-01-01']) {
    for (const calendar of calendars) assert.equal(readMonth(calendar, name), undefined, name);
  }
});
