/** Registers a synchronous reader for committed data outside of transactions. */
import type { Db } from './types.ts';

/** Runs a read-only statement; undefined if it is not one, or cannot run now. */
export type Reader = (text: string, values: readonly unknown[]) => readonly unknown[] | undefined;

const readers = new WeakMap<Db, Reader>();

/** From now on read-only statements outside of transactions go to the reader. */
export const registerReader = (db: Db, reader: Reader): void => {
  readers.set(db, reader);
};

/** The reader of a database. A transaction has none: it must see its own writes. */
export const readerOf = (db: Db): Reader | undefined => readers.get(db);
