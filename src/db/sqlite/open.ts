/** Opens a SQLite database for a server or a command, and classifies database errors. */
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { sqlOf } from '../engine.ts';
import {
  assertNonePending,
  assertUpToDate,
  pendingMigrations,
  type SchemaState,
  schemaStateOf,
} from '../migrate/compatibility.ts';
import { migrate } from '../migrate/migrate.ts';
import { assertInPlace } from '../move/mark.ts';
import { registerReader } from '../reader.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db, OpenDatabase } from '../types.ts';
import { lockAsServer, openSqlite, sqliteDialect } from './sqlite.ts';

export const databaseFile = (dataDir: string): string => join(dataDir, 'simgate.db');

/** Opened, with the names of the applied migrations. */
export type Opened = OpenDatabase & { readonly migrated: readonly string[] };

/** How to open a database that may be older than the program. */
export type OpenOptions = {
  /** Whether it is migrated (the default); otherwise an older one is refused. */
  readonly migrates?: boolean;
  /** Receives what a migration waits for. */
  readonly waits?: (what: string) => void;
  /** Whether it is opened for a move, and so also where it was moved away or is incomplete. */
  readonly moving?: boolean;
};

/** Migrates a database, if allowed; returns the applied migrations. */
export const applyPendingMigrations = async (
  db: Db,
  clock: Clock,
  { migrates = true, waits = () => {} }: OpenOptions,
): Promise<readonly string[]> => {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return [];
  if (!migrates) assertNonePending(pending);
  return (await migrate(db, clock, { waits })).map(({ name }) => name);
};

/** Opens a database file that no other process uses, and migrates it. */
export const openExclusive = async (
  file: string,
  clock: Clock,
  { closed = () => {}, ...options }: OpenOptions & { readonly closed?: () => void } = {},
): Promise<Opened> => {
  const { dialect, read } = openSqlite(file);
  const db = new Kysely<Tables>({ dialect });
  const close = async (): Promise<void> => {
    await db.destroy();
    closed();
  };
  try {
    if (options.moving !== true) await assertInPlace(db);
    const migrated = await applyPendingMigrations(db, clock, options);
    registerReader(db, read);
    return { db, close, migrated };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Locks the database as its only server, until the returned function releases it. */
export const lockDataDirAsServer = (dataDir: string): (() => void) =>
  lockAsServer(databaseFile(dataDir));

/** Opens the database as its only server and migrates it. */
export const openAsServer = async (
  dataDir: string,
  clock: Clock,
  options: OpenOptions = {},
): Promise<Opened> =>
  openExclusive(databaseFile(dataDir), clock, { ...options, closed: lockDataDirAsServer(dataDir) });

/**
 * Opens the database beside a server. It is migrated if necessary, but never while a server runs, which may
 * be an older one.
 */
export const openAlongsideServer = async (
  dataDir: string,
  clock: Clock,
  options: OpenOptions = {},
): Promise<Opened> => {
  const file = databaseFile(dataDir);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  const close = async (): Promise<void> => db.destroy();
  try {
    if (options.moving !== true) await assertInPlace(db);
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return { db, close, migrated: [] };
    if (options.migrates === false) assertNonePending(pending);
    const unlock = lockAsServer(file);
    try {
      return { db, close, migrated: await applyPendingMigrations(db, clock, options) };
    } finally {
      unlock();
    }
  } catch (error) {
    await close();
    throw error;
  }
};

/** Opens an existing database for reading only. */
export const openReadOnly = async (dataDir: string): Promise<OpenDatabase> =>
  openFileReadOnly(databaseFile(dataDir));

/** Opens a database file wherever it is, such as a backup, for reading only. */
export const openFileReadOnly = async (file: string): Promise<OpenDatabase> => {
  const dialect = sqliteDialect(file, { readOnly: true });
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

/** The age of a database file; refuses one of a newer Simgate. Changes nothing. */
export const schemaStateOfFile = async (file: string): Promise<SchemaState> => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { readOnly: true }) });
  try {
    return await schemaStateOf(db);
  } finally {
    await db.destroy();
  }
};

/**
 * From now on a lock held by others is an error at once. Waiting in this thread would block the whole
 * process; users retry with `retryLocked`.
 */
export const disableBusyWait = async (db: Db): Promise<void> => {
  if (sqlOf(db).name === 'sqlite') await sql`pragma busy_timeout = 0`.execute(db);
};

/** Fails if nothing could be written now; writes nothing. */
export const assertWritable = async (db: Db): Promise<void> => {
  const { writable } = sqlOf(db);
  await db.transaction().execute((db) => sql.raw(writable).execute(db));
};
