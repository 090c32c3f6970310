/** Tests that a catalogue is imported and exported whole, or not at all. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { progressBar } from '../../src/cli/progress.ts';
import { sampleCategory, sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { simgate } from '../support/process.ts';

const folder = temporaryFolders();

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

describe('The catalogue of a file', twoAtATime, () => {
  const times = {
    created_at: '2026-01-31T09:30:00.000000Z',
    updated_at: '2026-02-28T23:59:59.000000Z',
  };
  const awkward = [
    sampleProduct({
      ...times,
      id: 9001,
      name: 'Quotes "in" it, commas,\nand lines',
      name_en: '  spaces around  ',
      description: '=1+1',
      description_full: "it's\r\nlong",
      sku: '007',
      profile_id: '12',
      dimension: { a: [1, 'two', null] },
      options: 'null',
      capacity: 10,
      third_party_id: '',
      second_price: 20_000,
      categories: [sampleCategory(9001, 77), sampleCategory(9001, 78)],
    }),
    sampleProduct({ ...times, id: 9002, status: 0, order: -5 }),
  ];

  it('comes back unchanged from JSON by CSV to JSON, and imported again changes nothing', async () => {
    const [first, second] = [folder(), folder()];
    const [given, csv, json, back] = [
      join(first, 'given.json'),
      join(first, 'out.csv'),
      join(first, 'out.json'),
      join(second, 'back.json'),
    ];
    const count = demoCatalogue().length + awkward.length;
    writeFileSync(given, [...printCatalogue([...demoCatalogue(), ...awkward], 'json')].join(''));
    const imported = await done(first, 'catalogue', 'import', given);
    assert.equal(imported, `Products: ${count} created, 0 updated, 0 unchanged.\n`);
    const [words, data] = await Promise.all([
      done(first, 'catalogue', 'export', csv),
      done(first, 'catalogue', 'export', json, '--json'),
    ]);
    assert.equal(words, `${count} products.\n`);
    assert.deepEqual(parsed(data), { products: count, file: json });
    await done(second, 'catalogue', 'import', csv);
    await done(second, 'catalogue', 'export', back);
    assert.deepEqual(linesOf(back), linesOf(json));
    const again = parsed(await done(second, 'catalogue', 'import', json, '--json'));
    assert.deepEqual(again, { ok: true, created: 0, updated: 0, unchanged: count });
    assert.deepEqual(
      [first, second].flatMap((one) => readdirSync(one)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('loses what is removed by its id, or missing from a file, all or nothing', async () => {
    const data = folder();
    const [given, part, none] = [
      join(data, 'given.json'),
      join(data, 'part.json'),
      join(data, 'none.json'),
    ];
    writeFileSync(given, JSON.stringify([1, 2, 3, 4].map((id) => sampleProduct({ id }))));
    writeFileSync(part, JSON.stringify([3].map((id) => sampleProduct({ id }))));
    writeFileSync(none, '[]');
    await done(data, 'catalogue', 'import', given);
    const remove = ['catalogue', 'remove'] as const;
    assertSentence(
      await simgate(data, [...remove, '1', '77', '78']),
      /^Nothing was removed: there are no products 77, 78\.$/m,
    );
    const told = await simgate(data, [...remove, '77', '--json']);
    assert.deepEqual([told.status, parsed(told.out)], [1, { ok: false, unknown: [77] }]);
    assert.equal((await simgate(data, [...remove, '1', 'two'])).status, 2);
    assert.equal(await done(data, ...remove, '1', '2'), '2 products were removed.\n');
    assertSentence(
      await simgate(data, ['catalogue', 'import', none, '--remove-missing']),
      /^Nothing was removed: .* has no products/,
    );
    assert.equal(
      await done(data, 'catalogue', 'import', part, '--remove-missing'),
      'Products: 0 created, 0 updated, 1 unchanged. 1 removed.\n',
    );
    assert.deepEqual(parsed(await done(data, ...remove, '3', '--json')), { ok: true, removed: 1 });
  });

  it('is refused with every problem and its line, and then nothing changes', async () => {
    const data = folder();
    const [right, wrongJson, wrongCsv, left] = [
      join(data, 'right.json'),
      join(data, 'wrong.json'),
      join(data, 'wrong.csv'),
      join(data, 'left.json'),
    ];
    const print = (name: string, ...lines: readonly string[]): void =>
      writeFileSync(name, `${lines.join('\n')}\n`);
    const product = (id: number, name: string, fields: object = {}): string =>
      JSON.stringify({ ...sampleProduct({ id, name }), ...fields });
    print(right, '[', product(1, 'One'), ']');
    print(
      wrongJson,
      '[',
      `${product(1, 'Another')},`,
      `${product(2, 'Two', { type: 'fax' })},`,
      `${product(3, 'Three')},`,
      product(4, 'Four', { price: -1 }),
      ']',
    );
    print(
      wrongCsv,
      'id,name,price,type,sim_card_type,operator_id',
      '1,Another,500,cell_internet,credit,1',
      '2,"Two',
      'lines",500,cell_internet,gold,1',
      '3,Three,500,cell_internet,credit,9',
    );
    await done(data, 'catalogue', 'import', right);
    const [words, json] = await Promise.all([
      simgate(data, ['catalogue', 'import', wrongJson]),
      simgate(data, ['catalogue', 'import', wrongCsv, '--json']),
    ]);
    assert.deepEqual({ status: words.status, out: words.out }, { status: 1, out: '' });
    assert.match(words.err, /^Nothing was imported: .*wrong\.json has 2 problems\.\nline 3: /);
    assert.match(words.err, /\nline 5: [^\n]+\n$/);
    assert.deepEqual({ status: json.status, err: json.err }, { status: 1, err: '' });
    const told = parsed(json.out);
    assert.equal(at(told, 'ok'), false);
    assert.deepEqual(
      listOf(at(told, 'problems')).map((problem) => at(problem, 'line')),
      [3, 5],
    );
    await done(data, 'catalogue', 'export', left);
    const products = listOf(parsed(readFileSync(left, 'utf8')));
    assert.deepEqual(
      products.map((one) => at(one, 'name')),
      ['One'],
    );
  });

  it('cannot be read without a file, nor written without a folder', async () => {
    const data = folder();
    const file = join(data, 'nowhere', 'list.csv');
    const read = await simgate(data, ['catalogue', 'import', file]);
    assertSentence(read, /^The file .*list\.csv cannot be read\./);
    const written = await simgate(data, ['catalogue', 'export', file]);
    assertSentence(written, /^The file .*list\.csv cannot be written\./);
  });
});

describe('The progress bar', () => {
  const drawn = (isTTY: boolean | undefined, total: number, steps: readonly number[]): string => {
    let text = '';
    const write = (part: string): boolean => {
      text += part;
      return true;
    };
    const progress = progressBar(total, isTTY === undefined ? { write } : { isTTY, write });
    for (const step of steps) progress(step);
    return text;
  };

  it('is drawn over itself on a terminal, and the last step ends its line', () => {
    const [none, half, full, ...rest] = drawn(true, 200, [0, 100, 200]).split('\r').slice(1);
    assert.equal(none, `[${'-'.repeat(30)}] 0 of 200`);
    assert.equal(half, `[${'#'.repeat(15)}${'-'.repeat(15)}] 100 of 200`);
    assert.equal(full, `[${'#'.repeat(30)}] 200 of 200\n`);
    assert.deepEqual(rest, []);
  });

  it('is not drawn without a terminal, nor for an empty file', () => {
    assert.equal(drawn(false, 200, [100, 200]), '');
    assert.equal(drawn(undefined, 200, [100, 200]), '');
    assert.equal(drawn(true, 0, [0]), '');
  });
});
