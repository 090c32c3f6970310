/** Imports products over those with the same ID, all or none. */
import { isDeepStrictEqual } from 'node:util';
import { formatTime } from '../../lib/time.ts';
import { type Origin, recordPrices } from '../prices/record.ts';
import type { Category, ImportedProduct, Product } from '../product.ts';
import { type Change, lockCatalogue, type WriteDeps, writeChange } from './write.ts';

export type ImportOptions = {
  /** Receives how many rows are done. */
  readonly progress?: (done: number) => void;
  /** Whether products that the import omits are removed. */
  readonly removeMissing?: boolean;
  /** By default the program itself. */
  readonly actor?: Origin['actor'];
};

const program: Origin['actor'] = { accountId: null, name: 'simgate' };

export type ImportResult = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** If omitted products were to be removed. */
  readonly removed?: number;
};

/** Dates products without times: created when first seen, updated when they differ. */
const dated = (product: ImportedProduct, before: Product | undefined, now: string): Product => {
  // A stored null stays null.
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

/** Unchanged products whose category changes. */
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

const placesOf = (product: Product | undefined): string | undefined =>
  product && JSON.stringify(product.categories.map(({ id, pivot }) => [id, pivot.address]));

/** What an import would do to a catalogue. */
export type ImportPlan = {
  readonly change: Change;
  /** New and changed products; those with only a changed category are not among them. */
  readonly changed: readonly Product[];
  readonly removed: readonly Product[];
  readonly result: ImportResult;
};

/** The import, and the current state. */
export const planImport = (
  products: readonly Product[],
  imported: readonly ImportedProduct[],
  { now, removeMissing = false }: { readonly now: number; readonly removeMissing?: boolean },
): ImportPlan => {
  const existing = new Map(products.map((one) => [one.id, one]));
  const time = formatTime(now);
  const wanted = imported.map((product) => dated(product, existing.get(product.id), time));
  const changed = wanted.filter((one) => !isDeepStrictEqual(one, existing.get(one.id)));
  const categories = categoriesOf(changed);
  const named = new Set(wanted.map(({ id }) => id));
  const removed = removeMissing ? products.filter(({ id }) => !named.has(id)) : [];
  const gone = new Set([...changed, ...removed].map(({ id }) => id));
  const touched = touchedBy(
    categories,
    products.filter(({ id }) => !gone.has(id)),
  );
  const created = changed.filter(({ id }) => !existing.has(id)).length;
  return {
    change: {
      categories: [...categories.values()],
      products: [...changed, ...touched],
      linked: changed.filter((one) => placesOf(one) !== placesOf(existing.get(one.id))),
      removed: removed.map(({ id }) => id),
    },
    changed,
    removed,
    result: {
      created,
      updated: changed.length - created,
      unchanged: wanted.length - changed.length,
      ...(removeMissing ? { removed: removed.length } : {}),
    },
  };
};

/** Imports inside the caller's transaction. */
export const importInto = async (
  deps: WriteDeps,
  imported: readonly ImportedProduct[],
  { progress = () => {}, removeMissing = false, actor = program }: ImportOptions = {},
): Promise<ImportResult> => {
  const held = await lockCatalogue(deps.db);
  const plan = planImport(held.products, imported, { now: deps.clock.now(), removeMissing });
  const { unchanged } = plan.result;
  await writeChange(deps, held, plan.change, (written) =>
    progress(unchanged + Math.min(written, plan.changed.length)),
  );
  await recordPrices(deps, held.products, plan.change.products, { via: 'import', actor });
  return plan.result;
};
