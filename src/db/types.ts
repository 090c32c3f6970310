/** Defines the types that the whole database layer shares: the database, its time, and the SQL of an engine. */
import type { IsolationLevel, Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** A database or a transaction on it; store functions take it first and never close over one. */
export type Db = Kysely<Tables>;

/**
 * The time by which leases and quiet times are measured: the same for all who share the database. `read`
 * is the database's own, where a statement has brought it along; then no other statement has to ask for it.
 */
export type DatabaseTime = (db: Db, read?: number) => Promise<number>;

export type OpenDatabase = { readonly db: Db; readonly close: () => Promise<void> };

export type EngineSql = {
  readonly name: 'sqlite' | 'postgres';
  /** Ends a select that locks its rows until the transaction is over. */
  readonly lockRows: string;
  /** The same, leaving out the rows that others have locked. */
  readonly lockFreeRows: string;
  /** A condition, always true, that ends each later wait for a lock of its transaction after so long. */
  readonly waitAtMost: (ms: number | undefined) => string;
  /** The database's time in epoch milliseconds; undefined where the one server's time is it. */
  readonly now: string | undefined;
  /** Fails, within a transaction, where nothing could be written. */
  readonly writable: string;
  /** Keeps other instances from migrating or filling the database until the transaction is over. */
  readonly lockSetUp: string | undefined;
  /** Tells other instances at once that a part of the data has changed. */
  readonly notify: string | undefined;
  /** What tells this database, as it runs now, from a copy of it; undefined for a file. */
  readonly signature: string | undefined;
  /** Reads the place of the database with its signature and time; fails on a standby. */
  readonly place: string | undefined;
  /** The level at which a transaction of many reads sees one moment. */
  readonly snapshot: IsolationLevel | undefined;
};
