/** Tests how the site's search reads words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boostDocument, processTerm, tokenize } from '../../site/search.ts';

const wordsOf = (text: string): (string | null)[] =>
  tokenize(text)
    .map(processTerm)
    .filter((word) => word !== null);

test('spellings that readers take for the same are one word', () => {
  for (const [one, other] of [
    ['کلید', 'كليد'],
    ['می‌خرم', 'میخرم'],
    ['خطای', 'خطاي'],
    ['۴۰۹', '409'],
    ['٤٠٩', '409'],
    ['آزمایش', 'ازمایش'],
    ['Retry', 'RETRY'],
    ['numbers', 'number'],
    ['failed', 'fail'],
    ['retries', 'retry'],
    ['testing', 'test'],
  ] as const) {
    assert.deepEqual(wordsOf(one), wordsOf(other), one);
    assert.equal(wordsOf(one).length, 1);
  }
});

test('words of questions are not searched', () => {
  assert.deepEqual(wordsOf('How do I retry a purchase?'), ['retry', 'purchase']);
  assert.deepEqual(wordsOf('چگونه از کلید استفاده کنم'), wordsOf('کلید استفاده کنم'));
});

test('a code is found whole and by its parts', () => {
  assert.deepEqual(wordsOf('INSUFFICIENT_BALANCE'), [
    'insufficient_balance',
    'insufficient',
    'balance',
  ]);
});

test('short words and words that only look like a plural stay', () => {
  assert.deepEqual(wordsOf('address used red'), ['address', 'used', 'red']);
});

test('guides count more than references, and history least', () => {
  const weights = [
    '/docs/guides/retries',
    '/docs/api/catalogue',
    '/docs/operate/scale',
    '/docs/changelog',
  ];
  const found = weights.map(boostDocument);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(found).size, 4);
});
