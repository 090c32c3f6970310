/** Reads the whole catalogue in batches, yielding to the event loop in between. */
import { readVersion } from '../db/changes/versions.ts';
import { inSnapshot } from '../db/engine.ts';
import type { Db } from '../db/types.ts';
import { noTurn, type Turn } from '../lib/time-slices.ts';
import type { History, Removal } from './changes/timestamps.ts';
import type { Product } from './product.ts';
import { createInterner, toCategory, toProduct } from './rows.ts';
import { readCategories, readLinks, readProducts, readRemovals } from './store.ts';

export type StoredCatalogue = {
  readonly version: string;
  /** In the order of their ids. */
  readonly products: Product[];
  readonly history: History;
};

// Some milliseconds each.
const rowsAtATime = 500;

const readAllRemovals = async (db: Db, turn: Turn): Promise<Removal[]> => {
  const removals: Removal[] = [];
  for (;;) {
    const behind = removals.at(-1)?.id ?? 0;
    const page = await readRemovals(db, { behind, most: rowsAtATime });
    removals.push(...page);
    if (page.length < rowsAtATime) break;
    await turn();
  }
  return removals.sort((one, other) => one.removedAt - other.removedAt || one.id - other.id);
};

/** The whole catalogue. Needs a transaction with a consistent snapshot, unless the caller ensures one. */
export const readCatalogue = async (db: Db, turn: Turn = noTurn): Promise<StoredCatalogue> => {
  const version = await readVersion(db, 'catalogue');
  const categories = new Map((await readCategories(db)).map((one) => [one.id, one]));
  const kept = createInterner();
  const products: Product[] = [];
  const changedAt: number[] = [];
  for (;;) {
    const behind = products.at(-1)?.id ?? 0;
    const page = await readProducts(db, { behind, most: rowsAtATime });
    const upTo = page.at(-1)?.id ?? behind;
    const links = Map.groupBy(await readLinks(db, { behind, upTo }), (link) => link.product_id);
    for (const row of page) {
      const own = (links.get(row.id) ?? []).flatMap((link) => {
        const category = categories.get(link.category_id);
        return category === undefined ? [] : [toCategory(category, link, kept)];
      });
      products.push(toProduct(row, own, kept));
      changedAt.push(row.changed_at);
    }
    if (page.length < rowsAtATime) break;
    await turn();
  }
  return { version, products, history: { changedAt, removals: await readAllRemovals(db, turn) } };
};

// After that, the writers wait.
const mostTries = 3;

/**
 * The whole catalogue of one version, read without a transaction, which would block all writers of a file.
 * Every change gives it a new version, so the same version before and after means a consistent read.
 */
export const loadCatalogue = async (db: Db, turn: Turn): Promise<StoredCatalogue> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = await readCatalogue(db, turn);
    if ((await readVersion(db, 'catalogue')) === read.version) return read;
  }
  return inSnapshot(db, readCatalogue);
};
