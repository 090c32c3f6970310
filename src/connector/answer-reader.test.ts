/** Tests that answers are decoded whole or in chunks, and that a bad one affects no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReader } from './answer-reader.ts';

const read = (chunks: readonly Buffer[], type: string | string[] = 'application/json') => {
  const reader = createReader(1000);
  assert.equal(reader.begin(200, { 'content-type': type }), undefined);
  for (const chunk of chunks) assert.equal(reader.take(chunk), undefined);
  return reader.end();
};

const whole = { kind: 'answer', status: 200, contentType: 'application/json' } as const;

test('a character split over two chunks is one character', () => {
  const bytes = Buffer.from('سیم');
  assert.deepEqual(read([bytes.subarray(0, 3), bytes.subarray(3)]), { ...whole, text: 'سیم' });
  assert.deepEqual(read([bytes]), { ...whole, text: 'سیم' });
  assert.deepEqual(read([]), { ...whole, text: '' });
});

test('an answer that ends within a character is invalid, and the next answer starts fresh', () => {
  const bytes = Buffer.from('سیم');
  assert.equal(read([bytes.subarray(0, 3)]).kind, 'unknown');
  assert.deepEqual(read([bytes]), { ...whole, text: 'سیم' });
});

test('a type is returned without its parameters, in lower case', () => {
  const text = Buffer.from('{}');
  assert.deepEqual(read([text], 'Application/JSON ; charset=utf-8'), { ...whole, text: '{}' });
  assert.deepEqual(read([text], ['application/json;a', 'text/html']), { ...whole, text: '{}' });
});
