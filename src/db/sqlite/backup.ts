/** Copies a SQLite database while it is in use, checks the copy, and replaces a database atomically. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../lib/errors.ts';
import { syncFile, syncFolder } from '../../lib/fsync.ts';
import { busyTimeout, isSqliteBroken } from './sqlite.ts';

export type CopyProgress = (pages: { readonly done: number; readonly total: number }) => void;

// Four megabytes: often enough for a progress bar, seldom enough to cost nothing.
const pagesAtATime = 1000;

/** Readable by its owner only: it contains the whole database. */
const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'for an unknown reason';
    throw new UsageError(`${file} cannot be written (${why}).`, { cause });
  }
};

/** A file is not a database, or is damaged. */
class BrokenDatabase extends UsageError {}

/**
 * Copies a database as it is now, while others write to it. The copy appears atomically, even if it replaces
 * another database that others have open.
 */
export const copyDatabase = async (
  from: string,
  to: string,
  progress: CopyProgress = () => {},
): Promise<void> => {
  if (!isNonEmptyFile(from)) throw new UsageError(`There is no database at ${from}.`);
  makePrivate(to);
  try {
    await copyPages(from, to, progress);
  } catch (cause) {
    if (!isSqliteBroken(cause)) throw cause;
    throw new BrokenDatabase(`${from} is not a database, or not a whole one.`, { cause });
  }
};

const copyPages = async (from: string, to: string, progress: CopyProgress): Promise<void> => {
  const source = new DatabaseSync(from, { readOnly: true, ...busyTimeout });
  const written = openSync(to, 'r+');
  try {
    // One snapshot for all steps: without it, each commit of a server would restart the copy.
    source.exec('begin; select count(*) from sqlite_schema;');
    await backup(source, to, {
      rate: pagesAtATime,
      progress: ({ totalPages, remainingPages }) => {
        // Little by little: all at once at the end would block a server's disk for seconds.
        fdatasyncSync(written);
        progress({ done: totalPages - remainingPages, total: totalPages });
      },
    });
    progress({ done: 1, total: 1 });
  } finally {
    closeSync(written);
    source.close();
  }
};

/** Makes a copy a single portable file, with nothing beside it. */
export const makeOneFile = (file: string): void => {
  const database = new DatabaseSync(file, busyTimeout);
  try {
    database.exec('pragma synchronous = full; pragma journal_mode = delete;');
  } finally {
    database.close();
  }
};

/** Integrity errors in the pages of a database. */
export const checkIntegrity = (file: string): string[] => {
  const database = new DatabaseSync(file, { readOnly: true, ...busyTimeout });
  try {
    return database
      .prepare('select integrity_check as problem from pragma_integrity_check')
      .all()
      .map(({ problem }) => String(problem))
      .filter((problem) => problem !== 'ok');
  } catch (error) {
    if (error instanceof Error && isSqliteBroken(error)) return [error.message];
    throw error;
  } finally {
    database.close();
  }
};

/** Renames a file so that a power loss leaves the old one or the new one. */
export const renameDurably = (from: string, to: string): void => {
  syncFile(from);
  renameSync(from, to);
  syncFolder(dirname(to));
};

/** What SQLite may leave beside a database. Leftovers of another database would destroy it. */
const besides = ['-wal', '-shm', '-journal'] as const;

/** Removes a copy, with what SQLite left beside it. */
export const removeDatabase = (file: string): void => {
  for (const ending of ['', ...besides]) rmSync(file + ending, { force: true });
};

/** Whether there is a file worth keeping. */
export const isNonEmptyFile = (file: string): boolean =>
  existsSync(file) && statSync(file).size > 0;

/** A second name for the file: the first can then be replaced atomically. */
const keepAs = (file: string, aside: string): void => {
  try {
    linkSync(file, aside);
  } catch {
    // Not every file system supports hard links.
    copyFileSync(file, aside);
    syncFile(aside);
  }
};

const replaceFile = (from: string, to: string, aside: string): void => {
  for (const ending of besides) {
    if (existsSync(to + ending)) renameSync(to + ending, aside + ending);
  }
  if (isNonEmptyFile(to)) keepAs(to, aside);
  renameDurably(from, to);
};

/**
 * Puts a database where another is or was. The old one is kept under the name `aside`, even if it is broken.
 * At every instant there is the old one or the new one, never none and never a mixture.
 */
export const replaceDatabase = async (from: string, to: string, aside: string): Promise<void> => {
  if (!isNonEmptyFile(to)) {
    replaceFile(from, to, aside);
    return;
  }
  try {
    await copyDatabase(to, aside);
  } catch (error) {
    if (!(error instanceof BrokenDatabase)) throw error;
    removeDatabase(aside);
    replaceFile(from, to, aside);
    return;
  }
  // By SQLite itself and not by renaming: a command may have the file open.
  await copyDatabase(from, to);
  removeDatabase(from);
};
