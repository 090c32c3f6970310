/** Defines the types that the whole database layer shares: the database, its time, and the SQL of an engine. */
import type { IsolationLevel, Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** A database or a transaction on it; store functions take it first and never close over one. */
export type Db = Kysely<Tables>;

/**
 * The time of leases and quiet times: the same for all users of the database. `read` is the database's own,
 * if a statement has returned it; then no other statement has to ask for it.
 */
export type DatabaseTime = (db: Db, read?: number) => Promise<number>;

export type OpenDatabase = { readonly db: Db; readonly close: () => Promise<void> };

export type EngineSql = {
  readonly name: 'sqlite' | 'postgres';
  /** Ends a select that locks its rows until the transaction ends. */
  readonly lockRows: string;
  /** The same, skipping the rows that others have locked. */
  readonly lockFreeRows: string;
  /** A condition, always true, that limits each later wait for a lock in its transaction. */
  readonly waitAtMost: (ms: number | undefined) => string;
  /** The database's time in epoch milliseconds; undefined if the one server's clock counts. */
  readonly now: string | undefined;
  /** Fails, within a transaction, if nothing could be written. */
  readonly writable: string;
  /** Prevents other instances from migrating or filling the database until the transaction ends. */
  readonly lockSetUp: string | undefined;
  /** Notifies other instances that a part of the data has changed. */
  readonly notify: string | undefined;
  /** What distinguishes this running database from a copy of it; undefined for a file. */
  readonly signature: string | undefined;
  /** Reads the place of the database with its signature and time; fails on a standby. */
  readonly place: string | undefined;
  /** The isolation level at which many reads see one snapshot. */
  readonly snapshot: IsolationLevel | undefined;
};
