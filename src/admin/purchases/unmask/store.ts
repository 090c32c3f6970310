/** Holds the SQL of shown numbers: how many each account has seen recently. */
import { sqlOf } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';

export type UnmaskingRow = Tables['admin_unmaskings'];

/** Within a transaction: locks the account's count until it ends. */
export const lockAccount = async (db: Db, id: string): Promise<void> => {
  await db
    .selectFrom('admin_accounts')
    .select('id')
    .where('id', '=', id)
    .$if(sqlOf(db).name === 'postgres', (query) => query.forUpdate())
    .execute();
};

/** Those of an account since a moment, the oldest first. */
export const listUnmaskings = async (
  db: Db,
  accountId: string,
  since: number,
): Promise<Pick<UnmaskingRow, 'outcome' | 'at'>[]> =>
  db
    .selectFrom('admin_unmaskings')
    .select(['outcome', 'at'])
    .where('account_id', '=', accountId)
    .where('at', '>', since)
    .orderBy('at')
    .execute();

export const insertUnmasking = async (db: Db, row: UnmaskingRow): Promise<void> => {
  await db.insertInto('admin_unmaskings').values(row).execute();
};

/** Removes rows that no longer count. */
export const deleteUnmaskings = async (db: Db, accountId: string, until: number): Promise<void> => {
  await db
    .deleteFrom('admin_unmaskings')
    .where('account_id', '=', accountId)
    .where('at', '<=', until)
    .execute();
};
