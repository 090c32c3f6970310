/** Tests that names match however letters, digits and half-spaces are typed, and not otherwise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/text.ts';
import { demoCatalogue } from './demo.ts';
import {
  compareById,
  compareByPosition,
  createSearchables,
  type Filter,
  foldName,
  matcher,
  nameContains,
} from './filter.ts';
import type { Product } from './product.ts';

const halfSpace = '\u200C';

/** Characters that mean the same to readers. */
const families = [
  ['ی', 'ي', 'ى'],
  ['ک', 'ك'],
  ...Array.from({ length: 10 }, (_, digit) => [
    String(digit),
    '٠١٢٣٤٥٦٧٨٩'.charAt(digit),
    '۰۱۲۳۴۵۶۷۸۹'.charAt(digit),
  ]),
  ...'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => [letter, letter.toUpperCase()]),
  ...'ابپتثجچحخدذرزژسشصضطظعغفقگلمنوه'.split('').map((letter) => [letter]),
  ...'()-+.,/%'.split('').map((sign) => [sign]),
];
const familyOf = new Map(families.flatMap((family) => family.map((sign) => [sign, family])));

const sign = fc.constantFrom(...familyOf.keys());
/** Words with a space or a half-space in between. */
const name = fc
  .tuple(
    fc.string({ unit: sign, minLength: 1, maxLength: 6 }),
    fc.array(
      fc.tuple(
        fc.constantFrom(' ', halfSpace),
        fc.string({ unit: sign, minLength: 1, maxLength: 6 }),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, others]) => first + others.flat().join(''));

/** A part of the name that begins and ends with a letter. */
const nameAndPart = fc
  .tuple(name, fc.nat(), fc.nat())
  .map(([name, from, length]) => {
    const start = from % name.length;
    const end = start + 1 + (length % (name.length - start));
    return { name, part: name.slice(start, end).replace(/^[ \u200C]+|[ \u200C]+$/g, '') };
  })
  .filter(({ part }) => part !== '');

const choices = fc.array(fc.nat({ max: 5 }), { minLength: 40, maxLength: 40 });

const contains = (name: string, part: string): boolean =>
  nameContains(foldName(name), foldName(part));

/** Each character as another of its family; a half-space also left out, or typed as a space. */
const retyped = (
  text: string,
  choices: readonly number[],
  halfSpaces: readonly string[] = [halfSpace, '', ' '],
): string =>
  text
    .split('')
    .map((sign, at) => {
      const choice = choices[at % choices.length] ?? 0;
      if (sign === halfSpace) return halfSpaces[choice % halfSpaces.length] ?? '';
      const family = familyOf.get(sign) ?? [sign];
      return family[choice % family.length] ?? sign;
    })
    .join('');

/** Additional half-spaces: between letters, and in place of spaces. */
const withHalfSpaces = (text: string, choices: readonly number[]): string =>
  text
    .split('')
    .map((sign, at) => {
      const choice = choices[at % choices.length] ?? 0;
      if (sign === ' ') return choice % 2 === 0 ? halfSpace : ' ';
      return choice % 3 === 0 ? sign + halfSpace : sign;
    })
    .join('');

test('every part of a name is found in it', () => {
  fc.assert(
    fc.property(nameAndPart, ({ name, part }) => {
      assert.ok(contains(name, part));
      assert.ok(contains(name, name));
    }),
    { numRuns: 1000 },
  );
});

test('a part typed with other forms of its letters, digits, cases and half-spaces is found', () => {
  fc.assert(
    fc.property(nameAndPart, choices, ({ name, part }, choices) => {
      assert.ok(contains(name, retyped(part, choices)));
    }),
    { numRuns: 2000 },
  );
});

test('a part typed with half-spaces that the name does not have is found', () => {
  fc.assert(
    fc.property(nameAndPart, choices, ({ name, part }, choices) => {
      assert.ok(contains(name, withHalfSpaces(part, choices)));
    }),
    { numRuns: 2000 },
  );
});

test('a name stored in other forms than the typed part is still found', () => {
  fc.assert(
    fc.property(nameAndPart, choices, choices, ({ name, part }, stored, typed) => {
      assert.ok(contains(withHalfSpaces(name, stored), part));
      assert.ok(contains(retyped(name, stored, [halfSpace]), retyped(part, typed)));
    }),
    { numRuns: 2000 },
  );
});

test('names that people search for are found as they type them', () => {
  for (const [name, part] of [
    ['بسته ۳۰ روزه ۱۰ گیگابایت', '30'],
    ['بسته ۳۰ روزه ۱۰ گیگابایت', '٣٠ روزه'],
    ['اينترنت يك‌ماهه', 'اینترنت یک‌ماهه'],
    ['اینترنت یک‌ماهه', 'يكماهه'],
    ['اینترنت یک ماهه', 'یک‌ماهه'],
    ['کتاب‌خانه‌ها', 'کتاب خانهها'],
    ['Daily 1 GB', 'gb'],
    ['DAILY', 'daily'],
    ['Ｄａｉｌｙ', 'daily'],
    ['anything', ''],
    ['anything', halfSpace],
  ] as const) {
    assert.ok(contains(name, part), `${part} in ${name}`);
  }
});

test('a text that is not in a name is not found in it', () => {
  for (const [name, part] of [
    ['بسته ۳۰ روزه', '31'],
    ['بسته ۳۰ روزه', 'روزهه'],
    ['ab', 'a b'],
    ['a b', 'ab'],
    ['a b', 'ba'],
    ['ab', 'abc'],
    ['', 'a'],
    ['a', '%'],
    ['a', '_'],
    ['a.c', 'abc'],
    ['abc', 'a.c'],
    ['abc', '.*'],
  ] as const) {
    assert.ok(!contains(name, part), `${part} in ${name}`);
  }
});

test('a text with letters that a name lacks is never found in it', () => {
  const latin = fc.string({ unit: fc.constantFrom(...'abcxyz '.split('')) });
  const persian = fc.string({ unit: fc.constantFrom(...'پچژگ'.split('')), minLength: 1 });
  fc.assert(
    fc.property(latin, persian, (name, part) => {
      assert.ok(!contains(name, part));
      assert.ok(!contains(name, name + part));
    }),
  );
});

test('without half-spaces, matching equals a plain substring search', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 });
  // Several spaces count as one here, as they do to a reader.
  const single = text.map((one) => one.replace(/ +/g, ' ').trim());
  fc.assert(
    fc.property(single, single, (name, part) => {
      assert.equal(contains(name, part), name.includes(part));
    }),
    { numRuns: 2000 },
  );
});

test('no text, however strange, makes the comparison fail', () => {
  const any = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(any, any, (one, other) => {
      assert.ok(contains(one, one));
      assert.equal(typeof contains(one, other), 'boolean');
    }),
  );
});

const products = demoCatalogue().map(
  (product): Product => ({ created_at: null, updated_at: null, ...product }),
);

/** The filter in its simplest form, for names in their simplest form. */
const fits = (product: Product, filter: Filter): boolean =>
  [
    filter.simCardType ?? product.sim_card_type,
    filter.type ?? product.type,
    filter.operatorId ?? product.operator_id,
  ].join() === [product.sim_card_type, product.type, product.operator_id].join();

test('all given filters must match, and an absent one matches everything', () => {
  const filter = fc.record(
    {
      simCardType: fc.constantFrom('credit', 'permanent'),
      type: fc.constantFrom('cell_internet', 'cell_direct_charge', 'td_lte_internet'),
      operatorId: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(filter, (filter) => {
      const found = products
        .map(createSearchables())
        .filter(matcher(filter))
        .map((one) => one.product);
      assert.deepEqual(
        found,
        products.filter((product) => fits(product, filter)),
      );
    }),
  );
});

test('both names of a product are searched', () => {
  const [product] = products;
  assert.ok(product !== undefined);
  const [two, none] = [
    { ...product, name: 'نام', name_en: 'Other' },
    { ...product, name: 'نام', name_en: null },
  ].map(createSearchables());
  assert.ok(two !== undefined && none !== undefined);
  assert.ok(matcher({ name: 'نام' })(two));
  assert.ok(matcher({ name: 'other' })(two));
  assert.ok(!matcher({ name: 'نام other' })(two), 'and not across them');
  assert.ok(!matcher({ name: 'null' })(none));
});

test('products are ordered by position and then by id, or by id alone', () => {
  const [product] = products;
  assert.ok(product !== undefined);
  const numbers = fc.record({
    id: fc.integer({ min: 1, max: 50 }),
    order: fc.integer({ min: -2, max: 2 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(numbers, { selector: ({ id }) => id }), (list) => {
      const all = list.map((numbers) => ({ ...product, ...numbers })).map(createSearchables());
      const ids = (sorted: typeof all): number[] => sorted.map(({ product }) => product.id);
      const byId = list.map(({ id }) => id).sort((a, b) => a - b);
      assert.deepEqual(ids(all.toSorted(compareById)), byId);
      const positions = [-2, -1, 0, 1, 2];
      assert.deepEqual(
        ids(all.toSorted(compareByPosition)),
        positions.flatMap((position) =>
          byId.filter((id) => list.some((one) => one.id === id && one.order === position)),
        ),
      );
    }),
  );
});
