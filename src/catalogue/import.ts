/** Owns the import: products written over those of the same id, all of them or none. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db.ts';
import { bumpVersion } from '../lib/db-versions.ts';
import type { NewId } from '../lib/random.ts';
import { formatTime } from '../lib/time.ts';
import { announce } from '../webhooks/announce.ts';
import type { ImportedProduct, Product } from './product.ts';
import { readCatalogue, upsertCategories, upsertProducts } from './store.ts';

export type ImportDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
};

export type ImportResult = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
};

// Small enough for a progress bar to move, large enough to be fast.
const rowsAtATime = 200;

/** Dates what the file leaves undated: made when first seen, changed when it differs. */
const dated = (product: ImportedProduct, before: Product | undefined, now: string): Product => {
  // What was stored without a time keeps having none.
  const times = before ?? { created_at: now, updated_at: now };
  const { created_at = times.created_at, updated_at } = product;
  if (updated_at !== undefined) return { ...product, created_at, updated_at };
  const untouched: Product = { ...product, created_at, updated_at: times.updated_at };
  return isDeepStrictEqual(untouched, before) ? untouched : { ...untouched, updated_at: now };
};

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Imports inside a transaction of the caller's; `progress` hears how many rows are written. */
export const importInto = async (
  deps: ImportDeps,
  imported: readonly ImportedProduct[],
  progress: (done: number) => void = () => {},
): Promise<ImportResult> => {
  const existing = new Map((await readCatalogue(deps.db)).products.map((one) => [one.id, one]));
  const now = formatTime(deps.clock.now());
  const products = imported.map((product) => dated(product, existing.get(product.id), now));
  const changed = products.filter((one) => !isDeepStrictEqual(one, existing.get(one.id)));
  const categories = new Map(
    changed.flatMap((product) => product.categories).map((category) => [category.id, category]),
  );
  for (const chunk of chunksOf([...categories.values()], rowsAtATime)) {
    await upsertCategories(deps.db, chunk);
  }
  let done = products.length - changed.length;
  for (const chunk of chunksOf(changed, rowsAtATime)) {
    await upsertProducts(deps.db, chunk);
    done += chunk.length;
    progress(done);
  }
  const created = products.filter((product) => !existing.has(product.id)).length;
  const updated = changed.length - created;
  if (changed.length > 0) {
    await bumpVersion(deps.db, 'catalogue', deps.newId);
    const event = { type: 'catalogue.changed', data: { created, updated } } as const;
    await announce(deps.db, event, { newId: deps.newId, at: deps.clock.now() });
  }
  return { created, updated, unchanged: products.length - changed.length };
};

export const importProducts = (
  deps: ImportDeps,
  imported: readonly ImportedProduct[],
  progress?: (done: number) => void,
): Promise<ImportResult> =>
  deps.db.transaction().execute((db) => importInto({ ...deps, db }, imported, progress));
