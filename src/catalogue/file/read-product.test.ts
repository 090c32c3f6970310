/** Tests that a product in a file is read as the contract defines it, or rejected. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Category, ImportedProduct } from '../product.ts';
import { readCatalogueFile } from './file.ts';

const least = {
  id: 7,
  name: 'بسته',
  price: 9000,
  type: 'cell_internet',
  sim_card_type: 'credit',
  operator_id: 1,
};

const readJson = (...rows: unknown[]) => readCatalogueFile(JSON.stringify(rows), 'json');

/** The one product of a row with the required fields and these. */
const product = (fields: Record<string, unknown>): ImportedProduct => {
  const { products, problems } = readJson({ ...least, ...fields });
  assert.deepEqual(problems, []);
  const [first] = products;
  assert.ok(first !== undefined);
  return first;
};

/** The messages about a row with the required fields and these. */
const complaints = (fields: Record<string, unknown>): string[] => {
  const { products, problems } = readJson({ ...least, ...fields });
  assert.deepEqual(products, []);
  return problems.map((problem) => problem.message.en);
};

const withDefaults = {
  ...least,
  name_en: null,
  description: '',
  description_full: null,
  sku: null,
  second_price: null,
  showable_price: null,
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: null,
  period: null,
  order: 0,
  categories: [],
};

describe('the fields of a product in a file', () => {
  it('take their defaults if they are missing', () => {
    assert.deepEqual(readJson(least), { products: [withDefaults], problems: [] });
  });

  it('take their defaults if they are null or empty', () => {
    for (const empty of [null, '']) {
      const {
        created_at: _created,
        updated_at: _updated,
        ...rest
      } = product({
        ...Object.fromEntries(Object.keys(withDefaults).map((name) => [name, empty])),
        ...least,
        profile_id: empty,
      });
      assert.deepEqual(rest, withDefaults);
    }
  });

  it('are all reported if they are required and missing', () => {
    const required = Object.keys(least).map((name) => `${name} is missing.`);
    assert.deepEqual(
      readJson({}).problems.map((problem) => problem.message.en),
      required,
    );
  });

  it('may hold numbers as numbers or as text, also in Persian digits', () => {
    for (const price of [33_000, '33000', ' 33000.00 ', '۳۳۰۰۰', 33_000.0]) {
      assert.equal(product({ price }).price, 33_000);
    }
    assert.equal(product({ operator_id: '2' }).operator_id, 2);
    assert.deepEqual(
      [
        product({ score: '-5' }).score,
        product({ order: -3 }).order,
        product({ score: '-0' }).score,
      ],
      [-5, -3, 0],
    );
  });

  it('may hold flags as 1 and 0 or true and false', () => {
    for (const on of [1, '1', true, 'true', 'TRUE'])
      assert.equal(product({ status: on }).status, 1);
    for (const off of [0, '0', false, 'false']) {
      assert.equal(product({ deliverable: off, status: off }).status, 0);
    }
  });

  it('may hold a profile as text or as a number, which becomes text', () => {
    assert.equal(product({ profile_id: 12 }).profile_id, '12');
    assert.equal(product({ profile_id: '007' }).profile_id, '007');
    assert.equal('profile_id' in product({}), false);
  });

  it('may hold any date and time of ISO 8601, and it is printed as the contract does', () => {
    const half = '2026-01-31T09:30:00.000000Z';
    for (const [text, expected] of [
      ['2026-01-31T09:30:00Z', half],
      ['2026-01-31T09:30:00.000000Z', half],
      ['2026-01-31T13:00:00+03:30', half],
      ['2026-01-31T04:30-0500', half],
      ['2026-01-31 09:30:00', half],
      ['2026-01-31T09:30:00.1239Z', '2026-01-31T09:30:00.123000Z'],
    ] as const) {
      assert.equal(product({ created_at: text }).created_at, expected, text);
    }
  });

  it('distinguish a time that is null from one that is absent', () => {
    assert.equal(product({ created_at: null }).created_at, null);
    assert.equal('created_at' in product({}), false);
    assert.equal('created_at' in product({ created_at: '' }), false);
  });
});

describe('a product in a file', () => {
  const faults: [what: string, fields: Record<string, unknown>, message: string][] = [
    [
      'a fraction of a unit',
      { price: 33_000.5 },
      'price must be in whole currency units, not 33000.5.',
    ],
    ['a price in words', { price: 'free' }, 'price must be a plain number, not "free".'],
    ['a price with separators', { price: '33,000' }, 'price must be a plain number, not "33,000".'],
    ['a negative price', { price: -1 }, 'price must be 0 or more, not -1.'],
    ['a price as a list', { price: [9000] }, 'price must be a plain number, not a list.'],
    [
      'a price beyond the safe integers',
      { price: '9007199254740993' },
      'price is too large to be kept exactly: "9007199254740993".',
    ],
    ['a range upside down', { second_price: 5000 }, 'second_price (5000) is below price (9000).'],
    ['the id zero', { id: 0 }, 'id must be 1 or more, not 0.'],
    ['half an id', { id: 1.5 }, 'id must be a whole number, not 1.5.'],
    ['half a day', { period: 0.5 }, 'period must be a whole number of days, not 0.5.'],
    ['a blank name', { name: '  ' }, 'name is blank.'],
    ['a name that is no text', { name: 5 }, 'name must be text, not 5.'],
    [
      'a character that no database stores',
      { sku: 'a\0' },
      'sku holds a character that cannot be stored (U+0000 or half of a pair).',
    ],
    ['an operator that is none', { operator_id: 6 }, 'operator_id must be 5 or less, not 6.'],
    [
      'an unknown type',
      { type: 'internet' },
      'type must be one of cell_internet, cell_direct_charge, td_lte_internet, not "internet".',
    ],
    [
      'an unknown SIM type',
      { sim_card_type: 'Credit' },
      'sim_card_type must be one of credit, permanent, not "Credit".',
    ],
    [
      'TD-LTE at another operator',
      { type: 'td_lte_internet', operator_id: 3 },
      'type td_lte_internet is for operator 2 only, not 3.',
    ],
    ['a switch that is none', { status: 2 }, 'status must be 1 or 0 (or true or false), not 2.'],
    ['a flag in a list', { status: [1] }, 'status must be 1 or 0 (or true or false), not a list.'],
    ['a misspelt field', { prise: 1 }, 'The field "prise" is not known. Is it misspelt?'],
    [
      'a large number that JSON would round',
      { third_party_id: { id: 2 ** 60 } },
      'third_party_id holds a number that is too large to be kept exactly. Write it as text.',
    ],
    [
      'a profile that JSON would round',
      { profile_id: 2 ** 60 },
      'profile_id must be text or a whole number that can be kept exactly, not 1152921504606847000.',
    ],
  ];
  for (const [what, fields, message] of faults) {
    it(`is refused with ${what}`, () => assert.deepEqual(complaints(fields), [message]));
  }

  it('is refused with an invalid time', () => {
    const wrong = ['2026-02-30T00:00:00Z', '2026-01-31', 'soon', '2026-01-31T25:00:00Z'];
    for (const time of [...wrong, '2026-01-31T09:30:00+24:00', '9999-12-31T23:59:00-01:00', 1]) {
      const shown = JSON.stringify(time);
      assert.deepEqual(complaints({ updated_at: time }), [
        `updated_at must be a date and time such as 2026-01-31T09:30:00Z, not ${shown}.`,
      ]);
    }
  });

  it('is refused with a value that is nested too deeply', () => {
    const deep: unknown = JSON.parse('['.repeat(101) + ']'.repeat(101));
    assert.deepEqual(complaints({ options: deep }), [
      'options is nested more than 100 levels deep.',
    ]);
    const text = `[{"options":${'['.repeat(100_000)}${']'.repeat(100_000)},"status":[[]]}]`;
    assert.equal(readCatalogueFile(text, 'json').problems.length, 1);
  });

  it('may be of TD-LTE at operator 2, and may have a range of one price', () => {
    assert.equal(product({ type: 'td_lte_internet', operator_id: 2 }).type, 'td_lte_internet');
    assert.equal(product({ second_price: 9000 }).second_price, 9000);
  });

  it('must be an object', () => {
    const { problems } = readJson(5, [], null);
    assert.deepEqual(
      problems.map((problem) => problem.message.en),
      ['5', 'a list', 'null'].map((found) => `A product must be an object, not ${found}.`),
    );
  });
});

describe('the categories of a product', () => {
  const whole: Category = {
    id: 3,
    name: 'a',
    data: '[{"id":31,"text":"b","parent":0}]',
    created_at: null,
    updated_at: '2026-01-31T09:30:00.000000Z',
    pivot: { categorizable_type: 'Product', categorizable_id: 7, category_id: 3, address: '31' },
  };

  it('are kept as they are', () => {
    assert.deepEqual(product({ categories: [whole] }).categories, [whole]);
  });

  it('are completed if only id and name are given', () => {
    const pivot = { ...whole.pivot, address: '' };
    assert.deepEqual(product({ categories: [{ id: '3', name: 'a' }] }).categories, [
      { id: 3, name: 'a', data: '[]', created_at: null, updated_at: null, pivot },
    ]);
  });

  it('may give their sub-categories as a list, which is encoded', () => {
    const data = [{ id: 31, text: 'b', parent: 0 }];
    assert.deepEqual(product({ categories: [{ ...whole, data }] }).categories, [whole]);
  });

  it("may carry the original's name of the model", () => {
    const pivot = { ...whole.pivot, categorizable_type: 'App\\Models\\Product' };
    assert.deepEqual(product({ categories: [{ ...whole, pivot }] }).categories, [whole]);
  });

  const wrongData = (shown: string) =>
    `categories[0].data must be the text of a JSON array, not ${shown}.`;
  const wrongEntry =
    'categories[0].data must list objects with id (whole number), text (text) and parent (whole number) only; number 1 is not one.';
  const faults: [what: string, change: Record<string, unknown>, message: string][] = [
    ['data that is not JSON', { data: '[{' }, wrongData('"[{"')],
    ['data that is no list', { data: { id: 1 } }, wrongData('an object')],
    ['a sub-category without a parent', { data: '[{"id":1,"text":"a"}]' }, wrongEntry],
    ['a sub-category with more', { data: '[{"id":1,"text":"","parent":0,"x":1}]' }, wrongEntry],
    [
      'the id of another product',
      { pivot: { categorizable_id: 8 } },
      'categories[0].pivot.categorizable_id (8) is not the id of its product (7).',
    ],
    [
      'the id of another category',
      { pivot: { category_id: 4 } },
      'categories[0].pivot.category_id (4) is not the id of its category (3).',
    ],
    [
      'another model',
      { pivot: { categorizable_type: 'Post' } },
      'categories[0].pivot.categorizable_type must be Product, not "Post".',
    ],
    ['a pivot that is none', { pivot: 5 }, 'categories[0].pivot must be an object, not 5.'],
    [
      'a misspelt field in the pivot',
      { pivot: { adress: '' } },
      'The field "categories[0].pivot.adress" is not known. Is it misspelt?',
    ],
    [
      'a misspelt field',
      { nmae: '' },
      'The field "categories[0].nmae" is not known. Is it misspelt?',
    ],
    ['no name', { name: null }, 'categories[0].name is missing.'],
  ];
  for (const [what, change, message] of faults) {
    it(`are refused with ${what}`, () => {
      assert.deepEqual(complaints({ categories: [{ ...whole, ...change }] }), [message]);
    });
  }

  it('are refused if one is duplicate or not an object, or they are not a list', () => {
    assert.deepEqual(complaints({ categories: [whole, whole] }), [
      'categories[1] is category 3 once more.',
    ]);
    assert.deepEqual(complaints({ categories: ['a'] }), [
      'categories[0] must be an object, not "a".',
    ]);
    assert.deepEqual(complaints({ categories: 'a' }), [
      'categories must be a JSON array of categories, not "a".',
    ]);
  });
});
