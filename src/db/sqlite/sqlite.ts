/** Connects Kysely to SQLite through `node:sqlite`: pragmas, file permissions, and the server's lock. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';
import { UsageError } from '../../lib/errors.ts';
import type { Reader } from '../reader.ts';
import { type WrappedStatement, wrapStatement } from './statement.ts';

// Parsing a statement costs more than running it. The program has some dozens of texts.
const statementsKept = 200;

// A command beside a running server waits for its turn to write rather than fail.
const busyTimeoutMs = 10_000;

/** How every connection waits for another's turn. */
export const busyTimeout = { timeout: busyTimeoutMs } as const;

/** After some errors SQLite has already rolled back, and doing so again would raise another error. */
const rollback = (database: DatabaseSync) => ({
  reader: false,
  all: () => [],
  run: () => {
    if (database.isTransaction) database.exec('rollback');
    return { changes: 0, lastInsertRowid: 0 };
  },
  iterate: () => [][Symbol.iterator](),
});

/** What Kysely asks of a driver, with statements kept after their first use. */
const shim = (database: DatabaseSync, readOnly: boolean) => {
  const kept = new Map<string, WrappedStatement>();
  const rollingBack = rollback(database);
  return {
    close: () => database.close(),
    prepare: (sql: string) => {
      if (sql === 'rollback') return rollingBack;
      const found = kept.get(sql);
      if (found !== undefined) return found;
      // A deferred transaction fails with BUSY when it first writes, whatever the timeout.
      const text = sql === 'begin' && !readOnly ? 'begin immediate' : sql;
      const statement = wrapStatement(database.prepare(text));
      if (kept.size >= statementsKept) kept.clear();
      kept.set(sql, statement);
      return statement;
    },
  };
};

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : 'for an unknown reason';

export const unusableFolder = (file: string, cause: unknown): UsageError =>
  new UsageError(
    `The folder ${dirname(file)} cannot be used (${reasonOf(cause)}). Set DATA_DIR to another one.`,
    { cause },
  );

/** Makes the file, and its folder, readable by their owner only. */
const makePrivate = (file: string): void => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch (cause) {
    throw unusableFolder(file, cause);
  }
};

const open = (file: string, readOnly: boolean): DatabaseSync => {
  const database = new DatabaseSync(file, { readOnly, ...busyTimeout });
  try {
    // FULL: what was acknowledged survives a power loss.
    if (!readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full;');
    database.exec('pragma foreign_keys = on; pragma trusted_schema = off;');
    // The first read shows whether the file is a database at all.
    database.exec('select count(*) from sqlite_schema');
    return database;
  } catch (cause) {
    database.close();
    throw new UsageError(`${file} cannot be opened as a database (${reasonOf(cause)}).`, { cause });
  }
};

/**
 * Opens a file: for Kysely, and for synchronous reads. Between transactions the one connection sees exactly
 * what is committed, and its pages are in memory; another one would read them again after each commit.
 */
export const openSqlite = (
  file: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): { readonly dialect: Dialect; readonly read: Reader } => {
  if (readOnly && !existsSync(file)) throw new UsageError(`There is no database at ${file}.`);
  if (!readOnly) makePrivate(file);
  const connection = open(file, readOnly);
  const database = shim(connection, readOnly);
  return {
    dialect: new SqliteDialect({ database }),
    read: (text, values) =>
      text.startsWith('select ') && !connection.isTransaction
        ? database.prepare(text).all(values)
        : undefined,
  };
};

export const sqliteDialect = (
  file: string,
  options: { readonly readOnly?: boolean } = {},
): Dialect => openSqlite(file, options).dialect;

const lockFileOf = (file: string): string => `${file}.lock`;

// Long enough for a concurrent migrating command to finish.
const lockTimeoutMs = 3000;

/**
 * Locks a file as its only server, or throws. The kernel drops the lock with the process, so holding it
 * proves that the former owner is dead; a leftover file blocks no one.
 */
export const lockAsServer = (file: string): (() => void) => {
  const lockFile = lockFileOf(file);
  makePrivate(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: lockTimeoutMs });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive;');
  } catch (cause) {
    lock.close();
    throw new UsageError(
      `Another Simgate server uses ${file}. Stop it first, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  return () => lock.close();
};

/** Whether a server holds the file now. */
export const isLockedByServer = (file: string): boolean => {
  const lockFile = lockFileOf(file);
  if (!existsSync(lockFile)) return false;
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive; rollback;');
    return false;
  } catch (error) {
    if (isSqliteLocked(error)) return true;
    throw unusableFolder(lockFile, error);
  } finally {
    lock.close();
  }
};

// BUSY and LOCKED.
const lockedCodes = new Set([5, 6]);

// SQLite's temporary result codes, which leave nothing half done.
const troubles: ReadonlyMap<number, string> = new Map([
  [5, 'another process keeps it locked'],
  [6, 'another process keeps it locked'],
  [8, 'it can only be read'],
  [10, 'the disk fails, or takes no more'],
  [13, 'the disk or the database is full'],
  [14, 'its file cannot be opened'],
]);

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? // The low byte is the primary code, the rest its details.
      error.errcode & 0xff
    : undefined;

/** Whether an error means that the database is unavailable, rather than a bug. */
export const isSqliteUnavailable = (error: unknown): boolean => troubles.has(codeOf(error) ?? 0);

/** The fault of the database, in words; undefined if the error is about something else. */
export const sqliteFaultOf = (error: unknown): string | undefined =>
  troubles.get(codeOf(error) ?? 0);

/** Whether an error means that another process has the lock, and that nothing was done. */
export const isSqliteLocked = (error: unknown): boolean => lockedCodes.has(codeOf(error) ?? 0);

// Disk errors are not among them: they may come after the commit has reached the disk.
const rolledBackCodes = new Set([5, 6, 8, 13, 14]);

/** Whether an error proves that its transaction was rolled back. */
export const isSqliteRolledBack = (error: unknown): boolean => {
  const code = codeOf(error);
  return code !== undefined && rolledBackCodes.has(code);
};

// CORRUPT and NOTADB.
const brokenCodes = new Set([11, 26]);

/** Whether an error means that a file is not a database, or is damaged. */
export const isSqliteBroken = (error: unknown): boolean => brokenCodes.has(codeOf(error) ?? 0);
