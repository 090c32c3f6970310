/** Tests that forms are parsed as URLSearchParams does, and never ambiguously. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../errors.ts';
import { readPairs } from './form.ts';

const text = fc.string({ unit: 'grapheme' }).map((some) => some.toWellFormed());

test('a form written by URLSearchParams reads back unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const written = String(new URLSearchParams(pairs));
      assert.deepEqual(
        readPairs(written),
        pairs.filter(([name, value]) => name !== '' || value !== '' || written !== ''),
      );
    }),
  );
});

test('bytes of UTF-8 count plain and as escapes', () => {
  const raw = Buffer.from('نام=یک+دو&a=%zz&b').toString('latin1');
  assert.deepEqual(readPairs(raw), [
    ['نام', 'یک دو'],
    ['a', '%zz'],
    ['b', ''],
  ]);
});

test('two different bodies are never read as the same fields', () => {
  const bytes = fc.array(fc.integer({ min: 0x80, max: 0xff }), { minLength: 1, maxLength: 4 });
  const escape = (some: readonly number[]): string =>
    some.map((byte) => `%${byte.toString(16)}`).join('');
  const read = (some: readonly number[]): string | undefined => {
    try {
      return readPairs(`a=${escape(some)}`)[0]?.[1];
    } catch (error) {
      assert.ok(error instanceof GatewayError && error.code === 'MALFORMED_REQUEST');
      return undefined;
    }
  };
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      fc.pre(escape(one) !== escape(other));
      const [first, second] = [read(one), read(other)];
      assert.ok(first === undefined || first !== second);
    }),
  );
});
