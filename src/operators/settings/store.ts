/** Runs the SQL of operator settings and suspensions. */
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type SettingsRow = Tables['operator_settings'];
export type SuspensionRow = Tables['operator_suspensions'];

const settingsColumns = columnsOf('operator_settings');

const suspensionColumns = columnsOf('operator_suspensions');

export const listSettings = async (db: Db): Promise<SettingsRow[]> =>
  db.selectFrom('operator_settings').select(settingsColumns).orderBy('operator_id').execute();

/** The same in a database of an earlier version, which knows no chosen connectors. */
export const listEarlierSettings = async (db: Db): Promise<SettingsRow[]> => {
  const earlier = settingsColumns.filter((column) => column !== 'chosen_over');
  const rows = await db.selectFrom('operator_settings').select(earlier).execute();
  return rows.map((row) => ({ ...row, chosen_over: null }));
};

export const findSettings = async (db: Db, operatorId: number): Promise<SettingsRow | undefined> =>
  db
    .selectFrom('operator_settings')
    .select(settingsColumns)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();

export const saveSettings = async (
  db: Db,
  { operator_id, ...change }: SettingsRow,
): Promise<void> => {
  await db
    .insertInto('operator_settings')
    .values({ operator_id, ...change })
    .onConflict((conflict) => conflict.column('operator_id').doUpdateSet(change))
    .execute();
};

/** No connector has an empty name: the row counts for none. */
export const emptySettings = async (
  db: Db,
  row: Pick<SettingsRow, 'operator_id' | 'version' | 'changed_at'>,
): Promise<void> => saveSettings(db, { ...row, connector: '', sealed: '', chosen_over: null });

export const listSuspensions = async (db: Db): Promise<SuspensionRow[]> =>
  db.selectFrom('operator_suspensions').select(suspensionColumns).orderBy('operator_id').execute();

/** Suspends an operator; returns whether it was not suspended before. */
export const insertSuspension = async (db: Db, row: SuspensionRow): Promise<boolean> => {
  const added = await db
    .insertInto('operator_suspensions')
    .values(row)
    .onConflict((conflict) => conflict.column('operator_id').doNothing())
    .returning('operator_id')
    .executeTakeFirst();
  return added !== undefined;
};

/** Returns the suspension that was ended, or undefined if there was none. */
export const deleteSuspension = async (
  db: Db,
  operatorId: number,
): Promise<SuspensionRow | undefined> =>
  db
    .deleteFrom('operator_suspensions')
    .where('operator_id', '=', operatorId)
    .returning(suspensionColumns)
    .executeTakeFirst();
