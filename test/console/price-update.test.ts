/** Tests that a price change is sent as it was typed, and that errors are shown in known words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changeKinds,
  changeOf,
  priceFields,
  roundings,
} from '../../console/src/catalogue/prices/price-update.ts';
import { formatFor } from '../../console/src/writing.ts';
import {
  priceFields as apiFields,
  roundings as apiRoundings,
  readPercent,
} from '../../src/admin/catalogue/prices.ts';

test('percents and amounts mean the same in every language', () => {
  const whole = fc.integer({ min: 0, max: 99_999 });
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 99 }), (number, part) => {
      const percent = `${number}.${part}`;
      const persian = formatFor('fa').digits(`${number}٫${part}`);
      for (const typed of [percent, persian, ` ${persian}٪`]) {
        assert.deepEqual(changeOf('morePercent', typed), { percent });
        assert.deepEqual(changeOf('lessPercent', typed), { percent: `-${percent}` });
        assert.ok(readPercent(`-${percent}`) !== undefined);
      }
      for (const typed of [String(number), formatFor('fa').count(number)]) {
        assert.deepEqual(changeOf('moreAmount', typed), { amount: number });
        assert.equal(changeOf('lessAmount', typed)?.amount, number === 0 ? -0 : -number);
        assert.deepEqual(changeOf('toPrice', typed), { price: number });
      }
    }),
  );
});

test('an invalid number is not sent', () => {
  for (const typed of ['', ' ', '-', '-5', '5-', 'five', '1.2.3', '1,5', '1e3', '∞']) {
    for (const how of changeKinds) assert.equal(changeOf(how, typed), undefined, `${how} ${typed}`);
  }
  assert.equal(changeOf('moreAmount', '5.5'), undefined);
});

test('the console knows the prices and the roundings of the API', () => {
  assert.deepEqual([...priceFields], [...apiFields]);
  assert.deepEqual([...roundings], [...apiRoundings]);
});
