/** Tests two-factor codes by the vectors of RFC 6238 and RFC 4648, and that each code works once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeOf, fromBase32, keyUri, stepAt, stepOfCode, toBase32 } from './totp.ts';

const rfcSecret = Buffer.from('12345678901234567890');

test('the codes are those of RFC 6238, appendix B', () => {
  for (const [second, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const) {
    assert.equal(codeOf(rfcSecret, stepAt(second * 1000), 8), code);
  }
});

test('base32 is that of RFC 4648 without padding, and reads back what it wrote', () => {
  for (const [plain, text] of [
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    assert.equal(toBase32(Buffer.from(plain)), text);
  }
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(fromBase32(toBase32(bytes)), bytes);
    }),
  );
  assert.throws(() => fromBase32('MZXW1'), RangeError);
});

const moment = fc.integer({ min: 60_000, max: 4_000_000_000_000 });

test('a code is accepted in its step and the ones beside it, once, and never before one already used', () => {
  fc.assert(
    fc.property(
      moment,
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: -3, max: 3 }),
      (now, off, last) => {
        const step = Math.max(0, stepAt(now) + off);
        const lastStep = stepAt(now) + last;
        const code = codeOf(rfcSecret, step);
        const found = stepOfCode({ secret: toBase32(rfcSecret), code, now, lastStep });
        const expected = Math.abs(off) <= 1 && step > lastStep ? step : undefined;
        // Two steps have the same code once in a million times.
        if (found !== expected) assert.equal(codeOf(rfcSecret, found ?? step), code);
        else assert.equal(found, expected);
      },
    ),
    { seed: 6238 },
  );
});

test('anything but a code is refused', () => {
  const check = { secret: toBase32(rfcSecret), now: 59_000, lastStep: -1 };
  assert.equal(stepOfCode({ ...check, code: '287082' }), 1);
  for (const code of ['', '28708', '2870822', '287083', ' 287082', '٢٨٧٠٨٢']) {
    assert.equal(stepOfCode({ ...check, code }), undefined, code);
  }
});

test('the URI names the account, the issuer and the parameters', () => {
  assert.equal(
    keyUri('MZXW6YTB', 'a b'),
    'otpauth://totp/Simgate:a%20b?secret=MZXW6YTB&issuer=Simgate&algorithm=SHA1&digits=6&period=30',
  );
});
