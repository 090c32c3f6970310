/** Tests that an import is atomic, counts correctly, and dates new and changed products. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from '../../../test/support/database.ts';
import { importProducts } from '../../../test/support/import-products.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { readVersions } from '../../db/changes/versions.ts';
import type { Db } from '../../db/types.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { formatTime } from '../../lib/time.ts';
import { demoCatalogue } from '../demo.ts';
import type { Category, ImportedProduct, Product } from '../product.ts';
import { readCatalogue } from '../read.ts';
import { importInto } from './import.ts';

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

/** An empty database with its own clock. */
const open = async () => {
  const clock = manualClock();
  const { db, close } = await openTestDatabase();
  closing.push(close);
  return { db, clock, newId: uuidV7(clock, systemRandom) };
};

const productsIn = async (db: Db): Promise<Product[]> => (await readCatalogue(db)).products;
const versionIn = async (db: Db): Promise<string | undefined> =>
  (await readVersions(db)).get('catalogue');

const category = (id: number, productId: number, name = `category ${id}`): Category => ({
  id,
  name,
  data: '[]',
  created_at: null,
  updated_at: null,
  pivot: {
    categorizable_type: 'Product',
    categorizable_id: productId,
    category_id: id,
    address: String(id),
  },
});

const product = (id: number, fields: Partial<ImportedProduct> = {}): ImportedProduct => ({
  id,
  name: `product ${id}`,
  name_en: null,
  description: '',
  description_full: null,
  sku: null,
  price: 1000,
  second_price: null,
  showable_price: null,
  type: 'cell_internet',
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: null,
  period: null,
  sim_card_type: 'credit',
  operator_id: 1,
  order: 0,
  categories: [],
  ...fields,
});

const many = (count: number): ImportedProduct[] =>
  Array.from({ length: count }, (_, index) =>
    product(index + 1, { categories: [category(1, index + 1)] }),
  );

test('imported products read back field by field, in the order of ids', async () => {
  const deps = await open();
  const imported = demoCatalogue().toReversed();
  const result = await importProducts(deps, imported);
  assert.deepEqual(result, { created: imported.length, updated: 0, unchanged: 0 });
  const now = formatTime(deps.clock.now());
  assert.deepEqual(
    await productsIn(deps.db),
    imported
      .map((one) => ({ created_at: now, updated_at: now, ...one }))
      .sort((a, b) => a.id - b.id),
  );
});

for (const [what, fields] of [
  ['a row that the database refuses', { second_price: 1 }],
  ['a TD-LTE package of the wrong operator', { type: 'td_lte_internet', operator_id: 1 }],
  ['a price below zero', { price: -1 }],
] as const) {
  test(`${what}, after hundreds of valid ones, leaves nothing of the import behind`, async () => {
    const deps = await open();
    await importProducts(deps, [product(1, { name: 'before' }), product(9999)]);
    const before = JSON.stringify([await productsIn(deps.db), await versionIn(deps.db)]);
    const rows = many(700).map((row) => (row.id === 650 ? { ...row, ...fields } : row));
    const progress: number[] = [];
    await assert.rejects(
      importProducts(deps, rows, { progress: (done) => void progress.push(done) }),
      /check constraint/i,
    );
    assert.ok(progress.length > 0, 'some rows had been written by then');
    assert.equal(JSON.stringify([await productsIn(deps.db), await versionIn(deps.db)]), before);
    const categories = await deps.db.selectFrom('categories').selectAll().execute();
    assert.deepEqual(categories, []);
  });
}

test('an import inside the caller’s transaction is rolled back with it', async () => {
  const deps = await open();
  const failing = deps.db.transaction().execute(async (db) => {
    await importInto({ ...deps, db }, many(3));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.deepEqual(await productsIn(deps.db), []);
});

test('created, updated and unchanged are counted correctly, and products that a file omits stay', async () => {
  const deps = await open();
  await importProducts(deps, [product(1), product(2), product(3), product(4)]);
  const result = await importProducts(deps, [
    product(1),
    product(2, { price: 2000 }),
    product(3, { categories: [category(7, 3)] }),
    product(5),
  ]);
  assert.deepEqual(result, { created: 1, updated: 2, unchanged: 1 });
  const products = await productsIn(deps.db);
  assert.deepEqual(
    products.map(({ id, price, categories }) => [id, price, categories.length]),
    [
      [1, 1000, 0],
      [2, 2000, 0],
      [3, 1000, 1],
      [4, 1000, 0],
      [5, 1000, 0],
    ],
  );
});

test('the counts of any import after any other add up, and a third time changes nothing', async () => {
  const deps = await open();
  const rows = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 12 }), price: fc.integer({ min: 1, max: 2 }) }),
    { selector: ({ id }) => id },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const before = new Map((await productsIn(deps.db)).map((one) => [one.id, one.price]));
      const imported = rows.map(({ id, price }) => product(id, { price }));
      const version = await versionIn(deps.db);
      const result = await importProducts(deps, imported);
      const created = rows.filter(({ id }) => !before.has(id)).length;
      const same = rows.filter(({ id, price }) => before.get(id) === price).length;
      assert.deepEqual(result, {
        created,
        updated: rows.length - created - same,
        unchanged: same,
      });
      assert.equal((await versionIn(deps.db)) === version, same === rows.length);
      const again = await importProducts(deps, imported);
      assert.deepEqual(again, { created: 0, updated: 0, unchanged: rows.length });
    }),
    { numRuns: 40 },
  );
});

test('the version changes exactly if the catalogue does', async () => {
  const deps = await open();
  const versions = [await versionIn(deps.db)];
  const importing = async (...rows: ImportedProduct[]): Promise<boolean> => {
    await importProducts(deps, rows);
    const version = await versionIn(deps.db);
    const moved = version !== versions.at(-1);
    versions.push(version);
    return moved;
  };
  assert.equal(await importing(), false, 'nothing at all');
  assert.equal(await importing(product(1)), true, 'a first product');
  assert.equal(await importing(product(1)), false, 'the same again');
  assert.equal(await importing(product(1, { score: 1 })), true, 'another score');
  assert.equal(await importing(product(1, { score: 1 }), product(2)), true, 'one more product');
  assert.equal(new Set(versions).size, 4, 'no version is reused');
});

/** The times that product 1 has after each of these rows was imported, an hour apart. */
const timesAfter = async (...rows: readonly Partial<ImportedProduct>[]) => {
  const deps = await open();
  const start = deps.clock.now();
  for (const [index, fields] of rows.entries()) {
    if (index > 0) await deps.clock.advance(3_600_000);
    await importProducts(deps, [product(1, fields)]);
  }
  const hour = (time: string | null | undefined): string | number | null => {
    const hours = (Date.parse(time ?? '') - start) / 3_600_000;
    return hours >= 0 && hours < 100 ? hours : (time ?? null);
  };
  const [stored] = await productsIn(deps.db);
  return [hour(stored?.created_at), hour(stored?.updated_at)];
};

const given = '2020-05-06T07:08:09.000000Z';

test('a product without times gets those of its import', async () => {
  assert.deepEqual(await timesAfter({}), [0, 0]);
});

test('imported again unchanged, it keeps its times', async () => {
  assert.deepEqual(await timesAfter({}, {}), [0, 0]);
});

test('imported again with a change, it keeps its creation time and updates the other', async () => {
  assert.deepEqual(await timesAfter({}, { price: 2 }), [0, 1]);
  assert.deepEqual(await timesAfter({}, { price: 2 }, { price: 2 }, { price: 3 }), [0, 3]);
});

test('times of the file are kept', async () => {
  const times = { created_at: given, updated_at: given };
  assert.deepEqual(await timesAfter(times), [given, given]);
  assert.deepEqual(await timesAfter({}, { ...times, price: 2 }), [given, given]);
  assert.deepEqual(await timesAfter({}, { updated_at: given }), [0, given]);
  assert.deepEqual(await timesAfter(times, {}), [given, given]);
  assert.deepEqual(await timesAfter(times, { price: 2 }), [given, 1]);
});

test('a time that is null in the file stays null until the product changes', async () => {
  const none = { created_at: null, updated_at: null };
  assert.deepEqual(await timesAfter(none), [null, null]);
  assert.deepEqual(await timesAfter(none, {}), [null, null]);
  assert.deepEqual(await timesAfter(none, { price: 2 }), [null, 1]);
});

test('a category is updated with the product that names it, and links keep their order', async () => {
  const deps = await open();
  await importProducts(deps, [
    product(1, { categories: [category(2, 1), category(1, 1)] }),
    product(2, { categories: [category(1, 2)] }),
  ]);
  await importProducts(deps, [
    product(1, { categories: [category(3, 1), category(1, 1, 'renamed'), category(2, 1)] }),
  ]);
  const [one, two] = await productsIn(deps.db);
  assert.deepEqual(
    one?.categories.map(({ id, name }) => [id, name]),
    [
      [3, 'category 3'],
      [1, 'renamed'],
      [2, 'category 2'],
    ],
  );
  assert.equal(two?.categories[0]?.name, 'renamed');
});

test('progress reports how many rows are done, and ends with all of them', async () => {
  const deps = await open();
  const progress: number[] = [];
  await importProducts(deps, many(450), { progress: (done) => void progress.push(done) });
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), 450);
  assert.ok(progress.length > 1);
});
