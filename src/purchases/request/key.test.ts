/** Tests how the Idempotency-Key header is read: quoted or bare, sent once, visible characters, within its length limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/text.ts';
import { GatewayError } from '../../lib/errors.ts';
import { readKey } from './key.ts';

const withKey = (value: string): string[] => ['Host', 'a', 'Idempotency-Key', value];

const codeOf = (headers: readonly string[]): string => {
  try {
    return `key ${readKey(headers)}`;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error.code;
  }
};

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc.string({ unit: visible, minLength: 1, maxLength: 255 });
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

test('a key and the same key as a quoted string are equal, for any content', () => {
  fc.assert(
    fc.property(key, (one) => {
      assert.equal(readKey(withKey(quoted(one))), one);
      fc.pre(!one.includes('"'));
      assert.equal(readKey(withKey(one)), one);
      assert.equal(readKey(withKey(` \t${one} `)), one);
    }),
  );
});

test('the header’s name is case-insensitive, and a value that looks like it is ignored', () => {
  assert.equal(readKey(['IDEMPOTENCY-KEY', 'a']), 'a');
  assert.equal(readKey(['x', 'idempotency-key', 'idempotency-key', 'b']), 'b');
});

test('no key, an empty one and an empty quoted one count as missing', () => {
  for (const headers of [[], ['Host', 'a'], withKey(''), withKey('  '), withKey('""')]) {
    assert.equal(codeOf(headers), 'IDEMPOTENCY_KEY_MISSING');
  }
});

test('repeated headers, lone quotes, invisible characters and too long keys are invalid', () => {
  const wrong = [
    [...withKey('a'), 'idempotency-key', 'a'],
    [...withKey('a'), 'idempotency-key', ''],
    ...['"', '"a', 'a"', 'a"b', '"a"b"', '"a\\"', 'a b', 'é', '\u007f', 'a\u0000', '"a b"'].map(
      withKey,
    ),
    withKey('a'.repeat(256)),
    withKey(`"${'a'.repeat(256)}"`),
  ];
  for (const headers of wrong) {
    assert.equal(codeOf(headers), 'IDEMPOTENCY_KEY_INVALID', JSON.stringify(headers));
  }
  assert.equal(codeOf(withKey(`"${'a'.repeat(255)}"`)), `key ${'a'.repeat(255)}`);
});

test('any input gives a storable key or one of two errors', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (value) => {
      const read = codeOf(withKey(value));
      assert.match(read, /^(key [\x21-\x7e]{1,255}|IDEMPOTENCY_KEY_(MISSING|INVALID))$/);
    }),
  );
});
