/** Compares the schema of a database with the version this program needs. Read-only. */
import { UsageError } from '../../lib/errors.ts';
import { sqlOf } from '../engine.ts';
import { assertInPlace, NotInPlace } from '../move/mark.ts';
import { runText } from '../statement.ts';
import type { Db } from '../types.ts';
import { type Migration, programVersion, readMigrations } from './migrations.ts';

/** The exit code of a process that meets a newer program's schema: restarting it is useless. */
export const newerSchemaStatus = 3;

/** A newer program has changed the schema, and this one cannot run with it. */
export class NewerSchema extends UsageError {
  override readonly exitStatus = newerSchemaStatus;
}

const columnTexts = {
  sqlite: `select name from pragma_table_info('migrations')`,
  postgres: `select cast(attname as text) as name from pg_attribute
    where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
} as const;

/** The columns of the migrations table; none if there is no such table. */
export const migrationColumns = async (db: Db): Promise<readonly string[]> => {
  const rows = await runText<{ name: string }>(db, columnTexts[sqlOf(db).name], []);
  const columns = rows.map(({ name }) => name);
  if (columns.length > 0 && !columns.includes('number')) {
    throw new UsageError(
      'The database has a table "migrations" of another program. Give Simgate a database of its own.',
    );
  }
  return columns;
};

const appliedTo = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('migrations').select('number').orderBy('number').execute();
  return rows.map(({ number }) => number);
};

const schemaText =
  'select max(number) as version, max(coalesce(oldest, number)) as oldest from migrations';

/** Refuses a schema that a program of this version cannot run with. */
export const assertCompatible = async (db: Db, program: number): Promise<void> => {
  const [schema] = await runText<{ version: number; oldest: number }>(db, schemaText, []);
  if (schema === undefined || schema.oldest <= program) return;
  throw new NewerSchema(
    `The database is newer than this Simgate: it is at migration ${schema.version} and needs a program that knows ${schema.oldest}, and this one knows ${program}. Install the newer version.`,
  );
};

const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.number ?? 0;

/** The migrations that a database has; refuses one that is too new for the program. */
const appliedIn = async (db: Db, program: number): Promise<number[]> => {
  if ((await migrationColumns(db)).length === 0) return [];
  const applied = await appliedTo(db);
  // Only then: an older program's database does not declare yet which programs it needs.
  if ((applied.at(-1) ?? 0) > program) await assertCompatible(db, program);
  return applied;
};

/** The migrations that a database still lacks. Refuses one that is too new for the program. */
export const pendingMigrations = async (
  db: Db,
  known: readonly Migration[] = readMigrations(),
): Promise<Migration[]> => {
  const applied = new Set(await appliedIn(db, newestOf(known)));
  return known.filter(({ number }) => !applied.has(number));
};

/** A database's relation to this program. `foreign`: it is not Simgate's, or is empty. */
export type SchemaState = 'foreign' | 'older' | 'current';

/** Returns a database's age. Refuses one that is too new for the program. */
export const schemaStateOf = async (db: Db): Promise<SchemaState> => {
  const known = readMigrations();
  const pending = await pendingMigrations(db, known);
  if (pending.length === known.length) return 'foreign';
  return pending.length > 0 ? 'older' : 'current';
};

/** Refuses a database that this program cannot read as it is. */
export const assertUpToDate = async (db: Db): Promise<void> => {
  if ((await schemaStateOf(db)) !== 'current') {
    throw new UsageError('The database is older than this Simgate. Run "simgate migrate" first.');
  }
};

// More names do not help.
const mostNamed = 5;

/** Refuses a database that lacks migrations, for a program that must not apply them. */
export const assertNonePending = (pending: readonly Migration[]): void => {
  const names = pending.map(({ name }) => name);
  if (names.length === 0) return;
  const which = names.length > mostNamed ? `${names[0]} to ${names.at(-1)}` : names.join(', ');
  throw new UsageError(
    `The database lacks migrations of this Simgate (${which}), and database.migrate is off. Run "simgate migrate" first.`,
  );
};

/** Why a program cannot go on: the schema is too new for it, or the database was moved away. */
export type Unusable = NewerSchema | NotInPlace;

export type SchemaCheck = {
  /** Refuses a schema that the program cannot run with, and a database that was moved away. */
  readonly assert: () => Promise<void>;
  /** The same for a running program: calls `outdated` instead of throwing. */
  readonly look: () => Promise<void>;
};

/** Compares a schema that may change with the version that the program has now. */
export const createSchemaCheck = (db: Db, outdated: (why: Unusable) => void): SchemaCheck => {
  // Not later: an installation in place brings other files under a running process.
  const program = programVersion();
  const assert = async (): Promise<void> => {
    await assertCompatible(db, program);
    await assertInPlace(db);
  };
  const look = async (): Promise<void> => {
    try {
      await assert();
    } catch (error) {
      if (!(error instanceof NewerSchema || error instanceof NotInPlace)) throw error;
      outdated(error);
    }
  };
  return { assert, look };
};
