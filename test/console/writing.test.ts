/** Proves how the console writes and reads numbers, money and times in both languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatFor, readWhole, toLatinDigits } from '../../console/src/writing.ts';

const english = formatFor('en');
const persian = formatFor('fa');

describe('what is written', () => {
  test('has Latin digits in English and Persian ones in Persian', () => {
    assert.equal(english.money(1_234_567), '1,234,567');
    assert.equal(persian.money(1_234_567), '۱٬۲۳۴٬۵۶۷');
    assert.equal(persian.percent(0.125), '۱۲٫۵٪');
    assert.equal(english.percent(0.125), '12.5%');
    assert.equal(persian.digits('a1b2'), 'a۱b۲');
    assert.equal(english.digits('a1b2'), 'a1b2');
  });

  test('has the calendar of its language', () => {
    const moment = '2026-03-21T12:00:00Z';
    assert.match(english.time(moment, 'date'), /21 Mar 2026/);
    assert.match(persian.time(moment, 'date'), /۱۴۰۵/);
  });

  test('has a length of time in the largest unit that fits', () => {
    assert.equal(english.duration(250), '250 milliseconds');
    assert.equal(english.duration(90_000), '1.5 minutes');
    assert.equal(english.duration(86_400_000), '1 day');
    assert.equal(persian.duration(120_000), '۲ دقیقه');
    assert.equal(english.ago(0, 3_600_000), '1 hour ago');
  });
});

describe('what is typed', () => {
  test('is read from whatever the format wrote, in either language', () => {
    const whole = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(whole, (number) => {
        assert.equal(readWhole(english.count(number)), number);
        // A mark of direction stands before the sign of a Persian number.
        assert.equal(readWhole(persian.count(number).replace('\u200e', '')), number);
        assert.equal(readWhole(String(number)), number);
      }),
    );
  });

  test('is a whole number or nothing', () => {
    for (const text of [
      '',
      ' ',
      '1.5',
      '1,5',
      '12,34',
      'ten',
      '1e3',
      '--1',
      '۱٫۵',
      '1'.repeat(16),
    ]) {
      assert.equal(readWhole(text), undefined, text);
    }
    assert.equal(readWhole(' ٤٢ '), 42);
    assert.equal(readWhole('۱۲۳'), 123);
  });

  test('keeps everything that is no digit', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const latin = toLatinDigits(text);
        assert.equal(latin.length, text.length);
        assert.equal(toLatinDigits(latin), latin);
      }),
    );
    assert.equal(toLatinDigits('کد ۱۲ و ٣'), 'کد 12 و 3');
  });
});
