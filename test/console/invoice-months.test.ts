/** Tests that months of both calendars are named in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthName } from '../../console/src/invoices/month-name.ts';

test('a month is named in the page’s language, whichever calendar it is of', () => {
  assert.equal(monthName('2025-12', 'en'), 'December 2025');
  assert.equal(monthName('2025-12', 'fa'), 'دسامبر ۲۰۲۵');
  assert.equal(monthName('1404-09', 'en'), 'Azar 1404');
  assert.equal(monthName('1404-09', 'fa'), 'آذر ۱۴۰۴');
});

test('every month of a hundred Persian years has the name of its number', () => {
  const names = Array.from({ length: 12 }, (_, index) =>
    monthName(`1404-${String(index + 1).padStart(2, '0')}`, 'en').replace(/ .*/, ''),
  );
  assert.equal(new Set(names).size, 12);
  for (let year = 1350; year < 1450; year += 1) {
    names.forEach((name, index) => {
      const month = `${year}-${String(index + 1).padStart(2, '0')}`;
      assert.equal(monthName(month, 'en'), `${name} ${year}`);
    });
  }
});
