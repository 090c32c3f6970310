/** Prepares the target of a move: empty, or what an interrupted move from the same source left there. */
import { sql } from 'kysely';
import { UsageError } from '../../lib/errors.ts';
import { keysOf } from '../../lib/record.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import { type Tables, tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';
import { digestOf } from './digest.ts';
import { deleteMark, findMark, insertMark, type MoveMark } from './mark.ts';
import type { CarriedTable } from './plan.ts';
import { atStart, progressText, readProgress } from './progress.ts';

/** The migrations fill these, and the source has its own rows of them. */
const filledFirst = ['versions', 'alarm_channels', 'alarm_turn', 'invoice_numbers'] as const;
const neverEmpty: ReadonlySet<keyof Tables> = new Set(['migrations', 'moves', ...filledFirst]);

/** Refuses a database that holds anything. */
export const assertEmpty = async (db: Db, name: string): Promise<void> => {
  const filled: string[] = [];
  for (const table of keysOf(tables)) {
    if (neverEmpty.has(table)) continue;
    if ((await runText(db, `select 1 as one from ${table} limit 1`, [])).length > 0) {
      filled.push(table);
    }
  }
  if (filled.length === 0) return;
  throw new UsageError(
    `The target ${name} is not empty: it has rows in ${filled.join(', ')}. Nothing was changed. Name a new database.`,
  );
};

const triggersText = `select name, sql as text from sqlite_schema where type = 'trigger'`;

/** The append-only tables refuse to be emptied, so their triggers are dropped for this one transaction. */
const emptyFile = async (db: Db, names: readonly string[]): Promise<void> => {
  const triggers = await runText<{ name: string; text: string }>(db, triggersText, []);
  for (const { name } of triggers) await sql.raw(`drop trigger ${name}`).execute(db);
  for (const name of names.toReversed()) await sql.raw(`delete from ${name}`).execute(db);
  for (const { text } of triggers) await sql.raw(text).execute(db);
};

const emptyServer = async (db: Db, names: readonly string[]): Promise<void> => {
  const alter = (how: string): Promise<unknown> =>
    sql.raw(names.map((name) => `alter table ${name} ${how} trigger user`).join('; ')).execute(db);
  await alter('disable');
  await sql.raw(`truncate ${names.join(', ')}`).execute(db);
  await alter('enable');
};

/** Empties what the migrations have filled, and begins a move. */
const begin = (db: Db, mark: MoveMark): Promise<void> =>
  db.transaction().execute(async (db) => {
    for (const table of filledFirst) await db.deleteFrom(table).execute();
    await insertMark(db, mark);
  });

/** Empties what an earlier move has filled, and begins another. */
const restart = (db: Db, plan: readonly CarriedTable[], mark: MoveMark): Promise<void> =>
  db.transaction().execute(async (db) => {
    const names = plan.map(({ name }) => name);
    await (sqlOf(db).name === 'sqlite' ? emptyFile : emptyServer)(db, names);
    await deleteMark(db);
    await insertMark(db, mark);
  });

/** Whether all that was copied still equals the source. */
const isCurrent = async (
  source: Db,
  target: Db,
  plan: readonly CarriedTable[],
  mark: MoveMark,
): Promise<boolean> => {
  const { finished, current } = readProgress(mark.progress);
  for (const table of plan) {
    const isWhole = finished.includes(table.name);
    if (!isWhole && current?.table !== table.name) continue;
    const part = isWhole || current === null ? {} : { upTo: current.after };
    const [there, here] = [await digestOf(source, table, { part }), await digestOf(target, table)];
    if (there.digest !== here.digest) return false;
  }
  return true;
};

export type Prepared = {
  readonly mark: MoveMark;
  /** fresh: nothing was there. resumed: the copy continues. restarted: the source has changed since. */
  readonly how: 'fresh' | 'resumed' | 'restarted';
};

/** Prepares the target for the next row; returns its progress. */
export const prepareTarget = async (
  { source, target }: { readonly source: Db; readonly target: Db },
  plan: readonly CarriedTable[],
  { name, next }: { readonly name: string; readonly next: MoveMark },
): Promise<Prepared> => {
  const found = await findMark(target);
  if (found === undefined) {
    await assertEmpty(target, name);
    await begin(target, next);
    return { mark: next, how: 'fresh' };
  }
  if (found.other !== next.other || found.state === 'moved') {
    const what =
      found.state === 'moved' ? 'a database that was moved to' : 'an unfinished move from';
    throw new UsageError(
      `The target ${name} holds ${what} ${found.other}. Nothing was changed. Name a new database.`,
    );
  }
  if (await isCurrent(source, target, plan, found)) return { mark: found, how: 'resumed' };
  await restart(target, plan, next);
  return { mark: next, how: 'restarted' };
};

/** A mark with which a move begins. */
export const firstMark = (moveId: string, other: string, at: number): MoveMark => ({
  move_id: moveId,
  state: 'copying',
  other,
  progress: progressText(atStart),
  at,
});
