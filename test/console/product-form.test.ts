/** Tests that the form of a product sends what was typed, and only what was changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentText } from '../../console/src/catalogue/delta.ts';
import { draftOf, readDraft } from '../../console/src/catalogue/product/draft.ts';
import { formatFor } from '../../console/src/writing.ts';
import { exampleOne } from '../../src/admin/catalogue/wire.ts';

const before = draftOf(exampleOne, formatFor('en'));

test('an unchanged product sends nothing', () => {
  const typed = readDraft(before, before);
  assert.deepEqual([typed.fields, typed.isChanged], [{}, false]);
  assert.equal(typed.missing.size + typed.notNumbers.size, 0);
});

test('changed fields are sent as the API takes them, in any digits, and an empty one as null', () => {
  const draft = {
    ...before,
    name: 'New',
    price: '۴۳٬۰۰۰',
    name_en: '',
    description: '',
    order: '',
    status: '0',
    capacity: '{"gb":10}',
    options: 'plain text',
    categories: ['3', '5'],
  };
  assert.deepEqual(readDraft(draft, { ...before, description: 'x', order: '7' }).fields, {
    name: 'New',
    price: 43_000,
    name_en: null,
    description: '',
    order: 0,
    status: 0,
    capacity: { gb: 10 },
    options: 'plain text',
    category_ids: [3, 5],
  });
});

test('numbers are as the language writes them, and choices and codes are not', () => {
  const product = { ...exampleOne, price: 43_000, showable_price: null, order: 1200 };
  const persian = draftOf({ ...product, operator_id: 1, sku: 'A1' }, formatFor('fa'));
  assert.deepEqual(
    [persian.price, persian.showable_price, persian.order, persian.sku, persian.operator_id],
    ['۴۳٬۰۰۰', '', '۱۲۰۰', 'A1', '1'],
  );
  assert.equal(draftOf(product, formatFor('en')).price, '43,000');
  assert.equal(readDraft({ ...persian, price: '۴۴۰۰۰' }, persian).fields.price, 44_000);
});

test('a new product lacks its required fields, and text is not a number', () => {
  const empty = draftOf(undefined, formatFor('en'));
  assert.deepEqual(
    [...readDraft(empty, empty).missing],
    ['name', 'price', 'type', 'sim_card_type', 'operator_id'],
  );
  const wrong = readDraft({ ...empty, price: 'much', period: '1.5' }, empty);
  assert.deepEqual([...wrong.notNumbers].sort(), ['period', 'price']);
});

test('percentages have their sign, also in Persian', () => {
  const [english, persian] = [formatFor('en'), formatFor('fa')];
  assert.equal(percentText(english, 7.5), '\u200e+7.5%');
  assert.equal(percentText(english, -0.25), '\u200e\u22120.25%');
  assert.equal(percentText(english, 0), '0%');
  assert.match(percentText(persian, 7.5), /^\u200e\+۷٫۵/);
});
