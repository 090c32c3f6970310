/** Holds the SQL of idempotency keys, and of what the audit log names: people and subjects. */
import { runText } from '../../db/statement.ts';
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

/** More would not be a choice. */
const mostActors = 200;

// From one name to the next by the index, however many entries each has.
const actorsText = `with recursive names (actor) as (
  select min(actor) from admin_audit
  union all
  select (select min(actor) from admin_audit where actor > names.actor) from names
  where names.actor is not null)
select actor from names where actor is not null limit ${mostActors}`;

/** Everyone who is in the audit log, by name. */
export const listActors = async (db: Db): Promise<string[]> =>
  (await runText<{ actor: string }>(db, actorsText, [])).map(({ actor }) => actor);

/** The names of those of these ids that are clients or accounts. */
export const findNames = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  const accounts = await db
    .selectFrom('admin_accounts')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map([...clients, ...accounts].map(({ id, name }) => [id, name]));
};
