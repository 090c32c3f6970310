/** Tests how the console formats and parses numbers, money and times in both languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { browserName } from '../../console/src/browser-name.ts';
import { balanceChange } from '../../console/src/clients/balance-change.ts';
import { currencyOf, isComplete, withCurrency } from '../../console/src/currency.ts';
import {
  formatFor,
  readNumber,
  readWhole,
  toLatinDigits,
  withNumbersInPlace,
} from '../../console/src/writing.ts';
import { currencyOf as ofGateway } from '../../src/settings/currency.ts';

const english = formatFor('en');
const persian = formatFor('fa');

test('a browser is known by its name and its system; anything else stays as it is', () => {
  const blink =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0';
  const webkit = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15';
  const names = {
    [`${blink} Safari/537.36`]: 'Chrome · Linux',
    [`${blink} Safari/537.36 Edg/140.0`]: 'Edge · Linux',
    [`${webkit} Version/19.0 Mobile/15E148 Safari/604.1`]: 'Safari · iOS',
    [`${webkit} CriOS/140.0 Mobile/15E148 Safari/604.1`]: 'Chrome · iOS',
    'curl/8.5.0': 'curl/8.5.0',
  };
  for (const [agent, name] of Object.entries(names)) assert.equal(browserName(agent), name);
});

describe('formatted output', () => {
  test('keeps a number on its side of a Latin word in Persian', () => {
    assert.equal(withNumbersInPlace('بسته TD-LTE ۳۰ روزه'), 'بسته TD-LTE\u200f ۳۰ روزه');
    for (const text of ['بسته ۳۰ روزه LTE', 'Product 100']) {
      assert.equal(withNumbersInPlace(text), text);
    }
  });

  test('of a statement adds up: a purchase is counted when it is charged, not when it is held', () => {
    const moves = [
      ['funding', 'available'],
      ['available', 'held'],
      ['held', 'sales'],
      ['held', 'available'],
      ['sales', 'available'],
    ] as const;
    const changes = moves.map(([from, to]) => balanceChange({ amount: 700, from, to }));
    assert.deepEqual(changes, [700, 0, -700, 0, 700]);
  });

  test('has Latin digits in English and Persian ones in Persian', () => {
    assert.equal(english.money(1_234_567), '1,234,567');
    assert.equal(persian.money(1_234_567), '۱٬۲۳۴٬۵۶۷');
    assert.equal(persian.percent(0.125), '۱۲٫۵٪');
    assert.equal(english.percent(0.125), '12.5%');
    assert.equal(persian.digits('a1b2'), 'a۱b۲');
    assert.equal(english.digits('a1b2'), 'a1b2');
  });

  test('names the currency beside every amount, as each language writes it', () => {
    const rial = currencyOf('IRR');
    assert.equal(formatFor('en', 'UTC', rial).money(1_500_000), '1,500,000\u00a0IRR');
    assert.equal(formatFor('fa', 'UTC', rial).money(1_500_000), '۱٬۵۰۰٬۰۰۰\u00a0ریال');
    const toman = currencyOf('IRT');
    assert.equal(formatFor('fa', 'UTC', toman).money(150_000), '۱۵۰٬۰۰۰\u00a0تومان');
    assert.equal(formatFor('fa', 'UTC', toman).count(150_000), '۱۵۰٬۰۰۰');
    assert.deepEqual([formatFor('fa', 'UTC', toman).unit, english.unit], ['تومان', '']);
    assert.equal(withCurrency('5', { symbol: '$', position: 'before' }), '$5');
    assert.equal(withCurrency('5', { symbol: 'EUR', position: 'before' }), 'EUR\u00a05');
    assert.equal(withCurrency('-5', { symbol: '$', position: 'before' }), '-$5');
    assert.equal(
      withCurrency('\u200e\u2212۵', { symbol: '$', position: 'before' }),
      '\u200e\u2212$۵',
    );
  });

  test('proposes the same currency for a code as the gateway does', () => {
    for (const code of ['IRR', 'IRT', 'COINS']) {
      assert.deepEqual(currencyOf(code), ofGateway(code));
      assert.ok(isComplete(currencyOf(code)));
    }
    assert.ok(!isComplete({ ...currencyOf('IRR'), names: { en: ' ', fa: 'ریال' } }));
    assert.ok(!isComplete(currencyOf('rial')));
  });

  test('has days in the requested time zone', () => {
    const moment = '2026-01-31T20:30:00Z';
    assert.equal(formatFor('en', 'UTC').time(moment, 'day'), '31 Jan');
    assert.equal(formatFor('en', 'Asia/Tehran').time(moment, 'day'), '1 Feb');
  });

  test('has the calendar of its language', () => {
    const moment = '2026-03-21T12:00:00Z';
    assert.match(english.time(moment, 'date'), /21 Mar 2026/);
    assert.match(persian.time(moment, 'date'), /۱۴۰۵/);
  });

  test('uses the requested time zone', () => {
    const moment = '2026-01-31T22:30:00Z';
    assert.match(formatFor('en', 'UTC').time(moment), /31 Jan 2026.*22:30/);
    assert.match(formatFor('en', 'Asia/Tehran').time(moment), /1 Feb 2026.*02:00/);
    assert.match(formatFor('fa', 'Asia/Tehran').time(moment), / ۰۲:۰۰:۰۰$/);
    assert.match(formatFor('fa', 'UTC').timeIn('Asia/Tehran', moment), / ۰۲:۰۰$/);
    assert.equal(formatFor('en', 'Nowhere/There').time(moment), english.time(moment));
    assert.match(english.timeIn('Asia/Tehran', moment), /1 Feb 2026.*02:00/);
  });

  test('has a size in the largest fitting unit', () => {
    assert.equal(english.bytes(12), '12 bytes');
    assert.equal(english.bytes(1_500_000), '1.5 MB');
    assert.match(persian.bytes(2_000_000_000), /^۲/);
  });

  test('has a duration in the largest fitting unit', () => {
    assert.equal(english.duration(250), '250 ms');
    assert.equal(english.duration(90_000), '1.5 minutes');
    assert.equal(english.duration(86_400_000), '1 day');
    assert.equal(persian.duration(120_000), '۲ دقیقه');
    assert.equal(english.ago(0, 3_600_000), '1 hour ago');
  });
});

describe('typed input', () => {
  test('parses every format’s own output, in either language', () => {
    const whole = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(whole, (number) => {
        assert.equal(readWhole(english.count(number)), number);
        // A direction mark precedes the sign of a Persian number.
        assert.equal(readWhole(persian.count(number).replace('\u200e', '')), number);
        assert.equal(readWhole(String(number)), number);
      }),
    );
  });

  test('is a number with or without decimals, in any digits', () => {
    const cases = { '1.5': 1.5, '۱٫۲۵': 1.25, '-0.5': -0.5, '12': 12, '1,000.5': 1000.5 };
    for (const [typed, number] of Object.entries(cases)) assert.equal(readNumber(typed), number);
    for (const typed of ['', '.', '1.', '.5', '1.2.3', '1.-2', 'x', '1e3']) {
      assert.equal(readNumber(typed), undefined, typed);
    }
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (n) => {
        const typed = (n / 1000).toFixed(3);
        assert.equal(readNumber(typed), n / 1000);
        assert.equal(readNumber(persian.decimal(typed)), n / 1000);
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

  test('keeps everything but digits', () => {
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
