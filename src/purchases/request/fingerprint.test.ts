/** Tests that a fingerprint changes with every field and with nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../decide.ts';
import { fingerprintOf } from './fingerprint.ts';

const text = fc.string({ maxLength: 3 });
const fields: fc.Arbitrary<Fields> = fc
  .record({
    path: fc.constantFrom('package', 'top-up'),
    productId: fc.integer({ min: 1, max: 3 }),
    mobile: text,
    price: fc.integer({ min: 1, max: 3 }),
    offer: fc.option(fc.record({ code: text, type: text })),
    profileId: fc.option(text),
    webserviceCode: text,
  })
  .map((one) => ({ ...one }));

const same = (one: Fields, other: Fields): boolean => {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
};

test('two requests share a fingerprint exactly if all their fields are equal', () => {
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      assert.equal(fingerprintOf(one) === fingerprintOf(other), same(one, other));
    }),
    { numRuns: 2000 },
  );
});

test('changing any one field changes the fingerprint', () => {
  const changes: readonly Partial<Fields>[] = [
    { path: 'top-up' },
    { productId: 2 },
    { mobile: '989120000001' },
    { price: 2 },
    { offer: null },
    { offer: { code: 'a', type: '' } },
    { offer: { code: '', type: 'a' } },
    { profileId: 'a' },
    { profileId: '' },
    { webserviceCode: 'other' },
  ];
  const one: Fields = {
    path: 'package',
    productId: 1,
    mobile: '989120000000',
    price: 1,
    profileId: null,
    offer: { code: '', type: '' },
    webserviceCode: 'code',
  };
  const prints = [one, ...changes.map((change) => ({ ...one, ...change }))].map(fingerprintOf);
  assert.equal(new Set(prints).size, prints.length);
});

test('the order of fields does not matter', () => {
  fc.assert(
    fc.property(fields, (one) => {
      const { path, productId, mobile, price, offer, profileId, webserviceCode } = one;
      const turned = { webserviceCode, profileId, offer, price, mobile, productId, path };
      assert.equal(fingerprintOf(turned), fingerprintOf(one));
    }),
  );
});

test('flags that only permit a purchase are not part of it: the key answers with and without them', () => {
  fc.assert(
    fc.property(fields, fc.boolean(), fc.boolean(), (one, allowRepeat, ported) => {
      assert.equal(fingerprintOf({ ...one, allowRepeat, ported }), fingerprintOf(one));
    }),
  );
});

test('fingerprints in existing databases stay the same', () => {
  const known: Fields = {
    path: 'package',
    productId: 510,
    mobile: '989121234500',
    price: 33_000,
    offer: { code: '70103', type: '1' },
    profileId: null,
    webserviceCode: 'order-1',
  };
  assert.equal(
    fingerprintOf(known),
    '1:849d6043d7f52f6e3f7f1aa732bc386323f6c9a5c8e20ece9c4a15954b865e08',
  );
});
