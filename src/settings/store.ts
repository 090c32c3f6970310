/** Holds the SQL of the settings that people change while the gateway runs. */
import { runText } from '../db/statement.ts';
import type { Db } from '../db/types.ts';

export const readRows = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const rows = await runText<{ name: string; value: string }>(
    db,
    'select name, value from settings',
    [],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
};

/** Sets a value; null deletes it, which means its default. */
export const writeSetting = async (db: Db, name: string, value: string | null): Promise<void> => {
  if (value === null) {
    await db.deleteFrom('settings').where('name', '=', name).execute();
    return;
  }
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};
