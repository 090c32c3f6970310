/** Tests that the library's prices match the gateway's, and that its keys are in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newKey, offerPrice } from '../../sdk/src/index.ts';
import { readDecimal, withVat } from '../../src/lib/money.ts';

test('any amount and any tax give the gateway’s price', () => {
  const decimal = fc
    .tuple(fc.nat(10 ** 9), fc.stringMatching(/^\d{0,6}$/))
    .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));
  const percent = fc.stringMatching(/^\d{1,3}(\.\d{1,4})?$/);
  fc.assert(
    fc.property(decimal, percent, (amount, vat) => {
      const [net, tax] = [readDecimal(amount), readDecimal(vat)];
      assert.ok(net !== undefined && tax !== undefined);
      assert.equal(offerPrice(amount, vat), withVat(net, tax));
    }),
  );
  for (const wrong of ['', '-1', '1e3', '1,000', 'x']) {
    assert.throws(() => offerPrice(wrong, '10'), RangeError);
  }
  assert.throws(() => offerPrice('9007199254740993', '10'), RangeError);
});

test('keys are UUIDs of version 7 that sort by time, and are unique', () => {
  const times = Array.from({ length: 500 }, (_, index) => 1_790_000_000_000 + index * 977);
  const keys = times.map((time) => newKey(time));
  assert.deepEqual(keys.toSorted(), keys);
  for (const [index, key] of keys.entries()) {
    assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16), times[index]);
  }
  assert.equal(new Set(Array.from({ length: 5000 }, () => newKey(1))).size, 5000);
});
