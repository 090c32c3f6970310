/** Owns the numbered migrations: applied in order, each once, all that are missing in one transaction. */
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import { type EngineSql, lockSetUp, sqlOf } from './db-engine.ts';
import { UsageError } from './errors.ts';

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

const folder = new URL('../../migrations/', import.meta.url);

export const readMigrations = (): Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.replace(/\.sql$/, ''),
      text: readFileSync(new URL(file, folder), 'utf8'),
    }));

/**
 * What a migration does on one engine. Comments may hold semicolons; statements end with one at the end
 * of a line. A comment "for sqlite" or "for postgres" alone keeps the next statement to that engine.
 */
export const statementsFor = (engine: EngineSql['name'], text: string): string[] =>
  text
    .replace(/^\s*--(?! for (?:sqlite|postgres)$).*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => /^(?:-- for (\w+)\n)?(.*)$/s.exec(statement.trim()) ?? [])
    .filter(([, only = engine]) => only === engine)
    .map(([, , statement = '']) => statement.trim())
    .filter((statement) => statement !== '');

const makeTable = sql`create table if not exists migrations (
  number bigint not null primary key, name text not null, applied_at bigint not null
)`;

const appliedNumbers = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('migrations').select('number').orderBy('number').execute();
  return rows.map((row) => row.number);
};

const refuseNewer = (applied: readonly number[], known: readonly Migration[]): void => {
  const newest = applied.at(-1) ?? 0;
  const latest = known.at(-1)?.number ?? 0;
  if (newest > latest) {
    throw new UsageError(
      `The database is newer than this Simgate: it is at migration ${newest}, and this version knows ${latest}. Install the newer version again.`,
    );
  }
};

/** How a database stands to this program. `foreign`: it is none of Simgate's, or nothing is in it yet. */
export type Age = 'foreign' | 'older' | 'current';

/** Tells how old a database is; refuses one that is newer than the program. Changes nothing. */
export const ageOf = async (db: Db): Promise<Age> => {
  const known = readMigrations();
  const tables = await db.introspection.getTables();
  const begun = tables.some((table) => table.name === 'migrations');
  const applied = begun ? await appliedNumbers(db) : [];
  refuseNewer(applied, known);
  if (applied.length === 0) return 'foreign';
  return applied.length < known.length ? 'older' : 'current';
};

/** Refuses a database that this program cannot read as it is; changes nothing. */
export const assertUpToDate = async (db: Db): Promise<void> => {
  if ((await ageOf(db)) !== 'current') {
    throw new UsageError('The database is older than this Simgate. Run "simgate migrate" first.');
  }
};

/** The migrations that a database still lacks. Refuses a database newer than the program. */
export const pendingMigrations = async (
  db: Db,
  known: readonly Migration[] = readMigrations(),
): Promise<Migration[]> => {
  await makeTable.execute(db);
  const applied = await appliedNumbers(db);
  refuseNewer(applied, known);
  return known.filter((migration) => !applied.includes(migration.number));
};

/** Brings a database up to date, all or nothing, and tells which migrations it took. */
export const migrate = async (
  db: Db,
  clock: Pick<Clock, 'now'>,
  known: readonly Migration[] = readMigrations(),
): Promise<Migration[]> =>
  db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const pending = await pendingMigrations(db, known);
    for (const migration of pending) {
      const statements = statementsFor(sqlOf(db).name, migration.text);
      for (const statement of statements) await sql.raw(statement).execute(db);
      await db
        .insertInto('migrations')
        .values({ number: migration.number, name: migration.name, applied_at: clock.now() })
        .execute();
    }
    return pending;
  });
