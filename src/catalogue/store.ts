/** Runs the catalogue's SQL: products, categories, links and removals. */
import { insertRows, type RowsText, runText, tableOf, writeRows } from '../db/statement.ts';
import { columnsOf } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import type { Removal } from './changes/timestamps.ts';
import type { Category, Product } from './product.ts';
import {
  type CategoryRow,
  categoryColumns,
  type LinkRow,
  linkColumns,
  type ProductRow,
  toCategoryRow,
  toLinkRows,
  toProductRow,
} from './rows.ts';

export const readCategories = (db: Db): Promise<CategoryRow[]> =>
  db.selectFrom('categories').select(categoryColumns).execute();

/** Products by id, after one: up to a limit. */
export const readProducts = (
  db: Db,
  { behind, most }: { readonly behind: number; readonly most: number },
): Promise<ProductRow[]> =>
  db
    .selectFrom('products')
    .select(columns)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(most)
    .execute();

/** The categories of products by product id, after one and up to another. */
export const readLinks = (
  db: Db,
  { behind, upTo }: { readonly behind: number; readonly upTo: number },
): Promise<LinkRow[]> =>
  db
    .selectFrom('product_categories')
    .select(linkColumns)
    .where('product_id', '>', behind)
    .where('product_id', '<=', upTo)
    .orderBy('product_id')
    .orderBy('position')
    .execute();

/** Removals by product id, after one: up to a limit. */
export const readRemovals = async (
  db: Db,
  { behind, most }: { readonly behind: number; readonly most: number },
): Promise<Removal[]> => {
  const rows = await db
    .selectFrom('product_removals')
    .select(['product_id', 'removed_at'])
    .where('product_id', '>', behind)
    .orderBy('product_id')
    .limit(most)
    .execute();
  return rows.map((row) => ({ id: row.product_id, removedAt: row.removed_at }));
};

export const hasProducts = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined;

const columns = columnsOf('products');

const overwrite = columns
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

const upsertText = insertRows('products', ` on conflict (id) do update set ${overwrite}`);

/** Upserts products by id, dated from a time on. */
export const upsertProducts = async (
  db: Db,
  products: readonly Product[],
  firstChange: number,
): Promise<void> => {
  const rows = products.map((product, index) => {
    const row = toProductRow(product, firstChange + index);
    return columns.map((column) => row[column]);
  });
  await writeRows(db, upsertText, rows);
};

const deleteText = (table: string, column: string): RowsText => ({
  one: `delete from ${table} where ${column} = ?`,
  many: `delete from ${table} where ${column} in (select next.id from ${tableOf({ id: 'bigint' })})`,
});

const deleteLinksText = deleteText('product_categories', 'product_id');
const deleteProductsText = deleteText('products', 'id');
const deleteRemovalsText = deleteText('product_removals', 'product_id');
const insertLinksText = insertRows('product_categories');
const insertRemovalsText = insertRows('product_removals');

/** Links existing products to the existing categories that they name. */
export const linkProducts = async (db: Db, products: readonly Product[]): Promise<void> => {
  const ids = products.map(({ id }) => [id]);
  await writeRows(db, deleteLinksText, ids);
  // A linked product exists, and no longer counts as removed.
  await writeRows(db, deleteRemovalsText, ids);
  const links = products
    .flatMap(toLinkRows)
    .map((link) => linkColumns.map((column) => link[column]));
  if (links.length > 0) await writeRows(db, insertLinksText, links);
};

/** Removes products and records the removals. */
export const deleteProducts = async (
  db: Db,
  ids: readonly number[],
  removedAt: number,
): Promise<void> => {
  const rows = ids.map((id) => [id]);
  await writeRows(db, deleteLinksText, rows);
  await writeRows(db, deleteProductsText, rows);
  await writeRows(
    db,
    insertRemovalsText,
    ids.map((id) => [id, removedAt]),
  );
};

const changeSomeText = `
  update products set changed_at = ? + ranked.place
  from (select id, row_number() over (order by id) as place
    from (select id from products where id > ? order by id limit ?) as part) as ranked
  where ranked.id = products.id returning products.id`;

// A statement has seconds, and a catalogue may have any size.
const mostAtOnce = 10_000;

/** Gives every product a new date, after a time. */
export const changeAll = async (db: Db, moment: number, atOnce = mostAtOnce): Promise<void> => {
  let [last, changed] = [0, 0];
  while (true) {
    const rows = await runText<{ id: number }>(db, changeSomeText, [
      moment + changed,
      last,
      atOnce,
    ]);
    if (rows.length === 0) return;
    changed += rows.length;
    last = rows.reduce((most, { id }) => Math.max(most, id), last);
  }
};

export const upsertCategories = async (db: Db, categories: readonly Category[]): Promise<void> => {
  await db
    .insertInto('categories')
    .values(categories.map(toCategoryRow))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        data: eb.ref('excluded.data'),
        created_at: eb.ref('excluded.created_at'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
};
