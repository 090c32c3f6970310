/** Maps products and categories between database rows and the contract's form. */
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import { perKey } from '../lib/memo.ts';
import { formatTime } from '../lib/time.ts';
import { type Category, type Product, productModel } from './product.ts';

export type ProductRow = Tables['products'];
export type CategoryRow = Tables['categories'];
export type LinkRow = Tables['product_categories'];

export const categoryColumns = columnsOf('categories');

export const linkColumns = columnsOf('product_categories');

/** Returns the first equal value. */
const createShared = <T>(): ((value: T) => T) => perKey((value) => value);

/**
 * Every row brings its own strings, and ten thousand products have few distinct ones: each is stored once.
 */
export const createInterner = () => ({
  text: createShared<string>(),
  textOrNull: createShared<string | null>(),
  type: createShared<Product['type']>(),
  simCardType: createShared<Product['sim_card_type']>(),
  time: perKey((epochMs: number | null) => (epochMs === null ? null : formatTime(epochMs))),
});

export type Interner = ReturnType<typeof createInterner>;

const epochOrNull = (time: string | null): number | null =>
  time === null ? null : Date.parse(time);

const parseJson = (text: string): unknown => JSON.parse(text);

export const toCategory = (row: CategoryRow, link: LinkRow, kept: Interner): Category => ({
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

/** The keys are in the contract's order, in which they are printed. */
export const toProduct = (row: ProductRow, categories: Category[], kept: Interner): Product => ({
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

export const toProductRow = (product: Product, changedAt: number): ProductRow => {
  const { categories: _, order, ...fields } = product;
  return {
    ...fields,
    dimension: JSON.stringify(product.dimension),
    options: JSON.stringify(product.options),
    third_party_id: JSON.stringify(product.third_party_id),
    capacity: JSON.stringify(product.capacity),
    profile_id: product.profile_id ?? null,
    sort_order: order,
    created_at: epochOrNull(product.created_at),
    updated_at: epochOrNull(product.updated_at),
    changed_at: changedAt,
  };
};

export const toCategoryRow = (category: Category): CategoryRow => {
  const { pivot: _, ...fields } = category;
  return {
    ...fields,
    created_at: epochOrNull(category.created_at),
    updated_at: epochOrNull(category.updated_at),
  };
};

export const toLinkRows = (product: Product): LinkRow[] =>
  product.categories.map((category, position) => ({
    product_id: product.id,
    category_id: category.id,
    position,
    address: category.pivot.address,
  }));
