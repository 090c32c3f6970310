/** Tests properties of every catalogue file: lossless round trips, no exceptions, correct line numbers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/text.ts';
import { escapeFormula } from '../../lib/csv.ts';
import { formatTime } from '../../lib/time.ts';
import { demoCatalogue } from '../demo.ts';
import type { Category, ImportedProduct } from '../product.ts';
import { readJsonCell } from './csv-rows.ts';
import { printCatalogue, readCatalogueFile } from './file.ts';

const formats = ['json', 'csv'] as const;

const nastyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      ',',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      '=',
      '\uFEFF',
      '\u200C',
      'ی',
      '۳',
      "'",
      '\\',
    ),
  }),
  fc.constantFrom('=1+1', '-1', '@cmd', '  a ', 'null', '12', '[]', '""', '{"a":1}', 'true'),
);
const storable = nastyText.filter((text) => text.isWellFormed() && !text.includes('\0'));
const filled = storable.filter((text) => text !== '');
const named = storable.filter((text) => text.trim() !== '');
const amount = fc.maxSafeNat();
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const time = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => formatTime(date.getTime()));
const exact = (value: unknown): boolean => {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(exact);
};
const anyValue = fc
  .oneof(fc.jsonValue({ maxDepth: 3 }), filled)
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => value !== '' && exact(value));
const subCategory = fc.record({
  id: fc.maxSafeInteger(),
  text: storable,
  parent: fc.maxSafeInteger(),
});

/** A category's content follows from its id, because a file may not define one in two ways. */
const categoryPool = fc.array(
  fc.record({
    name: named,
    data: fc.array(subCategory, { maxLength: 3 }).map((list) => JSON.stringify(list)),
    created_at: orNull(time),
    updated_at: orNull(time),
  }),
  { minLength: 1, maxLength: 3 },
);

const productWithoutId = fc.record(
  {
    name: named,
    name_en: orNull(filled),
    description: storable,
    description_full: orNull(filled),
    sku: orNull(filled),
    prices: fc.tuple(amount, orNull(amount)),
    showable_price: orNull(amount),
    minimum_sale: orNull(amount),
    dimension: anyValue,
    score: fc.maxSafeInteger(),
    status: fc.constantFrom(0, 1),
    options: anyValue,
    deliverable: fc.constantFrom(0, 1),
    third_party_id: anyValue,
    capacity: anyValue,
    period: orNull(amount),
    sim_card_type: fc.constantFrom('credit', 'permanent'),
    kind: fc.constantFrom(
      { type: 'cell_internet', operator_id: 5 } as const,
      { type: 'cell_direct_charge', operator_id: 1 } as const,
      { type: 'td_lte_internet', operator_id: 2 } as const,
    ),
    profile_id: filled,
    order: fc.maxSafeInteger(),
    created_at: time,
    updated_at: time,
    addresses: fc.array(storable, { maxLength: 3 }),
  },
  { noNullPrototype: true },
);

const catalogue = fc
  .tuple(categoryPool, fc.array(fc.tuple(fc.integer({ min: 1 }), productWithoutId, fc.boolean())))
  .map(([pool, entries]) => {
    const products = new Map<number, ImportedProduct>();
    for (const [id, { prices, kind, addresses, profile_id, ...rest }, profiled] of entries) {
      const [price, second] = prices;
      const second_price = second === null ? null : Math.max(price, second);
      const profile = profiled ? { profile_id } : {};
      const categories: Category[] = [];
      for (const [index, address] of addresses.slice(0, pool.length).entries()) {
        const ids = { categorizable_id: id, category_id: index + 1 };
        const pivot = { categorizable_type: 'Product' as const, ...ids, address };
        const [category] = pool.slice(index);
        if (category !== undefined) categories.push({ id: index + 1, ...category, pivot });
      }
      const own = { price, second_price, ...profile, categories };
      products.set(id, { id, ...kind, ...rest, ...own });
    }
    return Array.from(products.values());
  });

describe('printing and reading', () => {
  for (const format of formats) {
    it(`gives the same products, whatever they contain (${format})`, () => {
      fc.assert(
        fc.property(catalogue, (products) => {
          const text = [...printCatalogue(products, format)].join('');
          assert.deepEqual(readCatalogueFile(text, format), { products, problems: [] });
        }),
        { numRuns: 100 },
      );
    });

    it(`survives the bytes of a file (${format})`, () => {
      fc.assert(
        fc.property(catalogue, (products) => {
          const bytes = Buffer.from([...printCatalogue(products, format)].join(''));
          assert.deepEqual(readCatalogueFile(bytes.toString(), format).products, products);
        }),
        { numRuns: 50 },
      );
    });
  }
});

describe('any text at all', () => {
  const printed = formats.map((format) =>
    [...printCatalogue(demoCatalogue().slice(0, 4), format)].join(''),
  );
  const damaged = fc
    .tuple(fc.constantFrom(...printed), fc.nat(), fc.nat({ max: 30 }), fc.string())
    .map(([text, at, removed, added]) => {
      const cut = at % text.length;
      return text.slice(0, cut) + added + text.slice(cut + removed);
    });

  it('is read without throwing, and every problem has a line number and a sentence', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), nastyText, damaged), (text) => {
        const lines = text.split(/\r\n|\n|\r/).length;
        for (const format of formats) {
          for (const { line, message } of readCatalogueFile(text, format).problems) {
            assert.ok(line >= 1 && line <= lines, `line ${line} of ${lines}`);
            assert.match(message.en, /[.?]$/);
            assert.match(message.fa, /[\u0600-\u06ff][^]*[.؟]$/);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes time and memory in proportion to its length, even with endless nesting', () => {
    const deep = 200_000;
    const nested = '['.repeat(deep) + ']'.repeat(deep);
    for (const text of ['['.repeat(deep), nested, `[{"id":1,"options":${nested}}]`]) {
      const { problems } = readCatalogueFile(text, 'json');
      assert.match(problems[0]?.message.en ?? '', /nested more than 1000 deep/);
      assert.equal(problems.length, 1);
    }
    const { problems } = readCatalogueFile(`id,options\n1,"${nested}"`, 'csv');
    assert.ok(problems.length > 0, 'other fields are missing');
    const closedInTexts = '["]",'.repeat(deep) + '1' + ']'.repeat(deep);
    const closedInNames = '{"}":'.repeat(deep) + '1' + '}'.repeat(deep);
    const closedAfterQuote = '["\\"]",'.repeat(deep) + '1' + ']'.repeat(deep);
    for (const cell of [nested, closedInTexts, closedInNames, closedAfterQuote]) {
      assert.ok(readJsonCell(cell) === cell, `${cell.slice(0, 10)}… is read as JSON`);
    }
  });

  it('may have any number of brackets in the texts of a cell', () => {
    const texts = ['['.repeat(1001), '"{'.repeat(1001), ']'.repeat(1001)];
    assert.deepEqual(readJsonCell(JSON.stringify(texts)), texts);
  });

  it('is read no further than a useful number of problems', () => {
    const { problems } = readCatalogueFile(`[${'"'.repeat(100_000)}`, 'json');
    assert.ok(problems.length < 30_000);
    assert.ok(
      problems.some(({ message }) => message.en.startsWith('There are more than 10000 problems')),
    );
  });

  it('may have more columns than a call has arguments', () => {
    assert.equal(readCatalogueFile(','.repeat(200_000), 'csv').problems.length, 200_001);
  });
});

describe('the line of a problem', () => {
  /** The line after a text, counted in another way than the program does. */
  const lineAfter = (text: string): number => text.replaceAll('\r\n', '\n').split(/[\r\n]/).length;
  const breaks = fc
    .array(fc.constantFrom('\n', '\r\n'), { maxLength: 3 })
    .map((ends) => ends.join(''));
  const rows = fc.array(fc.record({ text: named, before: breaks, wrong: fc.boolean() }));
  const header = 'id,name,price,type,sim_card_type,operator_id';
  const row = (index: number, text: string, wrong: boolean) => ({
    id: index + 1,
    name: text,
    price: wrong ? 'x' : 1,
    type: 'cell_internet',
    sim_card_type: 'credit',
    operator_id: 1,
  });

  it('is the line where its row begins in CSV, whatever line breaks the cells contain', () => {
    const quoted = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n', '\r'), (list, end) => {
        let text = header + end;
        const expected: number[] = [];
        for (const [index, { text: name, before, wrong }] of list.entries()) {
          text += before;
          if (wrong) expected.push(lineAfter(text));
          text +=
            Object.values(row(index, escapeFormula(name), wrong))
              .map(quoted)
              .join(',') + end;
        }
        const { problems } = readCatalogueFile(text, 'csv');
        assert.deepEqual(
          problems.map((problem) => problem.line),
          expected,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is the line where its row begins in JSON, however it is formatted', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(0, 2), (list, indent) => {
        let text = '[';
        const expected: number[] = [];
        for (const [index, { text: name, before, wrong }] of list.entries()) {
          text += (index === 0 ? '' : ',') + before;
          if (wrong) expected.push(lineAfter(text));
          text += JSON.stringify(row(index, name, wrong), null, indent) + before;
        }
        const { problems } = readCatalogueFile(`${text}]`, 'json');
        assert.deepEqual(
          problems.map((problem) => problem.line),
          expected,
        );
      }),
      { numRuns: 200 },
    );
  });
});
