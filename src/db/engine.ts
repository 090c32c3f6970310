/** Selects the SQL that differs between SQLite and PostgreSQL for a database. */
import { PostgresAdapter } from 'kysely';
import { type Clock, steadyTime } from '../lib/clock.ts';
import { isRowLocked } from './postgres/errors.ts';
import { type PoolFigures, poolFigures } from './postgres/pools.ts';
import { postgresSql } from './postgres/sql.ts';
import { sqliteSql } from './sqlite/sql.ts';
import { runText } from './statement.ts';
import type { DatabaseTime, Db, EngineSql } from './types.ts';

/** The time of leases and quiet times: the same for all users of the database. */
export const createDatabaseTime = (clock: Clock): DatabaseTime => {
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

/** The connections to PostgreSQL; undefined for a file. */
export const poolOf = (db: Db): PoolFigures | undefined => poolFigures(db.getExecutor().adapter);

/** Creates something for each engine, once; returns that of a database. */
export const perEngine = <T>(make: (sql: EngineSql) => T): ((db: Db) => T) => {
  const made = { sqlite: make(sqliteSql), postgres: make(postgresSql) } as const;
  return (db) => made[sqlOf(db).name];
};

/** Within a transaction: only one instance at a time sets up the database. */
export const lockSetUp = async (db: Db): Promise<void> => {
  const { lockSetUp: text } = sqlOf(db);
  if (text !== undefined) await runText(db, text, []);
};

/**
 * Sets up the database in a transaction, in one instance at a time. The others wait for as long as that takes:
 * a lock that times out is no reason for a start to fail.
 */
export const setUp = async <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await db.transaction().execute(async (inside) => {
        await lockSetUp(inside);
        return work(inside);
      });
    } catch (error) {
      if (!isRowLocked(error)) throw error;
    }
  }
};

/** Runs reads on one snapshot. */
export const inSnapshot = <T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> => {
  const { snapshot } = sqlOf(db);
  const transaction = db.transaction();
  return (snapshot === undefined ? transaction : transaction.setIsolationLevel(snapshot)).execute(
    read,
  );
};
