/** Tests which language a request prefers, and that Persian sentences are Persian. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { errorTable } from './errors.ts';
import { persianDigits, preferredLocale } from './text.ts';

describe('The language of an answer', () => {
  for (const [header, locale] of [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['fa', 'fa'],
    ['fa-IR', 'fa'],
    ['FA-ir', 'fa'],
    ['fa, en;q=0.8', 'fa'],
    ['fa, en', 'fa'],
    ['en, fa', 'en'],
    ['en;q=0.5, fa;q=0.6', 'fa'],
    ['en, fa;q=0.9', 'en'],
    ['de, fa;q=0.5', 'fa'],
    ['de, *;q=0.7, fa;q=0.5', 'en'],
    ['fa;q=0', 'en'],
    ['fa;q=0, de', 'en'],
    ['fa ; q=1', 'fa'],
    ['fa;q=much', 'en'],
    ['far', 'en'],
  ] as const) {
    test(`is ${locale} for Accept-Language ${JSON.stringify(header)}`, () => {
      assert.equal(preferredLocale(header), locale);
    });
  }

  test('is one of the two for any header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(fa|en|[*;,q=.\d -])*$/)), (header) => {
        assert.ok(['en', 'fa'].includes(preferredLocale(header)));
      }),
    );
  });
});

describe('The error table', () => {
  for (const [code, { message, fa }] of Object.entries(errorTable)) {
    test(`says ${code} in English and in Persian`, () => {
      assert.match(message, /^[A-Z][\x20-\x7e]*\.$/);
      assert.match(fa, /[آ-ی].*\.$/);
      assert.doesNotMatch(fa, /[يكةى]/, 'Arabic letters');
    });
  }
});

test('digits become Persian, and nothing else changes', () => {
  assert.equal(persianDigits('1 to 255'), '۱ to ۲۵۵');
  assert.equal(persianDigits(90), '۹۰');
});
