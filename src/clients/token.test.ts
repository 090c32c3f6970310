/** Tests that tokens are recognisable and random, and that typos are caught without a lookup. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../lib/random.ts';
import { endingOf, hashToken, isWellFormed, makeToken, scopes } from './token.ts';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 44;

/** Randomness that follows from a seed. */
const seeded = (seed: number) => {
  let state = seed;
  return (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state >>> 24;
    });
};

const token = fc.integer().map((seed) => makeToken(seeded(seed)));
const place = fc.nat({ max: length - 1 });
const replaced = (text: string, at: number, sign: string): string =>
  text.slice(0, at) + sign + text.slice(at + 1);

test('a token begins with simgate_, so that scanners find leaked ones', () => {
  fc.assert(
    fc.property(token, (token) => {
      assert.match(token, /^simgate_[0-9A-Za-z]{36}$/);
      assert.ok(isWellFormed(token));
    }),
  );
});

test('a test client’s token begins with simgate_test_, and neither kind becomes the other', () => {
  const testToken = fc.integer().map((seed) => makeToken(seeded(seed), true));
  fc.assert(
    fc.property(testToken, fc.nat({ max: length + 4 }), (token, at) => {
      assert.match(token, /^simgate_test_[0-9A-Za-z]{36}$/);
      assert.ok(isWellFormed(token));
      assert.ok(!isWellFormed(token.replace('test_', '')));
      fc.pre(token[at] !== 'A');
      assert.ok(!isWellFormed(replaced(token, at, 'A')));
      assert.ok(!isWellFormed(replaced(token, at, '')));
    }),
  );
  fc.assert(
    fc.property(token, (token) => {
      assert.ok(!isWellFormed(token.replace('simgate_', 'simgate_test_')));
    }),
  );
});

test('the same randomness gives the same token, and other randomness another', () => {
  assert.equal(makeToken(seeded(1)), makeToken(seeded(1)));
  const made = Array.from({ length: 5000 }, () => makeToken(systemRandom));
  assert.equal(new Set(made).size, made.length);
});

test('every letter is equally likely: a byte that would favour some is discarded', () => {
  const counts = new Map<string, number>();
  let byte = 0;
  const everyByteInTurn = (): Uint8Array => {
    byte = (byte + 1) % 256;
    return Uint8Array.of(byte);
  };
  // 124 tokens of 30 letters take 15 cycles through the 248 usable bytes: 60 of each letter.
  for (let made = 0; made < 124; made += 1) {
    for (const letter of makeToken(everyByteInTurn).slice(8, 38)) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
  }
  assert.deepEqual([...counts.keys()].sort(), letters.split('').sort());
  assert.deepEqual(new Set(counts.values()), new Set([60]));
});

test('a single wrong character is caught, wherever it is', () => {
  const sign = fc.oneof(fc.constantFrom(...letters.split('')), fc.constantFrom(' ', '_', '-', 'é'));
  fc.assert(
    fc.property(token, place, sign, (token, at, sign) => {
      fc.pre(token[at] !== sign);
      assert.ok(!isWellFormed(replaced(token, at, sign)));
    }),
    { numRuns: 2000 },
  );
});

test('two swapped neighbours are caught', () => {
  fc.assert(
    fc.property(token, fc.nat({ max: length - 2 }), (token, at) => {
      const [one = '', other = ''] = token.slice(at, at + 2);
      fc.pre(one !== other);
      assert.ok(!isWellFormed(token.slice(0, at) + other + one + token.slice(at + 2)));
    }),
    { numRuns: 1000 },
  );
});

test('a missing or additional character is caught', () => {
  fc.assert(
    fc.property(token, place, (token, at) => {
      assert.ok(!isWellFormed(replaced(token, at, '')));
      assert.ok(!isWellFormed(replaced(token, at, `${token[at]}A`)));
    }),
  );
});

test('no other text is accepted as a token', () => {
  const alike = fc
    .string({ unit: fc.constantFrom(...letters.split('')), minLength: 36, maxLength: 36 })
    .map((body) => `simgate_${body}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), alike), (text) => assert.ok(!isWellFormed(text))),
    { numRuns: 1000 },
  );
});

test('a token is stored as its SHA-256 and shown by its last four characters', () => {
  fc.assert(
    fc.property(token, (token) => {
      assert.equal(hashToken(token), createHash('sha256').update(token).digest('hex'));
      assert.equal(endingOf(token), token.slice(-4));
    }),
  );
});

test('the scopes are those of the four kinds of routes', () => {
  assert.deepEqual(scopes, ['catalogue', 'offers', 'purchase', 'webhooks']);
});
