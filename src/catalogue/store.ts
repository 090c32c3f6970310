/** Owns the catalogue's SQL: products, categories, the links between them, and what was removed. */
import type { Db } from '../lib/db.ts';
import type { Tables } from '../lib/db-schema.ts';
import { runText } from '../lib/db-statement.ts';
import { formatTime } from '../lib/time.ts';
import type { History } from './history.ts';
import { type Category, type Product, productModel } from './product.ts';

type ProductRow = Tables['products'];
type CategoryRow = Tables['categories'];
type LinkRow = Tables['product_categories'];

/** Gives for a value the first one that was like it. */
const createShared = <T>(): ((value: T) => T) => {
  const known = new Map<T, T>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    known.set(value, value);
    return value;
  };
};

const createTimes = (): ((epochMs: number | null) => string | null) => {
  const known = new Map<number, string>();
  return (epochMs) => {
    if (epochMs === null) return null;
    const time = known.get(epochMs) ?? formatTime(epochMs);
    known.set(epochMs, time);
    return time;
  };
};

/** Every row brings texts of its own, and ten thousand products have few that differ: each is kept once. */
const createKept = () => ({
  text: createShared<string>(),
  textOrNull: createShared<string | null>(),
  type: createShared<Product['type']>(),
  simCardType: createShared<Product['sim_card_type']>(),
  time: createTimes(),
});

type Kept = ReturnType<typeof createKept>;

const epochOrNull = (time: string | null): number | null =>
  time === null ? null : Date.parse(time);

const parseJson = (text: string): unknown => JSON.parse(text);

const toCategory = (row: CategoryRow, link: LinkRow, kept: Kept): Category => ({
  id: row.id,
  name: row.name,
  data: row.data,
  created_at: kept.time(row.created_at),
  updated_at: kept.time(row.updated_at),
  pivot: {
    categorizable_type: productModel,
    categorizable_id: link.product_id,
    category_id: row.id,
    address: kept.text(link.address),
  },
});

/** The keys stand in the contract's order: this is the order in which they are printed. */
const toProduct = (row: ProductRow, categories: Category[], kept: Kept): Product => ({
  id: row.id,
  name: kept.text(row.name),
  name_en: row.name_en,
  description: kept.text(row.description),
  description_full: kept.textOrNull(row.description_full),
  sku: row.sku,
  price: row.price,
  second_price: row.second_price,
  showable_price: row.showable_price,
  type: kept.type(row.type),
  minimum_sale: row.minimum_sale,
  dimension: parseJson(row.dimension),
  score: row.score,
  status: row.status,
  options: parseJson(row.options),
  deliverable: row.deliverable,
  third_party_id: parseJson(row.third_party_id),
  capacity: parseJson(row.capacity),
  period: row.period,
  sim_card_type: kept.simCardType(row.sim_card_type),
  operator_id: row.operator_id,
  ...(row.profile_id === null ? {} : { profile_id: row.profile_id }),
  order: row.sort_order,
  created_at: kept.time(row.created_at),
  updated_at: kept.time(row.updated_at),
  categories,
});

export type StoredCatalogue = {
  readonly version: string;
  /** In the order of their ids. */
  readonly products: Product[];
  readonly history: History;
};

const readRemovals = async (db: Db): Promise<History['removals']> => {
  const rows = await db
    .selectFrom('product_removals')
    .selectAll()
    .orderBy('removed_at')
    .orderBy('product_id')
    .execute();
  return rows.map((row) => ({ id: row.product_id, removedAt: row.removed_at }));
};

/** The whole catalogue, of one version. Wants a transaction. */
export const readCatalogue = async (db: Db): Promise<StoredCatalogue> => {
  const { version } = await db
    .selectFrom('versions')
    .select('version')
    .where('name', '=', 'catalogue')
    .executeTakeFirstOrThrow();
  const categories = await db.selectFrom('categories').selectAll().execute();
  const links = await db
    .selectFrom('product_categories')
    .selectAll()
    .orderBy('product_id')
    .orderBy('position')
    .execute();
  const byId = new Map(categories.map((category) => [category.id, category]));
  const linksOf = Map.groupBy(links, (link) => link.product_id);
  const kept = createKept();
  const products: Product[] = [];
  const changedAt: number[] = [];
  // Row by row: all rows beside all products would double what loading takes.
  for await (const row of db.selectFrom('products').selectAll().orderBy('id').stream()) {
    const own = (linksOf.get(row.id) ?? []).flatMap((link) => {
      const category = byId.get(link.category_id);
      return category === undefined ? [] : [toCategory(category, link, kept)];
    });
    products.push(toProduct(row, own, kept));
    changedAt.push(row.changed_at);
  }
  return { version, products, history: { changedAt, removals: await readRemovals(db) } };
};

export const anyProduct = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined;

const toProductRow = (product: Product, changedAt: number): ProductRow => ({
  id: product.id,
  name: product.name,
  name_en: product.name_en,
  description: product.description,
  description_full: product.description_full,
  sku: product.sku,
  price: product.price,
  second_price: product.second_price,
  showable_price: product.showable_price,
  type: product.type,
  minimum_sale: product.minimum_sale,
  dimension: JSON.stringify(product.dimension),
  score: product.score,
  status: product.status,
  options: JSON.stringify(product.options),
  deliverable: product.deliverable,
  third_party_id: JSON.stringify(product.third_party_id),
  capacity: JSON.stringify(product.capacity),
  period: product.period,
  sim_card_type: product.sim_card_type,
  operator_id: product.operator_id,
  profile_id: product.profile_id ?? null,
  sort_order: product.order,
  created_at: epochOrNull(product.created_at),
  updated_at: epochOrNull(product.updated_at),
  changed_at: changedAt,
});

const deleteLinks = async (db: Db, ids: readonly number[]): Promise<void> => {
  await db.deleteFrom('product_categories').where('product_id', 'in', ids).execute();
};

const replaceLinks = async (db: Db, products: readonly Product[]): Promise<void> => {
  const ids = products.map((product) => product.id);
  await deleteLinks(db, ids);
  await db.deleteFrom('product_removals').where('product_id', 'in', ids).execute();
  const links = products.flatMap((product) =>
    product.categories.map((category, position) => ({
      product_id: product.id,
      category_id: category.id,
      position,
      address: category.pivot.address,
    })),
  );
  if (links.length > 0) await db.insertInto('product_categories').values(links).execute();
};

/**
 * Writes products over those of the same id, changed at a moment and those after it. The categories that
 * they name must be there.
 */
export const upsertProducts = async (
  db: Db,
  products: readonly Product[],
  firstChange: number,
): Promise<void> => {
  await db
    .insertInto('products')
    .values(products.map((product, index) => toProductRow(product, firstChange + index)))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        name_en: eb.ref('excluded.name_en'),
        description: eb.ref('excluded.description'),
        description_full: eb.ref('excluded.description_full'),
        sku: eb.ref('excluded.sku'),
        price: eb.ref('excluded.price'),
        second_price: eb.ref('excluded.second_price'),
        showable_price: eb.ref('excluded.showable_price'),
        type: eb.ref('excluded.type'),
        minimum_sale: eb.ref('excluded.minimum_sale'),
        dimension: eb.ref('excluded.dimension'),
        score: eb.ref('excluded.score'),
        status: eb.ref('excluded.status'),
        options: eb.ref('excluded.options'),
        deliverable: eb.ref('excluded.deliverable'),
        third_party_id: eb.ref('excluded.third_party_id'),
        capacity: eb.ref('excluded.capacity'),
        period: eb.ref('excluded.period'),
        sim_card_type: eb.ref('excluded.sim_card_type'),
        operator_id: eb.ref('excluded.operator_id'),
        profile_id: eb.ref('excluded.profile_id'),
        sort_order: eb.ref('excluded.sort_order'),
        created_at: eb.ref('excluded.created_at'),
        updated_at: eb.ref('excluded.updated_at'),
        changed_at: eb.ref('excluded.changed_at'),
      })),
    )
    .execute();
  await replaceLinks(db, products);
};

/** Takes products out; that they were there is kept. */
export const deleteProducts = async (
  db: Db,
  ids: readonly number[],
  removedAt: number,
): Promise<void> => {
  await deleteLinks(db, ids);
  await db.deleteFrom('products').where('id', 'in', ids).execute();
  const rows = ids.map((id) => ({ product_id: id, removed_at: removedAt }));
  await db.insertInto('product_removals').values(rows).execute();
};

const changeAllText = `
  update products set changed_at = ? + ranked.place
  from (select id, row_number() over (order by id) as place from products) as ranked
  where ranked.id = products.id`;

/** Dates every product anew, after a moment. */
export const changeAll = async (db: Db, moment: number): Promise<void> => {
  await runText(db, changeAllText, [moment]);
};

export const upsertCategories = async (db: Db, categories: readonly Category[]): Promise<void> => {
  const rows = categories.map((category) => ({
    id: category.id,
    name: category.name,
    data: category.data,
    created_at: epochOrNull(category.created_at),
    updated_at: epochOrNull(category.updated_at),
  }));
  await db
    .insertInto('categories')
    .values(rows)
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
