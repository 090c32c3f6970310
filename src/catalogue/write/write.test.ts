/** Tests that every catalogue change gets a timestamp of its own, after all earlier ones. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { importProducts } from '../../../test/support/import-products.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { removeProducts } from '../../../test/support/remove-products.ts';
import { readVersions } from '../../db/changes/versions.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import type { Db } from '../../db/types.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { latestOf } from '../changes/timestamps.ts';
import { demoCatalogue } from '../demo.ts';
import type { ImportedProduct } from '../product.ts';
import { readCatalogue } from '../read.ts';
import { changeAll } from '../store.ts';
import { touchCatalogue } from './write.ts';

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

/** An empty database with a stopped clock. */
const open = async () => {
  const clock = manualClock();
  const { db, close } = await openTestDatabase();
  closing.push(close);
  return { db, clock, newId: uuidV7(clock, systemRandom) };
};

const [sample] = demoCatalogue();
const products = (first: number, count: number): ImportedProduct[] => {
  assert.ok(sample !== undefined);
  return Array.from({ length: count }, (_, index) => ({
    ...sample,
    id: first + index,
    categories: [],
  }));
};

const historyIn = async (db: Db) => (await readCatalogue(db)).history;

test('no two products share a timestamp, even with concurrent writers and a stopped clock', async () => {
  const deps = await open();
  await Promise.all([
    importProducts(deps, products(1, 450)),
    importProducts(deps, products(1001, 3)),
    importProducts(deps, products(2001, 3)),
  ]);
  const { changedAt } = await historyIn(deps.db);
  assert.equal(changedAt.length, 456);
  assert.equal(new Set(changedAt).size, 456);
});

test('a removal is later than all before it, and a re-added product is later than its removal', async () => {
  const deps = await open();
  await importProducts(deps, products(1, 3));
  const before = latestOf(await historyIn(deps.db));
  assert.deepEqual(await removeProducts(deps, [3, 1, 3]), { removed: 2, unknown: [] });
  const [one, other, ...more] = (await historyIn(deps.db)).removals;
  assert.deepEqual([one?.id, other?.id, more], [1, 3, []]);
  assert.ok((one?.removedAt ?? 0) > before);
  await importProducts(deps, products(3, 1));
  const { changedAt, removals } = await historyIn(deps.db);
  assert.deepEqual(removals, [one]);
  assert.ok((changedAt[1] ?? 0) > (other?.removedAt ?? 0));
});

test('if one of the named products is missing, none is removed', async () => {
  const deps = await open();
  await importProducts(deps, products(1, 3));
  const before = await readCatalogue(deps.db);
  assert.deepEqual(await removeProducts(deps, [1, 9, 2]), { removed: 0, unknown: [9] });
  assert.deepEqual(await readCatalogue(deps.db), before);
});

test('an import may remove what it omits, and counts it', async () => {
  const deps = await open();
  await importProducts(deps, products(1, 3));
  const result = await importProducts(deps, products(3, 2), { removeMissing: true });
  assert.deepEqual(result, { created: 1, updated: 0, unchanged: 1, removed: 2 });
  const { products: left, history } = await readCatalogue(deps.db);
  assert.deepEqual(
    left.map(({ id }) => id),
    [3, 4],
  );
  assert.deepEqual(
    history.removals.map(({ id }) => id),
    [1, 2],
  );
});

test('products from before timestamps existed count as changed long ago, one after another', async () => {
  const { db, clock, newId } = await open();
  await importProducts({ db, clock, newId }, products(7, 3));
  await db.updateTable('products').set({ changed_at: 0 }).execute();
  const text = readMigrations().find(({ name }) => name === '0005-changes')?.text ?? '';
  const [, dating = ''] = /^(update products [^;]*);/m.exec(text) ?? [];
  await sql.raw(dating).execute(db);
  assert.deepEqual((await historyIn(db)).changedAt, [1, 2, 3]);
});

test('a catalogue restored to an earlier state counts as changed as a whole', async () => {
  const deps = await open();
  await importProducts(deps, products(1, 4));
  await removeProducts(deps, [4]);
  const [before, version] = [await historyIn(deps.db), await readVersions(deps.db)];
  await deps.db.transaction().execute((db) => touchCatalogue({ ...deps, db }));
  const now = await historyIn(deps.db);
  assert.ok(now.changedAt.every((at) => at > latestOf(before)));
  assert.equal(new Set(now.changedAt).size, 3);
  assert.deepEqual(now.removals, before.removals);
  assert.notEqual((await readVersions(deps.db)).get('catalogue'), version.get('catalogue'));
});

test('a catalogue of any size is dated again in parts, each product once', async () => {
  const deps = await open();
  await importProducts(deps, products(1, 5));
  await changeAll(deps.db, 1000, 2);
  assert.deepEqual((await historyIn(deps.db)).changedAt, [1001, 1002, 1003, 1004, 1005]);
});
