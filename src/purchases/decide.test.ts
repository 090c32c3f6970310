/** Tests which purchases the catalogue, the operator and the offers allow, and at what price. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { offer, productOf } from '../../test/support/purchase-world.ts';
import { readDecimal } from '../lib/money.ts';
import {
  judgeOffer,
  judgePrefix,
  judgePrice,
  judgeProduct,
  judgeSubscriber,
  offerPrice,
} from './decide.ts';

const tenPercent = readDecimal('10') ?? assert.fail();
const amount = fc.integer({ min: 0, max: 1_000_000_000 });

test('a product that is missing, on the wrong path or switched off is refused', () => {
  assert.deepEqual(judgeProduct(undefined, 'package'), { code: 'PRODUCT_NOT_FOUND' });
  for (const type of ['cell_internet', 'td_lte_internet', 'cell_direct_charge'] as const) {
    const right = type === 'cell_direct_charge' ? 'top-up' : 'package';
    for (const path of ['package', 'top-up'] as const) {
      const refusal = judgeProduct(productOf({ id: 1, type }), path);
      assert.equal(refusal?.code, path === right ? undefined : 'VALIDATION_FAILED');
      if (path !== right) {
        const address = right === 'package' ? '/api/top-up/package/' : '/api/top-up/';
        assert.deepEqual(refusal?.errors, {
          product_id: [
            {
              en: `Buy this product at ${address}.`,
              fa: `این محصول را از ${address} بخرید.`,
            },
          ],
        });
      }
    }
    const off = judgeProduct(productOf({ id: 1, type, status: 0 }), right);
    assert.deepEqual(off, { code: 'PRODUCT_INACTIVE' });
  }
});

test('a subscriber of another operator, or with another kind of SIM, is refused', () => {
  for (const sim of ['credit', 'permanent'] as const) {
    const product = productOf({ id: 1, sim_card_type: sim });
    const judged = (simType: 'credit' | 'permanent') =>
      judgeSubscriber(product, { kind: 'subscriber', simType })?.code;
    assert.equal(judged('credit'), sim === 'credit' ? undefined : 'SIM_TYPE_MISMATCH');
    assert.equal(judged('permanent'), sim === 'permanent' ? undefined : 'SIM_TYPE_MISMATCH');
    const stranger = judgeSubscriber(product, { kind: 'not_subscriber' });
    assert.deepEqual(stranger, { code: 'OPERATOR_MISMATCH' });
  }
});

test('a number with another operator’s prefix is refused unless the request says it is ported', () => {
  const product = productOf({ id: 1, operator_id: 1 });
  for (const ported of [true, false]) {
    assert.equal(judgePrefix(product, 1, { ported }), undefined);
    assert.equal(judgePrefix(product, undefined, { ported }), undefined);
  }
  assert.equal(judgePrefix(product, 2, { ported: true }), undefined);
  const refusal = judgePrefix(product, 2, {});
  assert.deepEqual([refusal?.code, refusal?.retry], ['OPERATOR_MISMATCH', 'new_key']);
});

test('a fixed price must match exactly, and the refusal names it', () => {
  fc.assert(
    fc.property(amount, amount, (price, sent) => {
      const refusal = judgePrice(productOf({ id: 1, price }), sent);
      const expected = { code: 'PRICE_MISMATCH', more: { expected_price: price } };
      assert.deepEqual(refusal, sent === price ? undefined : expected);
    }),
  );
  assert.equal(judgePrice(productOf({ id: 1, price: 5 }), 5), undefined);
});

test('a range accepts every amount from one end to the other, both included', () => {
  fc.assert(
    fc.property(amount, amount, amount, (one, other, sent) => {
      const [price, second_price] = [Math.min(one, other), Math.max(one, other)];
      const product = productOf({ id: 1, price, second_price });
      const within = sent >= price && sent <= second_price;
      assert.equal(judgePrice(product, sent)?.code, within ? undefined : 'AMOUNT_OUT_OF_RANGE');
      for (const end of [price, second_price]) assert.equal(judgePrice(product, end), undefined);
      assert.equal(judgePrice(product, second_price + 1)?.code, 'AMOUNT_OUT_OF_RANGE');
      assert.equal(judgePrice(product, price - 1)?.code, 'AMOUNT_OUT_OF_RANGE');
    }),
  );
});

test('an offer costs its amount plus tax, rounded half up, computed exactly', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.integer({ min: 0, max: 3 }),
      (n, scale) => {
        const digits = n.toString().padStart(scale + 1, '0');
        const split = digits.length - scale;
        const amountText =
          scale === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
        const unit = 10n ** BigInt(scale + 1);
        const expected = (2n * n * 11n + unit) / (2n * unit);
        assert.equal(offerPrice({ ...offer, amount: amountText }, tenPercent), Number(expected));
      },
    ),
  );
  assert.equal(offerPrice({ ...offer, amount: '30000' }, tenPercent), 33_000);
  assert.equal(offerPrice({ ...offer, amount: 'much' }, tenPercent), undefined);
});

test('an offer is found by code and type together, and sold at its price only', () => {
  const others = [
    { ...offer, type: '2', amount: '1' },
    { ...offer, code: '70102', amount: '2' },
  ];
  const wanted = { code: offer.code, type: offer.type };
  const offers = [...others, offer];
  assert.equal(judgeOffer(wanted, 33_000, offers, tenPercent), undefined);
  assert.deepEqual(judgeOffer(wanted, 30_000, offers, tenPercent), {
    code: 'PRICE_MISMATCH',
    more: { expected_price: 33_000 },
  });
  for (const list of [[], others, [{ ...offer, amount: 'unreadable' }]]) {
    assert.deepEqual(judgeOffer(wanted, 33_000, list, tenPercent), { code: 'OFFER_NOT_FOUND' });
  }
});
