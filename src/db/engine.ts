/** Owns the difference between the engines: which one a database is, and the SQL that it wants. */
import { type IsolationLevel, PostgresAdapter } from 'kysely';
import { type Clock, steadyTime } from '../lib/clock.ts';
import type { DatabaseTime, Db } from './db.ts';
import { type PoolFigures, poolFigures } from './postgres/pools.ts';
import { postgresSql } from './postgres/sql.ts';
import { sqliteSql } from './sqlite/sql.ts';
import { runText } from './statement.ts';

export type EngineSql = {
  readonly name: 'sqlite' | 'postgres';
  /** Ends a select whose rows nobody else may change until the transaction is over. */
  readonly lockRows: string;
  /** The same, leaving out the rows that somebody else has locked. */
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

/** The time by which leases and quiet times are measured: the same for all who share the database. */
export const timeOfDatabase = (clock: Clock): DatabaseTime => {
  const own = steadyTime(clock);
  return async (db, read) => {
    const { now } = sqlOf(db);
    if (now === undefined) return own();
    if (read !== undefined) return read;
    const [row] = await runText<{ now: number }>(db, `select ${now} as now`, []);
    return row?.now ?? own();
  };
};

export const sqlOf = (db: Db): EngineSql =>
  db.getExecutor().adapter instanceof PostgresAdapter ? postgresSql : sqliteSql;

/** The connections to PostgreSQL; undefined where the database is a file. */
export const poolOf = (db: Db): PoolFigures | undefined => poolFigures(db.getExecutor().adapter);

/** Makes something for each engine, once; gives that of a database. */
export const perEngine = <T>(make: (sql: EngineSql) => T): ((db: Db) => T) => {
  const made = { sqlite: make(sqliteSql), postgres: make(postgresSql) } as const;
  return (db) => made[sqlOf(db).name];
};

/** Within a transaction: only one instance at a time sets the database up. */
export const lockSetUp = async (db: Db): Promise<void> => {
  const { lockSetUp: text } = sqlOf(db);
  if (text !== undefined) await runText(db, text, []);
};

/** Runs reads that have to see one and the same moment. */
export const atOneMoment = <T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> => {
  const { snapshot } = sqlOf(db);
  const transaction = db.transaction();
  return (snapshot === undefined ? transaction : transaction.setIsolationLevel(snapshot)).execute(
    read,
  );
};
