/** Owns the choice of the engine: a file in the data folder, or PostgreSQL where an address is given. */
import { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { isUnavailable, type OpenDatabase, openAsServer, openBeside, openToRead } from './db.ts';
import { assertUpToDate, migrate } from './db-migrate.ts';
import type { Tables } from './db-schema.ts';
import { UsageError } from './errors.ts';
import { isRowLocked } from './postgres-errors.ts';

/** Where the database is. */
export type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'database'>;

type Opened = OpenDatabase & { readonly migrated: readonly string[] };

/** Hears of connections that broke while nobody used them; they are replaced by themselves. */
export type BrokenConnection = (error: Error) => void;

const openPostgres = async (
  { database }: Place,
  url: string,
  prepare: (db: Kysely<Tables>) => Promise<readonly string[]>,
  broken: BrokenConnection,
): Promise<Opened> => {
  // Its driver takes memory, and is loaded only where it is used.
  const { postgresDialect } = await import('./db-postgres.ts');
  const db = new Kysely<Tables>({ dialect: postgresDialect({ ...database, url }, broken) });
  const close = async (): Promise<void> => db.destroy();
  try {
    return { db, close, migrated: await prepare(db) };
  } catch (cause) {
    await close();
    if (!isUnavailable(cause) && !isRowLocked(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : 'no reason given';
    throw new UsageError(`The database of DATABASE_URL cannot be reached: ${reason}.`, { cause });
  }
};

const quiet: BrokenConnection = () => {};

const migrated =
  (clock: Pick<Clock, 'now'>) =>
  async (db: Kysely<Tables>): Promise<string[]> =>
    (await migrate(db, clock)).map(({ name }) => name);

/** Refuses what is done with a database's file where there is none. */
export const assertFile = ({ databaseUrl }: Place, instead: string): void => {
  if (databaseUrl !== undefined) {
    throw new UsageError(`This is for a database in a file. With PostgreSQL, ${instead}.`);
  }
};

/** Opens the database for a server and brings it up to date: its only one on a file, one of many else. */
export const openForServer = async (
  place: Place,
  clock: Pick<Clock, 'now'>,
  broken: BrokenConnection = quiet,
): Promise<OpenDatabase> =>
  place.databaseUrl === undefined
    ? openAsServer(place.dataDir, clock)
    : openPostgres(place, place.databaseUrl, migrated(clock), broken);

/** Opens the database for a command beside servers, and brings it up to date. */
export const openForCommand = async (place: Place, clock: Pick<Clock, 'now'>): Promise<Opened> =>
  place.databaseUrl === undefined
    ? openBeside(place.dataDir, clock)
    : openPostgres(place, place.databaseUrl, migrated(clock), quiet);

// No limit: a proof of millions of rows takes its time, and keeps nobody waiting.
const readingMs = 0;

/** Opens the database for a command that only reads, and changes nothing. */
export const openForReading = async (place: Place): Promise<OpenDatabase> => {
  if (place.databaseUrl === undefined) return openToRead(place.dataDir);
  const check = async (db: Kysely<Tables>): Promise<string[]> => {
    await assertUpToDate(db);
    return [];
  };
  const database = { ...place.database, statementMs: readingMs };
  return openPostgres({ ...place, database }, place.databaseUrl, check, quiet);
};
