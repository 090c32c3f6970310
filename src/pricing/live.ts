/** Keeps the price lists in memory, compiled, so that a commission needs no query. */
import { readVersion } from '../db/changes/versions.ts';
import type { Db } from '../db/types.ts';
import { compilePrices, type PriceBook } from './choose.ts';
import { readAssignments, readLists } from './store.ts';

export type LivePrices = {
  readonly book: () => PriceBook;
  /** The version of the lists in memory. */
  readonly version: () => string;
  /** Reads them from the database; also when their version moves. */
  readonly reload: () => Promise<void>;
};

type Loaded = { readonly version: string; readonly book: PriceBook };

const load = async (db: Db): Promise<Loaded> => {
  for (;;) {
    const version = await readVersion(db, 'prices');
    const lists = await readLists(db);
    const book = compilePrices(lists, await readAssignments(db));
    // Otherwise a change came in between, and the lists may be newer than the version.
    if ((await readVersion(db, 'prices')) === version) return { version, book };
  }
};

export const createLivePrices = (db: Db): LivePrices => {
  let loaded: Loaded = { version: '', book: compilePrices([], new Map()) };
  return {
    book: () => loaded.book,
    version: () => loaded.version,
    reload: async () => {
      loaded = await load(db);
    },
  };
};
