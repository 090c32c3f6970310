/** Opens a fresh database for each test, on the engine of the run. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  sql,
} from 'kysely';
import pg from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { poolOf, sqlOf } from '../../src/db/engine.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import { databaseFile, openAsServer } from '../../src/db/sqlite/open.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db, OpenDatabase } from '../../src/db/types.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { cleanUpAfterTest, onlyOnce } from './cleanup.ts';
import { holdClocksFor } from './manual-clock.ts';
import { makeWhole } from './packages.ts';

export type Engine = 'sqlite' | 'postgres';

/** One switch for a whole run. */
export const testEngine: Engine =
  process.env['SIMGATE_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** For tests of what only a file has. */
export const onSqlite = (tests: () => void): void => {
  if (testEngine === 'sqlite') tests();
};

/** The template of all other databases. */
export const templateDatabase = 'simgate_template';

export type FreshPostgres = { readonly url: string; readonly remove: () => Promise<void> };

const serverUrl = (): string => {
  const url = process.env['SIMGATE_TEST_POSTGRES'];
  if (url === undefined) {
    throw new Error('No PostgreSQL runs for the tests. Run them by "npm run test:postgres".');
  }
  return url;
};

const urlOf = (database: string): string => {
  const url = new URL(serverUrl());
  url.pathname = database;
  return url.href;
};

const administer = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

let made = 0;
const left = new Set<string>();

const drop = async (name: string): Promise<void> => {
  left.delete(name);
  await administer(`drop database ${name} with (force)`);
};

/** Databases of processes are kept until the file's tests have ended. */
process.once('beforeExit', () => void Promise.all([...left].map(drop)));

// One sorts by collation and the other by bytes: the program must do the same on both.
const sources = {
  migrated: templateDatabase,
  empty: `template0 locale_provider builtin builtin_locale 'C.UTF-8'`,
} as const;

const create = async (template: keyof typeof sources): Promise<string> => {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await administer(`create database ${name} template ${sources[template]} strategy file_copy`);
  left.add(name);
  return name;
};

/** A table without a page has no row: most were never written, and to delete from each takes a statement. */
const emptyAll = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('migrations', 'versions') and pg_relation_size(oid) > 0
  loop execute format('delete from %I', name); end loop;
  update versions set version = '';
end $$`;

/** Finished ones are emptied and reused, which is many times faster than a new one. */
const over: string[] = [];

/** Their connections: a new one reads the description of every table first, which costs six times as much. */
const cleaners = new Map<string, pg.Pool>();

const cleanerOf = (name: string): pg.Pool => {
  const known = cleaners.get(name);
  if (known !== undefined) return known;
  const connectionString = urlOf(name);
  const cleaner = new pg.Pool({
    connectionString,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A test may cut all connections to its database; the next use connects again.
  cleaner.on('error', () => {});
  cleaners.set(name, cleaner);
  return cleaner;
};

/** Those with a changed schema; they are not reused. */
const spoilt = new Set<string>();

/** A PostgreSQL database without rows, migrated or entirely empty. */
export const freshPostgres = async (
  template: keyof typeof sources = 'migrated',
): Promise<FreshPostgres> => {
  const again = template === 'migrated' ? over.pop() : undefined;
  if (again !== undefined) await cleanerOf(again).query(emptyAll);
  const name = again ?? (await create(template));
  const remove = async (): Promise<void> => {
    if (template === 'empty' || spoilt.has(name)) await drop(name);
    else over.push(name);
  };
  return { url: urlOf(name), remove };
};

/** The environment that tells a process of Simgate where its database is. */
export type PlaceEnvironment = { readonly DATA_DIR: string; readonly DATABASE_URL?: string };

type FreshPlace = {
  readonly env: PlaceEnvironment;
  readonly remove: () => Promise<void>;
};

/** A location for a fresh database. */
const freshPlace = async (engine: Engine): Promise<FreshPlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  if (engine === 'sqlite') return { env: { DATA_DIR: folder }, remove: async () => removeFolder() };
  const { url, remove } = await freshPostgres();
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url },
    remove: async () => {
      removeFolder();
      await remove();
    },
  };
};

/** Changes the schema of a database, which is then not reused. */
export const changeSchema = async (db: Db, text: string): Promise<void> => {
  if (sqlOf(db).name === 'postgres') {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    for (const { name } of rows) spoilt.add(name);
  }
  await sql.raw(text).execute(db);
};

/** Allows rows that the schema refuses, as tampering does. */
export const liftConstraints = async (db: Db): Promise<void> => {
  if (sqlOf(db).name === 'sqlite') {
    await sql`pragma foreign_keys = off`.execute(db);
    await sql`pragma ignore_check_constraints = on`.execute(db);
    return;
  }
  const { rows } = await sql<{ text: string; database: string }>`
    select current_database() as database, format('alter table %s drop constraint %I', conrelid::regclass, conname) as text
    from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace
  `.execute(db);
  for (const { text, database } of rows) {
    spoilt.add(database);
    await sql.raw(text).execute(db);
  }
};

// Connections in use: a manual clock waits until the databases are done.
let inUse = 0;
let allFree = Promise.withResolvers<void>();
const take = (): void => {
  if (inUse === 0) allFree = Promise.withResolvers<void>();
  inUse += 1;
};
const giveBack = (): void => {
  inUse -= 1;
  if (inUse === 0) allFree.resolve();
};
if (testEngine === 'postgres') holdClocksFor(() => (inUse > 0 ? allFree.promise : undefined));

const watched = (dialect: Dialect): Dialect => {
  const wrapDriver = (inner: Driver): Driver => ({
    init: () => inner.init(),
    acquireConnection: async (): Promise<DatabaseConnection> => {
      take();
      try {
        return await inner.acquireConnection();
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    beginTransaction: (connection, settings) => inner.beginTransaction(connection, settings),
    commitTransaction: (connection) => inner.commitTransaction(connection),
    rollbackTransaction: (connection) => inner.rollbackTransaction(connection),
    releaseConnection: async (connection) => {
      await inner.releaseConnection(connection);
      giveBack();
    },
    destroy: () => inner.destroy(),
  });
  return {
    createDriver: () => wrapDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
};

export type TestDatabase = OpenDatabase & { readonly env: PlaceEnvironment };

const dialectFor = (url: string): Dialect => {
  // A machine that runs many tests at a time is no reason to fail.
  const database = { ...readConfig({}).database, connectMs: 30_000, statementMs: 30_000 };
  return watched(postgresDialect({ ...database, url }, () => {}));
};

/** Opens a migrated PostgreSQL database like another server; calls `hear` with each statement. */
export const openBesideTest = (
  url: string,
  hear: (query: CompiledQuery) => void = () => {},
): OpenDatabase => {
  const db = new Kysely<Tables>({ dialect: dialectFor(url), log: ({ query }) => hear(query) });
  const close = onlyOnce(() => db.destroy());
  cleanUpAfterTest(close);
  return { db, close };
};

type Connections = { readonly dialect: Dialect; readonly end: () => Promise<void> };

/** Connections that outlive the databases opened over them. */
const lastingConnections = (url: string): Connections => {
  const dialect = dialectFor(url);
  const driver = dialect.createDriver();
  const init = onlyOnce(() => driver.init());
  const createDriver = (): Driver => ({ ...driver, init, destroy: async () => {} });
  return { dialect: { ...dialect, createDriver }, end: () => driver.destroy() };
};

/** Those of tests that have ended, by address: new ones read the description of every table first. */
let idle = new Map<string, Connections>();

/** From now on databases get new connections, for a test that changes the driver beneath them. */
export const renewConnections = async (): Promise<void> => {
  const old = idle;
  idle = new Map();
  for (const { end } of old.values()) await end();
};

if (testEngine === 'postgres') after(renewConnections);

/** Opens one as `openBesideTest` does, over the connections of the last test there if that left none in use. */
const openAgain = (url: string): OpenDatabase => {
  const reused = idle;
  const connections = reused.get(url) ?? lastingConnections(url);
  reused.delete(url);
  const db = new Kysely<Tables>({ dialect: connections.dialect });
  const close = async (): Promise<void> => {
    const figures = poolOf(db);
    await db.destroy();
    if (reused === idle && figures?.total === figures?.idle) idle.set(url, connections);
    else await connections.end();
  };
  return { db, close };
};

let upToDate: Promise<string> | undefined;

const migrate = async (folder: string): Promise<void> =>
  (await openAsServer(folder, systemClock)).close();

/** A migrated, empty file: the others begin as copies of it. The processes of a run share it. */
const makeUpToDate = async (): Promise<string> => {
  const shared = process.env['SIMGATE_TEST_TEMPLATE'];
  if (shared !== undefined) {
    await makeWhole(shared, migrate);
    return databaseFile(shared);
  }
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await migrate(folder);
  return databaseFile(folder);
};

/** Closes and removes a database, at the latest when its test ends. */
const closing = (
  close: () => Promise<void>,
  remove: () => Promise<void>,
): (() => Promise<void>) => {
  const closeAndRemove = onlyOnce(() => close().then(remove));
  cleanUpAfterTest(closeAndRemove);
  return closeAndRemove;
};

/** Opens a fresh database like a server; closing it removes it. */
export const openTestDatabase = async (engine: Engine = testEngine): Promise<TestDatabase> => {
  const { env, remove } = await freshPlace(engine);
  if (env.DATABASE_URL === undefined) {
    upToDate ??= makeUpToDate();
    copyFileSync(await upToDate, databaseFile(env.DATA_DIR));
    const { db, close } = await openAsServer(env.DATA_DIR, systemClock);
    return { db, env, close: closing(close, remove) };
  }
  const { db, close } = openAgain(env.DATABASE_URL);
  return { db, env, close: closing(close, remove) };
};
