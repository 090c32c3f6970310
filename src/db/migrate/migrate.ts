/** Applies missing migrations in order, each once, in one process at a time. */
import { sql } from 'kysely';
import { type Clock, sleep } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { bumpVersion } from '../changes/versions.ts';
import { lockSetUp, sqlOf } from '../engine.ts';
import { isUnavailable } from '../errors.ts';
import { codeOf, isRowLocked } from '../postgres/errors.ts';
import { type LockMonitor, monitorLocks, sessionOf } from '../postgres/lock-waits.ts';
import { isSqliteLocked } from '../sqlite/sqlite.ts';
import { runText } from '../statement.ts';
import type { Db } from '../types.ts';
import { migrationColumns, pendingMigrations } from './compatibility.ts';
import { conversions } from './conversions/conversions.ts';
import {
  indexBuiltBy,
  type Migration,
  oldestProgram,
  readMigrations,
  runsByCode,
  runsOutside,
  statementsFor,
} from './migrations.ts';

export type LockTimeouts = {
  /** How long one statement waits for a lock; those behind it in the queue wait as long. */
  readonly lockMs: number;
  /** How long it is retried before it is given up. */
  readonly forMs: number;
};

const defaultLockTimeouts: LockTimeouts = { lockMs: 400, forMs: 60_000 };

const firstPauseMs = 100;
const widestPauseMs = 2000;

// For waits that block no others: often enough for a person who reads the log.
const sayEveryMs = 10_000;

export type MigrateOptions = {
  readonly known?: readonly Migration[];
  readonly lockTimeouts?: LockTimeouts;
  /** Receives what it waits for. */
  readonly waits?: (what: string) => void;
};

type Run = Required<MigrateOptions> & { readonly db: Db; readonly clock: Clock };

const isPostgres = (db: Db): boolean => sqlOf(db).name === 'postgres';

/** What is done, and its name. */
type Step = readonly [subject: string, done: string];

const asSentence = ([subject, done]: Step, error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof UsageError || isUnavailable(error)) {
    return error;
  }
  const { message } = error;
  const reason = {
    '42501': `the user of DATABASE_URL has no right to do it (${message}). Run "simgate migrate" as the owner of the tables, or grant the right.`,
    // A table that exists already.
    '42P07': `${message}. If it is of another program, give Simgate a database of its own.`,
  }[codeOf(error)];
  return new UsageError(`${subject} was not ${done}: ${reason ?? `${message}.`}`, { cause: error });
};

const givenUp = ([subject, done]: Step, forMs: number, held: string): UsageError =>
  new UsageError(
    `${subject} was not ${done}: for ${forMs / 1000} s it waited for ${held}. Let that process finish or end it, then start again.`,
  );

const unseen = 'a lock that another process holds';

// A transaction that lost a deadlock has left nothing either.
const isHeldUp = (error: unknown): boolean =>
  isRowLocked(error) || codeOf(error) === '40P01' || isSqliteLocked(error);

/** Retries with pauses while others hold a lock: a failed attempt leaves nothing. */
const untilFree = async <T>(
  run: Run,
  step: Step,
  work: (watch: (db: Db) => Promise<void>) => Promise<T>,
): Promise<T> => {
  const { clock, lockTimeouts } = run;
  const until = clock.monotonic() + lockTimeouts.forMs;
  let held = unseen;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, widestPauseMs)) {
    const watches: LockMonitor[] = [];
    try {
      return await work(async (db) => {
        // At least one check falls into each wait.
        const pace = { clock, everyMs: lockTimeouts.lockMs / 3 };
        watches.push(monitorLocks(run.db, await sessionOf(db), pace));
      });
    } catch (error) {
      held = watches[0]?.last() ?? held;
      if (!isHeldUp(error)) throw asSentence(step, error);
      if (clock.monotonic() + pause > until) throw givenUp(step, lockTimeouts.forMs, held);
    } finally {
      for (const { stop } of watches) await stop();
    }
    run.waits(`${step[0]} waits for ${held}.`);
    await sleep(clock, pause);
  }
};

const limitWaits = async (db: Db, { lockTimeouts }: Run): Promise<void> => {
  if (isPostgres(db)) await sql.raw(`set local lock_timeout = ${lockTimeouts.lockMs}`).execute(db);
};

/** Records it as applied, and notifies running instances. */
const note = async (db: Db, migration: Migration, clock: Clock): Promise<void> => {
  const { number, name } = migration;
  const row = { number, name, applied_at: clock.now(), oldest: oldestProgram(migration) };
  await db.insertInto('migrations').values(row).execute();
  await bumpVersion(db, 'schema', () => name);
};

const stepOf = ({ name }: Migration): Step => [`Migration ${name}`, 'applied'];

const applyWhole = (run: Run, migration: Migration): Promise<void> =>
  untilFree(run, stepOf(migration), (watch) =>
    run.db.transaction().execute(async (db) => {
      await limitWaits(db, run);
      await watch(db);
      for (const statement of statementsFor(sqlOf(db).name, migration.text)) {
        await sql.raw(statement).execute(db);
      }
      await note(db, migration, run.clock);
    }),
  );

/** Whether a valid index exists. An invalid one of a failed attempt is dropped. */
const isBuilt = async (db: Db, index: string): Promise<boolean> => {
  const text = 'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)';
  const [found] = await runText<{ valid: boolean }>(db, text, [index]);
  if (found?.valid === false) await sql.raw(`drop index concurrently ${index}`).execute(db);
  return found?.valid === true;
};

/** Builds an index concurrently: it waits for all writers, and none of them for it. */
const buildIndex = async (run: Run, db: Db, index: string, statement: string): Promise<void> => {
  const { clock } = run;
  let saidAt = Number.NEGATIVE_INFINITY;
  const seen = (what: string): void => {
    if (clock.monotonic() - saidAt < sayEveryMs) return;
    saidAt = clock.monotonic();
    run.waits(`The index ${index} waits for ${what}.`);
  };
  await sql`set lock_timeout = 0`.execute(db);
  const { stop } = monitorLocks(run.db, await sessionOf(db), { clock, everyMs: 1000 }, seen);
  try {
    if (!(await isBuilt(db, index))) await sql.raw(statement).execute(db);
  } catch (error) {
    throw asSentence([`The index ${index}`, 'built'], error);
  } finally {
    await stop();
  }
};

const runStatement = (run: Run, db: Db, statement: string, step: Step): Promise<unknown> => {
  const index = isPostgres(db) ? indexBuiltBy(statement) : undefined;
  if (index !== undefined) return buildIndex(run, db, index, statement);
  return untilFree(run, step, async (watch) => {
    if (isPostgres(db)) {
      await sql.raw(`set lock_timeout = ${run.lockTimeouts.lockMs}`).execute(db);
      await watch(db);
    }
    await sql.raw(statement).execute(db);
  });
};

/** One statement at a time: finished ones stay, and a retry starts from the first. */
const applyOutside = async (run: Run, migration: Migration): Promise<void> => {
  if (oldestProgram(migration) >= migration.number) {
    throw new Error(`${migration.name} runs beside older programs: it must declare the oldest.`);
  }
  const step = stepOf(migration);
  await run.db.connection().execute(async (db) => {
    // A transaction's limits do not apply here, and the server's own must not either.
    if (isPostgres(db)) await sql`set statement_timeout = 0`.execute(db);
    try {
      for (const statement of statementsFor(sqlOf(db).name, migration.text)) {
        await runStatement(run, db, statement, step);
      }
    } finally {
      // Behind a pooler the connection serves others afterwards.
      if (isPostgres(db)) await sql`reset lock_timeout; reset statement_timeout`.execute(db);
    }
  });
  await untilFree(run, step, () =>
    run.db.transaction().execute((db) => note(db, migration, run.clock)),
  );
};

/**
 * Converts rows in batches, each a transaction: a failed one is repeated, and earlier ones stay. The file's
 * own statements run when nothing is left.
 */
const applyByCode = async (run: Run, migration: Migration): Promise<void> => {
  const convert = conversions.get(migration.number);
  if (convert === undefined) throw new Error(`${migration.name} has no conversion.`);
  const convertBatch = (): Promise<boolean> =>
    untilFree(run, stepOf(migration), () =>
      run.db.transaction().execute(async (db) => {
        await limitWaits(db, run);
        return convert(db);
      }),
    );
  while (await convertBatch());
  await applyWhole(run, migration);
};

const applierOf = (migration: Migration): typeof applyWhole => {
  if (runsByCode(migration)) return applyByCode;
  return runsOutside(migration) ? applyOutside : applyWhole;
};

/** Creates the migrations table. `oldest`: the oldest compatible program; null: its own version. */
const prepareTable = (run: Run): Promise<void> =>
  untilFree(run, ['The table of migrations', 'made'], (watch) =>
    run.db.transaction().execute(async (db) => {
      await limitWaits(db, run);
      await watch(db);
      const columns = await migrationColumns(db);
      if (columns.length === 0) {
        await sql`create table migrations (number bigint not null primary key, name text not null,
          applied_at bigint not null, oldest bigint)`.execute(db);
      } else if (!columns.includes('oldest')) {
        await sql`alter table migrations add column oldest bigint`.execute(db);
      }
    }),
  );

const applyPending = async (run: Run): Promise<Migration[]> => {
  const done: Migration[] = [];
  await prepareTable(run);
  for (;;) {
    const [next] = await pendingMigrations(run.db, run.known);
    if (next === undefined) return done;
    await applierOf(next)(run, next);
    done.push(next);
  }
};

/**
 * Prevents other processes from migrating until its transaction ends. Nothing else runs in it: it sees no
 * rows, so that no index waits for its end.
 */
const lockOthersOut = (run: Run) =>
  untilFree(run, ['The database', 'brought up to date'], async (watch) => {
    const lock = await run.db.startTransaction().execute();
    try {
      await limitWaits(lock, run);
      await watch(lock);
      await lockSetUp(lock);
      return lock;
    } catch (error) {
      await lock.rollback().execute();
      throw error;
    }
  });

/** Migrates a database and returns the applied migrations; on PostgreSQL over three connections. */
export const migrate = async (
  db: Db,
  clock: Clock,
  {
    known = readMigrations(),
    lockTimeouts = defaultLockTimeouts,
    waits = () => {},
  }: MigrateOptions = {},
): Promise<Migration[]> => {
  const run: Run = { db, clock, known, lockTimeouts, waits };
  // A file has one server, which has locked the others out.
  if (!isPostgres(db)) return applyPending(run);
  const lock = await lockOthersOut(run);
  try {
    return await applyPending(run);
  } finally {
    await lock.rollback().execute();
  }
};
