/** Keeps the floats in memory, so that routing needs no query. */
import type { DatabaseTime, Db } from '../../db/types.ts';
import { coversCost, type Float, type FloatBooks, floatOf } from './float.ts';
import { readBooksAtOnce } from './store.ts';

export type Floats = {
  /** The float of a supplier as it was some seconds ago; undefined if it is not watched. */
  readonly of: (supplierId: number) => Float | undefined;
  /** Whether an order of this cost may go there. */
  readonly covers: (supplierId: number, cost: number | undefined) => boolean;
  /** What the books said then of every supplier that they know. */
  readonly books: () => readonly FloatBooks[];
  readonly refresh: () => Promise<void>;
};

/** Advisory: a supplier that refuses for lack of funds is left for the next one. */
export const createFloats = (db: Db, databaseTime: DatabaseTime): Floats => {
  let floats: ReadonlyMap<number, Float> = new Map();
  let known: readonly FloatBooks[] = [];
  return {
    of: (supplierId) => floats.get(supplierId),
    books: () => known,
    covers: (supplierId, cost) => {
      // Mostly no float is watched at all.
      if (floats.size === 0) return true;
      return coversCost(floats.get(supplierId), cost);
    },
    refresh: async () => {
      const books = await readBooksAtOnce(db, await databaseTime(db));
      known = [...books.values()];
      floats = new Map(
        known.flatMap((one) => {
          const float = floatOf(one);
          return float === undefined ? [] : [[one.supplierId, float] as const];
        }),
      );
    },
  };
};
