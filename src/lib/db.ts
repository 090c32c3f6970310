/** Owns the port to the database: how it is opened, by a server or by a command beside one. */
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import { assertUpToDate, migrate, pendingMigrations } from './db-migrate.ts';
import type { Tables } from './db-schema.ts';
import {
  isSqliteRolledBack,
  isSqliteUnavailable,
  lockAsServer,
  sqliteDialect,
} from './db-sqlite.ts';

/** A database or a transaction on it; store functions take it first and never close over one. */
export type Db = Kysely<Tables>;

/** The time by which leases and quiet times are measured: the same for all who share the database. */
export type DatabaseTime = (db: Db) => Promise<number>;

export type OpenDatabase = { readonly db: Db; readonly close: () => Promise<void> };

const databaseFile = (dataDir: string): string => join(dataDir, 'simgate.db');

/** Opens the database as its only server and brings it up to date. */
export const openAsServer = async (
  dataDir: string,
  clock: Pick<Clock, 'now'>,
): Promise<OpenDatabase> => {
  const file = databaseFile(dataDir);
  const unlock = lockAsServer(file);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  const close = async (): Promise<void> => {
    await db.destroy();
    unlock();
  };
  try {
    await migrate(db, clock);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, close };
};

/**
 * Opens the database beside a server. Where it is not up to date it is brought so, but never under
 * the feet of a running server, which may be an older one.
 */
export const openBeside = async (
  dataDir: string,
  clock: Pick<Clock, 'now'>,
): Promise<OpenDatabase & { readonly migrated: readonly string[] }> => {
  const file = databaseFile(dataDir);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  const close = async (): Promise<void> => db.destroy();
  try {
    if ((await pendingMigrations(db)).length === 0) return { db, close, migrated: [] };
    const unlock = lockAsServer(file);
    try {
      const done = await migrate(db, clock);
      return { db, close, migrated: done.map((migration) => migration.name) };
    } finally {
      unlock();
    }
  } catch (error) {
    await close();
    throw error;
  }
};

/** Opens an existing database for reading only. */
export const openToRead = async (dataDir: string): Promise<OpenDatabase> => {
  const dialect = sqliteDialect(databaseFile(dataDir), { readOnly: true });
  const db = new Kysely<Tables>({ dialect });
  const close = async (): Promise<void> => db.destroy();
  try {
    await assertUpToDate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, close };
};

/** Whether an error proves that nothing of its transaction was committed. */
export const isNotCommitted = (error: unknown): boolean => isSqliteRolledBack(error);

/** Whether an error means that the database cannot be reached now. */
export const isUnavailable = (error: unknown): boolean => isSqliteUnavailable(error);
