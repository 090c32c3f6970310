/** Marks a database as the incomplete target of a move, or as moved away, and refuses to use it as another. */
import { UsageError } from '../../lib/errors.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';

export type MoveMark = Omit<Tables['moves'], 'id'>;

/** The database must not sell: it moved away, or has not arrived. */
export class NotInPlace extends UsageError {}

// Before its migration a database has no such table.
const tableTexts = {
  sqlite: `select name from sqlite_schema where type = 'table' and name = 'moves'`,
  postgres: `select 'moves' as name where to_regclass('moves') is not null`,
} as const;

export const findMark = async (db: Db): Promise<MoveMark | undefined> => {
  if ((await runText(db, tableTexts[sqlOf(db).name], [])).length === 0) return undefined;
  return db
    .selectFrom('moves')
    .select(['move_id', 'state', 'other', 'progress', 'at'])
    .executeTakeFirst();
};

export const insertMark = async (db: Db, mark: MoveMark): Promise<void> => {
  await db
    .insertInto('moves')
    .values({ id: 1, ...mark })
    .execute();
};

export const deleteMark = async (db: Db): Promise<void> => {
  await db.deleteFrom('moves').execute();
};

/** Changes the mark unless another process did so since it was read. */
export const updateMark = async (
  db: Db,
  before: MoveMark,
  change: Partial<Pick<MoveMark, 'state' | 'progress'>>,
): Promise<MoveMark> => {
  const changed = await db
    .updateTable('moves')
    .set(change)
    .where('move_id', '=', before.move_id)
    .where('state', '=', before.state)
    .where('progress', '=', before.progress)
    .returning('id')
    .execute();
  if (changed.length === 1) return { ...before, ...change };
  throw new UsageError(
    'Another process moves the same database. Let it finish, then run it again.',
  );
};

const sentenceFor = ({ state, other, at }: MoveMark): string =>
  state === 'moved'
    ? `This database was moved to ${other} at ${new Date(at).toISOString()}. Use that one: set DATABASE_URL or DATA_DIR to it. To use this one again on purpose, run "simgate move undo".`
    : `This database is incomplete: a move from ${other} has not finished. Run the same "simgate move" again, or remove this database.`;

/** Refuses a database that was moved away or has not arrived. */
export const assertInPlace = async (db: Db): Promise<void> => {
  const mark = await findMark(db);
  if (mark !== undefined) throw new NotInPlace(sentenceFor(mark));
};
