/** Checks a database as a server start would, without changing anything. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import { UsageError } from '../lib/errors.ts';
import {
  assertNonePending,
  pendingMigrations,
  type SchemaState,
  schemaStateOf,
} from './migrate/compatibility.ts';
import { readMigrations } from './migrate/migrations.ts';
import { assertInPlace } from './move/mark.ts';
import { openPostgres, type Place, readOnlyMessage } from './open.ts';
import { databaseFile } from './sqlite/open.ts';
import { isLockedByServer, sqliteDialect, unusableFolder } from './sqlite/sqlite.ts';
import type { Tables } from './tables/tables.ts';
import type { Db } from './types.ts';

export type CheckedDatabase<T> = {
  readonly state: string;
  /** What was read; undefined if there is nothing to read yet. */
  readonly found: T | undefined;
  /** Problems that would prevent a start now, but perhaps not once the running server is stopped. */
  readonly inUse: readonly string[];
};

/** The columns of the tables that are there, by their names. */
type FoundTables = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads something, given what is there. */
export type Inspect<T> = (db: Db, tables: FoundTables) => Promise<T>;

const states: Readonly<Record<SchemaState, string>> = {
  foreign: 'empty; the start sets it up',
  older: 'older; the start brings it up to date',
  current: 'up to date',
};

const ownTables = (): string[] =>
  readMigrations().flatMap(({ text }) =>
    [...text.matchAll(/^create table (?:if not exists )?(\w+)/gim)].map(([, name = '']) => name),
  );

const refuseOthers = (tables: FoundTables): void => {
  const taken = ownTables().find((name) => tables.has(name));
  if (taken === undefined) return;
  throw new UsageError(
    `The database holds a table "${taken}" of another program. Use a database of its own.`,
  );
};

const lookAt = async <T>(
  db: Db,
  { database }: Place,
  look: Inspect<T>,
): Promise<{ age: SchemaState; found: T }> => {
  await assertInPlace(db);
  const age = await schemaStateOf(db);
  if (!database.migrate) assertNonePending(await pendingMigrations(db));
  const tables = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [
      name,
      new Set(columns.map((column) => column.name)),
    ]),
  );
  if (age === 'foreign') refuseOthers(tables);
  return { age, found: await look(db, tables) };
};

/** Refuses a folder that is not writable, existing or not. */
const assertFolder = (file: string): void => {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw unusableFolder(file, cause);
  }
};

const checkFile = async <T>(place: Place, look: Inspect<T>): Promise<CheckedDatabase<T>> => {
  const file = databaseFile(place.dataDir);
  assertFolder(file);
  const inUse = isLockedByServer(file) ? [`Another Simgate server uses ${file}`] : [];
  if (!existsSync(file)) return { state: states.foreign, found: undefined, inUse };
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { readOnly: true }) });
  try {
    const { age, found } = await lookAt(db, place, look);
    return { state: states[age], found, inUse };
  } finally {
    await db.destroy();
  }
};

/** Refuses a standby, and a user that may not create the missing tables. */
const assertMayWrite = async (db: Db, age: SchemaState): Promise<void> => {
  const { rows } = await sql<{ reads: boolean; may: boolean | null }>`
    select current_setting('transaction_read_only') = 'on' as reads,
      has_schema_privilege(current_schema(), 'create') as may`.execute(db);
  if (rows[0]?.reads === true) throw new UsageError(readOnlyMessage);
  if (age === 'current' || rows[0]?.may === true) return;
  throw new UsageError(
    'The user of DATABASE_URL has no right to create tables. Run "simgate migrate" as their owner, or grant the right.',
  );
};

const checkServer = async <T>(
  place: Place,
  url: string,
  look: Inspect<T>,
): Promise<CheckedDatabase<T>> => {
  const { prepared, close } = await openPostgres(place, url, async (db) => {
    const looked = await lookAt(db, place, look);
    await assertMayWrite(db, looked.age);
    return looked;
  });
  await close();
  return { state: states[prepared.age], found: prepared.found, inUse: [] };
};

/** Throws the sentence with which a start would fail because of its database. */
export const checkDatabase = <T>(place: Place, look: Inspect<T>): Promise<CheckedDatabase<T>> =>
  place.databaseUrl === undefined
    ? checkFile(place, look)
    : checkServer(place, place.databaseUrl, look);
