/** Holds the SQL of idempotency keys: what was answered under each. */
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type KeyRow = Tables['admin_keys'];

const keyColumns = columnsOf('admin_keys');

/** Within a transaction: takes a key; returns whether it was free. Concurrent takers wait until it ends. */
export const insertKey = async (db: Db, row: KeyRow): Promise<boolean> => {
  const taken = await db
    .insertInto('admin_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
};

export const findKey = async (db: Db, key: string): Promise<KeyRow | undefined> =>
  db.selectFrom('admin_keys').select(keyColumns).where('key', '=', key).executeTakeFirst();

export const updateAnswer = async (db: Db, key: string, answer: string): Promise<void> => {
  await db.updateTable('admin_keys').set({ answer }).where('key', '=', key).execute();
};
