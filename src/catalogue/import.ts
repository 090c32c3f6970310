/** Owns the import: products written over those of the same id, all of them or none. */
import { isDeepStrictEqual } from 'node:util';
import { formatTime } from '../lib/time.ts';
import type { Category, ImportedProduct, Product } from './product.ts';
import { holdCatalogue, type WriteDeps, writeChange } from './write.ts';

export type ImportDeps = WriteDeps;

export type ImportOptions = {
  /** Hears how many rows are done. */
  readonly progress?: (done: number) => void;
  /** Whether products that are not imported are removed. */
  readonly removeMissing?: boolean;
};

export type ImportResult = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Where what is missing was to be removed. */
  readonly removed?: number;
};

/** Dates what the file leaves undated: made when first seen, changed when it differs. */
const dated = (product: ImportedProduct, before: Product | undefined, now: string): Product => {
  // What was stored without a time keeps having none.
  const times = before ?? { created_at: now, updated_at: now };
  const { created_at = times.created_at, updated_at } = product;
  if (updated_at !== undefined) return { ...product, created_at, updated_at };
  const untouched: Product = { ...product, created_at, updated_at: times.updated_at };
  return isDeepStrictEqual(untouched, before) ? untouched : { ...untouched, updated_at: now };
};

const categoriesOf = (products: readonly Product[]): Map<number, Category> =>
  new Map(products.flatMap(({ categories }) => categories).map((one) => [one.id, one]));

const isSame = (one: Category, other: Category): boolean =>
  isDeepStrictEqual({ ...one, pivot: other.pivot }, other);

/** Products that are not written themselves, and show a category that is. */
const touchedBy = (
  categories: ReadonlyMap<number, Category>,
  untouched: readonly Product[],
): Product[] =>
  untouched.flatMap((product) => {
    const shown = product.categories.map((own) => {
      const other = categories.get(own.id);
      return other === undefined || isSame(own, other) ? own : { ...other, pivot: own.pivot };
    });
    const isTouched = shown.some((one, index) => one !== product.categories[index]);
    return isTouched ? [{ ...product, categories: shown }] : [];
  });

/** Imports inside a transaction of the caller's. */
export const importInto = async (
  deps: ImportDeps,
  imported: readonly ImportedProduct[],
  { progress = () => {}, removeMissing = false }: ImportOptions = {},
): Promise<ImportResult> => {
  const held = await holdCatalogue(deps.db);
  const existing = new Map(held.products.map((one) => [one.id, one]));
  const now = formatTime(deps.clock.now());
  const products = imported.map((product) => dated(product, existing.get(product.id), now));
  const changed = products.filter((one) => !isDeepStrictEqual(one, existing.get(one.id)));
  const categories = categoriesOf(changed);
  const named = new Set(products.map(({ id }) => id));
  const removed = removeMissing ? held.products.filter(({ id }) => !named.has(id)) : [];
  const gone = new Set([...changed, ...removed].map(({ id }) => id));
  const touched = touchedBy(
    categories,
    held.products.filter(({ id }) => !gone.has(id)),
  );
  const unchanged = products.length - changed.length;
  await writeChange(
    deps,
    held,
    {
      categories: [...categories.values()],
      products: [...changed, ...touched],
      removed: removed.map(({ id }) => id),
    },
    (written) => progress(unchanged + Math.min(written, changed.length)),
  );
  const created = products.filter((product) => !existing.has(product.id)).length;
  const updated = changed.length - created;
  return { created, updated, unchanged, ...(removeMissing ? { removed: removed.length } : {}) };
};

export const importProducts = (
  deps: ImportDeps,
  imported: readonly ImportedProduct[],
  options?: ImportOptions,
): Promise<ImportResult> =>
  deps.db.transaction().execute((db) => importInto({ ...deps, db }, imported, options));
