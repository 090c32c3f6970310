/** Tests how a purchase's fields are read: the same from every encoding, with all errors reported at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../../lib/errors.ts';
import { readFields } from './fields.ts';

const rules = { mobile: { prefix: '98', digits: 10 }, personalOffers: [510, 511] };

const plain = {
  product_id: '1',
  mobile: '989121234500',
  price: '33000',
  webservice_code: 'order-1',
};
const personal = { ...plain, product_id: 510, offerCode: '70103', offerType: '1' };

const errorOf = (
  raw: Readonly<Record<string, unknown>>,
  path: 'package' | 'top-up' = 'package',
) => {
  try {
    readFields(raw, path, rules);
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return { code: error.code, fields: Object.keys(error.details.errors ?? {}) };
  }
  return assert.fail('it was accepted');
};

test('fields are equal as text, as numbers, with surrounding spaces and in other digits', () => {
  const expected = {
    path: 'package',
    productId: 1,
    mobile: '989121234500',
    price: 33_000,
    offer: null,
    profileId: null,
    webserviceCode: 'order-1',
  };
  for (const raw of [
    plain,
    { ...plain, product_id: 1, price: 33_000 },
    { ...plain, product_id: ' 1.0 ', price: '33000.0000000000004', mobile: ' 989121234500 ' },
    { ...plain, product_id: '۱', price: '٣٣٠٠٠', mobile: '۹۸۹۱۲۱۲۳۴۵۰۰' },
    { ...plain, profile_id: '', offerCode: 'ignored', offerType: 'ignored', more: 1 },
    { ...plain, profile_id: null, webservice_code: ' order-1 ' },
  ]) {
    assert.deepEqual(readFields(raw, 'package', rules), expected, JSON.stringify(raw));
  }
});

test('a profile is text or a number, and part of the request', () => {
  for (const profile of ['7', 7, ' 7 ']) {
    assert.equal(readFields({ ...plain, profile_id: profile }, 'package', rules).profileId, '7');
  }
  assert.deepEqual(errorOf({ ...plain, profile_id: 'x'.repeat(256) }).fields, ['profile_id']);
  assert.deepEqual(errorOf({ ...plain, profile_id: ['7'] }).fields, ['profile_id']);
});

test('personal offers need code and type of the offer, and only on the path of packages', () => {
  assert.deepEqual(readFields(personal, 'package', rules).offer, { code: '70103', type: '1' });
  assert.equal(readFields(personal, 'top-up', rules).offer, null);
  const { offerCode: _code, ...withoutCode } = personal;
  assert.deepEqual(errorOf(withoutCode), { code: 'VALIDATION_FAILED', fields: ['offerCode'] });
  const empty = { ...personal, offerCode: ' ', offerType: '' };
  assert.deepEqual(errorOf(empty).fields, ['offerCode', 'offerType']);
});

test('a flag is on, off or left out, in each accepted form', () => {
  const read = (value: unknown) => {
    const { allowRepeat, ported } = readFields({ ...plain, allow_repeat: value }, 'package', rules);
    assert.equal(ported, undefined);
    return allowRepeat;
  };
  for (const on of [1, true, '1', ' 1 ', 'true', 'True', '۱']) assert.equal(read(on), true);
  for (const off of [0, false, '0', 'false', '٠', '', ' ', null, undefined]) {
    assert.equal(read(off), undefined);
  }
  assert.equal(readFields({ ...plain, ported: '1' }, 'top-up', rules).ported, true);
});

test('all errors are reported at once, and a mobile alone has its own code', () => {
  const all = ['product_id', 'mobile', 'price', 'webservice_code'];
  assert.deepEqual(errorOf({}), { code: 'VALIDATION_FAILED', fields: all });
  assert.deepEqual(errorOf({ ...plain, mobile: '09121234500' }), {
    code: 'INVALID_MOBILE',
    fields: ['mobile'],
  });
  assert.deepEqual(errorOf({ ...plain, mobile: '1', price: 'x' }), {
    code: 'VALIDATION_FAILED',
    fields: ['mobile', 'price'],
  });
});

test('an invalid product, price or text is refused by the name of its field', () => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    product_id: [0, -1, '1.5', '1e3', 'x', '', [1], {}, true, '9'.repeat(17)],
    price: [0, '0.4', -1, '1,000', '1e3', '+1', 'x', Number.NaN, [1], '9'.repeat(17)],
    webservice_code: ['', ' ', 'x'.repeat(256), 'a\0b', '\ud800', {}, true],
    allow_repeat: ['yes', 2, '01', [1], {}],
    ported: ['no', -1, '1.0', [true]],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const found = errorOf({ ...plain, [field]: value });
      assert.deepEqual(found, { code: 'VALIDATION_FAILED', fields: [field] }, String(value));
    }
  }
});

test('any input gives storable fields or one of two errors', () => {
  const names = ['product_id', 'mobile', 'price', 'webservice_code', 'profile_id', 'offerCode'];
  const raw = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.anything(), fc.string()));
  fc.assert(
    fc.property(raw, fc.constantFrom('package', 'top-up'), (sent, path) => {
      try {
        const { price, productId } = readFields({ ...plain, ...sent }, path, rules);
        assert.ok(Number.isSafeInteger(price) && price > 0);
        assert.ok(Number.isSafeInteger(productId) && productId > 0);
      } catch (error) {
        assert.ok(error instanceof GatewayError, String(error));
        assert.match(error.code, /^(VALIDATION_FAILED|INVALID_MOBILE)$/);
      }
    }),
  );
});
