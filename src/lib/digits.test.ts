/** Tests that Arabic and Persian digits become Latin ones, and nothing else changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/text.ts';
import { latinDigits } from './digits.ts';

const scripts = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'] as const;
const script = fc.constantFrom(...scripts);

test('the ten digits of each script become the ten Latin ones', () => {
  for (const digits of scripts) assert.equal(latinDigits(digits), '0123456789');
});

test('a number written in any mixture of the three scripts reads as the number', () => {
  const mixed = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), script), { minLength: 1 });
  fc.assert(
    fc.property(mixed, (signs) => {
      const written = signs.map(([value, digits]) => digits.charAt(value)).join('');
      assert.equal(latinDigits(written), signs.map(([value]) => value).join(''));
    }),
  );
});

test('a text without such digits stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const others = text.replace(/[٠-٩۰-۹]/g, '');
      assert.equal(latinDigits(others), others);
    }),
  );
});

test('digits of other scripts and neighbouring Unicode characters are left alone', () => {
  const others = '०१२３４\u065F\u066A\u06EF\u06FA²½';
  assert.equal(latinDigits(others), others);
});
