/** Runs the SQL of suppliers that the console defines. */
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type SupplierRow = Tables['suppliers'];

/** What can be changed of one. */
export type SupplierTerms = Pick<SupplierRow, 'name_en' | 'name_fa' | 'account_group'>;

const columns = columnsOf('suppliers');

/** Those that exist. */
export const listSuppliers = async (db: Db): Promise<SupplierRow[]> =>
  db
    .selectFrom('suppliers')
    .select(columns)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();

/** The numbers of all that ever existed. */
export const listSupplierIds = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('suppliers').select('id').orderBy('id').execute()).map(({ id }) => id);

export const insertSupplier = async (db: Db, row: SupplierRow): Promise<void> => {
  await db.insertInto('suppliers').values(row).execute();
};

export const updateSupplier = async (db: Db, id: number, terms: SupplierTerms): Promise<void> => {
  await db.updateTable('suppliers').set(terms).where('id', '=', id).execute();
};

/** Its number stays taken; its settings go, and no restore asks it. */
export const removeSupplier = async (db: Db, id: number, at: number): Promise<void> => {
  await db.updateTable('suppliers').set({ removed_at: at }).where('id', '=', id).execute();
  await db.deleteFrom('operator_settings').where('operator_id', '=', id).execute();
  await db.deleteFrom('operator_reports').where('operator_id', '=', id).execute();
  await db.deleteFrom('operator_suspensions').where('operator_id', '=', id).execute();
};
