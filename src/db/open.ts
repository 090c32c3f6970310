/** Opens the configured database for a server or a command: a SQLite file or PostgreSQL. */
import { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { isUnavailable } from './errors.ts';
import { assertNonePending, assertUpToDate, pendingMigrations } from './migrate/compatibility.ts';
import { assertInPlace } from './move/mark.ts';
import { codeOf, tlsFault } from './postgres/errors.ts';
import {
  applyPendingMigrations,
  assertWritable,
  type Opened,
  type OpenOptions,
  openAlongsideServer,
  openAsServer,
  openReadOnly,
} from './sqlite/open.ts';
import type { Tables } from './tables/tables.ts';
import type { OpenDatabase } from './types.ts';

/** Where the database is. */
export type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'database'>;

/** Receives errors of idle connections that broke; they are replaced automatically. */
export type BrokenConnection = (error: Error) => void;

/** The server cannot be reached, which may be temporary. */
class DatabaseAway extends UsageError {}

/** PostgreSQL's refusals before anything is done, by code. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['28P01', 'does not accept the user or the password'],
  ['28000', 'does not let the user in: look at its name, and at pg_hba.conf'],
  ['3D000', 'has no database of that name: create it first'],
  ['3F000', 'has no schema in which the user could create tables'],
  ['42501', 'does not allow the user to create or change its tables'],
]);

// A failover may be in progress.
const onlyRead = '25006';
export const readOnlyMessage =
  'The database of DATABASE_URL can only be read: it is a standby, or set so. Name the primary.';

/** Why a database cannot be opened, in a sentence; undefined for a bug. */
const whyNotOpened = (cause: unknown): UsageError | undefined => {
  if (cause instanceof UsageError) return cause;
  const refused = refusals.get(codeOf(cause));
  if (refused !== undefined) {
    return new UsageError(`The database server of DATABASE_URL ${refused}.`, { cause });
  }
  const noTls = tlsFault(cause);
  if (noTls !== undefined) return new UsageError(noTls, { cause });
  if (codeOf(cause) === onlyRead) {
    return new DatabaseAway(readOnlyMessage, { cause });
  }
  if (!isUnavailable(cause)) return undefined;
  // A failure at several addresses of one host has no message of its own.
  const reason = (cause instanceof Error && cause.message) || codeOf(cause) || 'no reason given';
  return new DatabaseAway(`The database of DATABASE_URL cannot be reached: ${reason}.`, { cause });
};

/** Opens a connection and prepares the database; closes it if that fails. */
export const openPostgres = async <T>(
  { database }: Pick<Place, 'database'>,
  url: string,
  prepare: (db: Kysely<Tables>) => Promise<T>,
  broken: BrokenConnection = quiet,
): Promise<OpenDatabase & { readonly prepared: T }> => {
  // Its driver takes memory, and is loaded only if it is used.
  const { postgresDialect } = await import('./postgres/postgres.ts');
  const db = new Kysely<Tables>({ dialect: postgresDialect({ ...database, url }, broken) });
  const close = async (): Promise<void> => db.destroy();
  try {
    return { db, close, prepared: await prepare(db) };
  } catch (cause) {
    await close();
    throw whyNotOpened(cause) ?? cause;
  }
};

const quiet: BrokenConnection = () => {};

// One connection blocks other migrating processes, one works, one checks what that waits for.
const migrationConnections = 3;

// A migration of millions of rows takes its time.
const migrationMs = 0;

/** Migrates PostgreSQL over its own connections, whose statements have no limit. */
const upToDate =
  (place: Place, url: string, clock: Clock, opening: OpenOptions) =>
  async (db: Kysely<Tables>): Promise<readonly string[]> => {
    if (opening.moving !== true) await assertInPlace(db);
    const pending = await pendingMigrations(db);
    if (pending.length === 0) {
      // A standby may be up to date.
      await assertWritable(db);
      return [];
    }
    if (opening.migrates === false) assertNonePending(pending);
    const { postgresDialect } = await import('./postgres/postgres.ts');
    const { database } = place;
    const limits = { connections: migrationConnections, statementMs: migrationMs };
    const dialect = postgresDialect({ ...database, ...limits, url }, quiet);
    const own = new Kysely<Tables>({ dialect });
    try {
      return await applyPendingMigrations(own, clock, opening);
    } finally {
      await own.destroy();
    }
  };

/** Refuses file operations if the database is not a file. */
export const assertFile = ({ databaseUrl }: Place, instead: string): void => {
  if (databaseUrl !== undefined) {
    throw new UsageError(`This is for a database in a file. With PostgreSQL, ${instead}.`);
  }
};

const tryEveryMs = 1000;

/** The events of opening a server's database. */
export type OpenEvents = {
  readonly broken: BrokenConnection;
  /** It waits, because the database cannot be reached. */
  readonly waiting: (why: Error) => void;
  /** A migration waits for a lock. */
  readonly waits: (what: string) => void;
  /** Others on the network could read or change what is sent. */
  readonly unsafe: (text: string) => void;
};

const ignored: OpenEvents = {
  broken: quiet,
  waiting: () => {},
  waits: () => {},
  unsafe: () => {},
};

const openWaiting = async (
  place: Place,
  url: string,
  clock: Clock,
  { broken, waiting, waits }: OpenEvents,
): Promise<Opened> => {
  const opening = { migrates: place.database.migrate, waits };
  const until = clock.monotonic() + place.database.startWaitMs;
  for (let tries = 0; ; tries += 1) {
    try {
      const prepare = upToDate(place, url, clock, opening);
      const { prepared, ...opened } = await openPostgres(place, url, prepare, broken);
      return { ...opened, migrated: prepared };
    } catch (error) {
      if (!(error instanceof DatabaseAway) || clock.monotonic() >= until) throw error;
      if (tries === 0) waiting(error);
      await sleep(clock, tryEveryMs);
    }
  }
};

/** Opens the database for a server and migrates it: the only server of a file, one of many on PostgreSQL. */
export const openForServer = async (
  place: Place,
  clock: Clock,
  events: OpenEvents = ignored,
): Promise<Opened> => {
  const { databaseUrl: url, database } = place;
  if (url === undefined) {
    const { waits } = events;
    return openAsServer(place.dataDir, clock, { migrates: database.migrate, waits });
  }
  const opened = await openWaiting(place, url, clock, events);
  const { secureAddress } = await import('./postgres/address.ts');
  const { unsafe } = secureAddress({ url, tls: database.tls });
  if (unsafe !== undefined) events.unsafe(unsafe);
  return opened;
};

/** Opens the database for a command beside servers, and migrates it. */
export const openForCommand = async (
  place: Place,
  clock: Clock,
  opening: OpenOptions = { migrates: place.database.migrate },
): Promise<Opened> => {
  const { databaseUrl: url } = place;
  if (url === undefined) return openAlongsideServer(place.dataDir, clock, opening);
  const { prepared, ...opened } = await openPostgres(
    place,
    url,
    upToDate(place, url, clock, opening),
  );
  return { ...opened, migrated: prepared };
};

// No limit: verifying millions of rows takes its time, and blocks no one.
const readingMs = 0;

/** Opens the database for a command that only reads, and changes nothing. */
export const openForReading = async (place: Place): Promise<OpenDatabase> => {
  if (place.databaseUrl === undefined) return openReadOnly(place.dataDir);
  const database = { ...place.database, statementMs: readingMs };
  return openPostgres({ database }, place.databaseUrl, assertUpToDate);
};
