/** Opens both ends of a move, and locks others out until it is over. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { assertUpToDate, schemaStateOf } from '../migrate/compatibility.ts';
import { openForCommand, openPostgres, type Place } from '../open.ts';
import { isRowLocked } from '../postgres/errors.ts';
import {
  databaseFile,
  lockDataDirAsServer,
  openAsServer,
  openFileReadOnly,
} from '../sqlite/open.ts';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { runText } from '../statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';
import { findMark } from './mark.ts';
import type { CarriedTable } from './plan.ts';

export type MoveEnd = {
  /** Its location, without credentials. */
  readonly name: string;
  readonly db: Db;
  readonly close: () => Promise<void>;
};

export type SourceEnd = MoveEnd & {
  /** Locks out other writers, until its work is committed with the last changes there. */
  readonly hold: (plan: readonly CarriedTable[]) => Promise<Held>;
};

export type Held = {
  /** Does the last work on the source, and releases it. */
  readonly finish: (work: (db: Db) => Promise<void>) => Promise<void>;
  readonly release: () => Promise<void>;
};

/** A file by its full path: the folder that names it may be relative or a link. */
const fileName = (dataDir: string): string => {
  const file = resolve(databaseFile(dataDir));
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), 'simgate.db') : file;
};

/** A database's location, without credentials. */
export const nameOf = async ({ databaseUrl, dataDir }: Place): Promise<string> => {
  if (databaseUrl === undefined) return fileName(dataDir);
  const { describeAddress } = await import('../postgres/address.ts');
  return describeAddress(databaseUrl);
};

/** A transaction on its own connection, which locks others out. */
const holdBy = async (db: Db, lock: (db: Db) => Promise<unknown>): Promise<Held> => {
  const transaction = await db.startTransaction().execute();
  const release = async (): Promise<void> => {
    if (!transaction.isCommitted && !transaction.isRolledBack) {
      await transaction.rollback().execute();
    }
  };
  try {
    await lock(transaction);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    finish: async (work) => {
      await work(transaction);
      await transaction.commit().execute();
    },
  };
};

const openFileSource = async (place: Place): Promise<SourceEnd> => {
  const file = databaseFile(place.dataDir);
  const reader = await openFileReadOnly(file);
  let unlock = (): void => {};
  let writer: Db | undefined;
  const close = async (): Promise<void> => {
    await writer?.destroy();
    await reader.close();
    unlock();
  };
  try {
    unlock = lockDataDirAsServer(place.dataDir);
    writer = new Kysely<Tables>({ dialect: sqliteDialect(file) });
    const db = writer;
    // Its begin takes the only write lock.
    const hold = (): Promise<Held> => holdBy(db, async () => {});
    return { name: await nameOf(place), db: reader.db, close, hold };
  } catch (error) {
    await close();
    throw error;
  }
};

// Longer than autovacuum takes to yield.
const lockTimeoutMs = 10_000;

// No limit: sorting millions of rows takes its time.
const noLimit = { statementMs: 0 } as const;

const inUse = (error: unknown): unknown =>
  isRowLocked(error)
    ? new UsageError(
        'Another process uses the source. Stop all servers and commands on it, then run it again.',
        { cause: error },
      )
    : error;

const lockTables = async (db: Db, plan: readonly CarriedTable[]): Promise<void> => {
  await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db);
  const names = plan.map(({ name }) => name).join(', ');
  try {
    // Others may read, and write nothing.
    await sql.raw(`lock table ${names} in share mode`).execute(db);
  } catch (error) {
    throw inUse(error);
  }
};

const openServerSource = async (place: Place, url: string): Promise<SourceEnd> => {
  const database = { ...place.database, ...noLimit };
  const { db, close } = await openPostgres({ database }, url, assertUpToDate);
  const hold = (plan: readonly CarriedTable[]): Promise<Held> =>
    holdBy(db, (db) => lockTables(db, plan));
  return { name: await nameOf(place), db, close, hold };
};

/** Opens the database to be moved. Until it is locked, others may use it. */
export const openSource = (place: Place): Promise<SourceEnd> =>
  place.databaseUrl === undefined
    ? openFileSource(place)
    : openServerSource(place, place.databaseUrl);

/** Refuses to migrate others' databases: only an empty one, or that of an earlier move, is a target. */
const assertNoOlder = async (db: Db, name: string): Promise<void> => {
  if ((await schemaStateOf(db)) !== 'older' || (await findMark(db)) !== undefined) return;
  throw new UsageError(
    `The target ${name} is not empty: it is an older Simgate database. Nothing was changed. Name a new database.`,
  );
};

// Any number that is not used elsewhere in this database; the lock ends with the transaction.
const lockMove = 'select pg_advisory_xact_lock(7467418284)';

const lockTarget = async (db: Db): Promise<void> => {
  await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db);
  try {
    await sql.raw(lockMove).execute(db);
  } catch (error) {
    if (!isRowLocked(error)) throw error;
    throw new UsageError('Another move to this database runs. Let it finish.', { cause: error });
  }
};

const assertEncoding = async (db: Db): Promise<void> => {
  const text = `select current_setting('server_encoding') as encoding`;
  const [row] = await runText<{ encoding: string }>(db, text, []);
  if (row?.encoding === 'UTF8') return;
  throw new UsageError(
    `The encoding of the target must be UTF8, not ${row?.encoding}. Create the database with "encoding 'UTF8' template template0".`,
  );
};

const openServerTarget = async (place: Place, url: string, clock: Clock): Promise<MoveEnd> => {
  const name = await nameOf(place);
  const unlimited: Place = { ...place, database: { ...place.database, ...noLimit } };
  const looked = await openPostgres(unlimited, url, async (db) => {
    await assertEncoding(db);
    await assertNoOlder(db, name);
  });
  await looked.close();
  const { db, close } = await openForCommand(unlimited, clock, { migrates: true, moving: true });
  try {
    const lock = await holdBy(db, lockTarget);
    return { name, db, close: () => lock.release().then(close) };
  } catch (error) {
    await close();
    throw error;
  }
};

const openFileTarget = async (place: Place, clock: Clock): Promise<MoveEnd> => {
  const file = databaseFile(place.dataDir);
  const name = await nameOf(place);
  if (existsSync(file)) {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { readOnly: true }) });
    try {
      await assertNoOlder(db, name);
    } finally {
      await db.destroy();
    }
  }
  const { db, close } = await openAsServer(place.dataDir, clock, { moving: true });
  return { name, db, close };
};

/** Opens the target of the move, and creates its tables if there are none. */
export const openTarget = (place: Place, clock: Clock): Promise<MoveEnd> =>
  place.databaseUrl === undefined
    ? openFileTarget(place, clock)
    : openServerTarget(place, place.databaseUrl, clock);
