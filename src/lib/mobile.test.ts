/** Tests how mobile numbers are parsed and masked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/text.ts';
import {
  exampleMobile,
  type MobileFormat,
  maskMobile,
  readMobile,
  readTypedMobile,
} from './mobile.ts';

const iran: MobileFormat = { prefix: '98', digits: 10 };

const digitsOf = (count: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789'.split('')),
    minLength: count,
    maxLength: count,
  });

const formatAndNumber = fc
  .record({
    prefix: fc.integer({ min: 1, max: 4 }).chain(digitsOf),
    digits: fc.integer({ min: 4, max: 14 }),
  })
  .chain((format) => digitsOf(format.digits).map((rest) => ({ format, rest })));

const scripts = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'];
const choices = fc.array(fc.nat({ max: 2 }), { minLength: 18, maxLength: 18 });
const space = fc.constantFrom('', ' ', '\t', '\r\n', '\u00A0');

test('a valid number reads as its Latin digits, in every mixture of scripts and every format', () => {
  fc.assert(
    fc.property(
      formatAndNumber,
      choices,
      space,
      space,
      ({ format, rest }, choices, left, right) => {
        const number = format.prefix + rest;
        const typed = number.replace(
          /\d/g,
          (digit, at: number) => scripts[choices[at] ?? 0]?.charAt(Number(digit)) ?? digit,
        );
        assert.equal(readMobile(left + typed + right, format), number);
      },
    ),
  );
});

test('a number as people type it is normalized, and anything else is refused', () => {
  const number = fc.stringMatching(/^[1-9]\d{9}$/);
  const forms = ['98', '+98', '0098', '0', '', '+98 (', ' 98-'];
  fc.assert(
    fc.property(number, fc.constantFrom(...forms), fc.nat(9), (rest, form, gap) => {
      const typed = `${form}${rest.slice(0, gap)} ${rest.slice(gap)}`;
      assert.equal(readTypedMobile(typed, iran), `98${rest}`);
    }),
  );
  for (const text of ['', '0', '98', '+', '912123456', '98912123456a', '0912123456789']) {
    assert.equal(readTypedMobile(text, iran), undefined, text);
  }
});

test('every other text is refused, however similar', () => {
  const near = [
    '',
    '98',
    '989',
    '+989121234567',
    '00989121234567',
    '09121234567',
    '9121234567',
    '98912123456',
    '9891212345678',
    '98 9121234567',
    '98-912-1234567',
    '989121 234567',
    '98912123456a',
    '9891212345.7',
    '98912123４567',
    '९८9121234567',
    '979121234567',
    '9891212\n34567',
    '989121234567\0',
    '98912\u200C1234567',
    'null',
  ];
  for (const text of near) assert.equal(readMobile(text, iran), undefined, JSON.stringify(text));
});

test('only prefix and digits are accepted, and read as they are', () => {
  const almost = fc.string({ unit: fc.constantFrom('9', '8', '1', '۹', '٨', ' ', '+', 'x', '-') });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), almost, digitsOf(12)), (text) => {
      const latin = text
        .trim()
        .replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)))
        .replace(/[۰-۹]/g, (digit) => String('۰۱۲۳۴۵۶۷۸۹'.indexOf(digit)));
      assert.equal(readMobile(text, iran), /^98[0-9]{10}$/.test(latin) ? latin : undefined);
    }),
    { numRuns: 2000 },
  );
});

test('a JSON number is read as its digits', () => {
  assert.equal(readMobile(989121234567, iran), '989121234567');
});

test('anything but text or a whole number is refused', () => {
  for (const value of [
    989121234567.5,
    98912123456,
    -989121234567,
    null,
    undefined,
    true,
    ['989121234567'],
    {},
    98n,
  ]) {
    assert.equal(readMobile(value, iran), undefined);
  }
});

test('parsing twice changes nothing', () => {
  fc.assert(
    fc.property(formatAndNumber, ({ format, rest }) => {
      const once = readMobile(format.prefix + rest, format);
      assert.equal(readMobile(once, format), once);
    }),
  );
});

test('a masked number shows its prefix and its last four digits, and hides every other', () => {
  fc.assert(
    fc.property(formatAndNumber, ({ format, rest }) => {
      const hidden = '*'.repeat(rest.length - 4);
      assert.equal(
        maskMobile(format.prefix + rest, format),
        format.prefix + hidden + rest.slice(-4),
      );
    }),
  );
  assert.equal(maskMobile('989121234567', iran), '98******4567');
});

test('the example matches its format, and is an ordinary number', () => {
  fc.assert(
    fc.property(formatAndNumber, ({ format }) => {
      const example = exampleMobile(format);
      assert.equal(readMobile(example, format), example);
      assert.ok(example.endsWith('00'));
    }),
  );
});
