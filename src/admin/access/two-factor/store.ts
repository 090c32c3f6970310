/** Holds the SQL of two-factor secrets that are sealed under another key. */
import type { Db } from '../../../db/types.ts';
import type { AccountRow } from '../store.ts';

/** The second factors of accounts behind one, in the order of their ids. */
export const listTotp = async (
  db: Db,
  after: string,
  limit: number,
): Promise<Pick<AccountRow, 'id' | 'name' | 'totp_secret' | 'totp_pending'>[]> =>
  db
    .selectFrom('admin_accounts')
    .select(['id', 'name', 'totp_secret', 'totp_pending'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Puts another text in the place of a secret, unless it is another by now; tells whether it did. */
export const replaceTotp = async (
  db: Db,
  secret: {
    readonly id: string;
    readonly column: 'totp_secret' | 'totp_pending';
    readonly kept: string;
    readonly next: string;
  },
): Promise<boolean> => {
  const { id, column, kept, next } = secret;
  const { numUpdatedRows } = await db
    .updateTable('admin_accounts')
    .set(column === 'totp_secret' ? { totp_secret: next } : { totp_pending: next })
    .where('id', '=', id)
    .where(column, '=', kept)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
