/** Reads and writes passkeys and their challenges. */
import { columnsOf, type Tables } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';

export type PasskeyRow = Tables['admin_passkeys'];
export type ChallengeRow = Tables['admin_challenges'];
export type Purpose = ChallengeRow['purpose'];

const passkeyColumns = columnsOf('admin_passkeys');

const passkeysOf = (db: Db, accountId: string) =>
  db.selectFrom('admin_passkeys').select(passkeyColumns).where('account_id', '=', accountId);

/** From the oldest to the newest. */
export const listPasskeys = async (db: Db, accountId: string): Promise<PasskeyRow[]> =>
  passkeysOf(db, accountId).orderBy('created_at').orderBy('id').execute();

export const findPasskey = async (
  db: Db,
  accountId: string,
  id: string,
): Promise<PasskeyRow | undefined> =>
  passkeysOf(db, accountId).where('id', '=', id).executeTakeFirst();

export const findByCredential = async (
  db: Db,
  accountId: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> =>
  passkeysOf(db, accountId).where('credential_id', '=', credentialId).executeTakeFirst();

/** Within a transaction: locks the account, changes its number of passkeys, and returns the new number. */
const count = async (db: Db, accountId: string, more: number): Promise<number> => {
  const row = await db
    .updateTable('admin_accounts')
    .set((is) => ({ passkeys: is('passkeys', '+', more) }))
    .where('id', '=', accountId)
    .returning('passkeys')
    .executeTakeFirst();
  return row?.passkeys ?? 0;
};

/** Within a transaction: adds a passkey if the account has fewer than `most` and the credential is new. */
export const insertPasskey = async (
  db: Db,
  passkey: PasskeyRow,
  most: number,
): Promise<'added' | 'known' | 'full'> => {
  // The account first, as everywhere: one lock order prevents deadlocks.
  if ((await count(db, passkey.account_id, 1)) > most) return 'full';
  const row = await db
    .insertInto('admin_passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row === undefined ? 'known' : 'added';
};

/** Within a transaction: removes a passkey; returns whether it still existed. */
export const deletePasskey = async (db: Db, accountId: string, id: string): Promise<boolean> => {
  await count(db, accountId, 0);
  const row = await db
    .deleteFrom('admin_passkeys')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) await count(db, accountId, -1);
  return row !== undefined;
};

/** Within a transaction: removes all passkeys of an account; returns how many there were. */
export const deletePasskeysOf = async (db: Db, accountId: string): Promise<number> => {
  await db.updateTable('admin_accounts').set({ passkeys: 0 }).where('id', '=', accountId).execute();
  const rows = await db
    .deleteFrom('admin_passkeys')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  return rows.length;
};

/** Records a use; returns whether no other came first. Of two with one counter, one succeeds. */
export const takeUse = async (
  db: Db,
  { id, counter: seen }: Pick<PasskeyRow, 'id' | 'counter'>,
  { counter, now }: { readonly counter: number; readonly now: number },
): Promise<boolean> => {
  const row = await db
    .updateTable('admin_passkeys')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where('counter', '=', seen)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Stores a challenge, replacing the previous one. */
export const putChallenge = async (db: Db, row: ChallengeRow): Promise<void> => {
  const { challenge, until_at } = row;
  await db
    .insertInto('admin_challenges')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['session_hash', 'purpose']).doUpdateSet({ challenge, until_at }),
    )
    .execute();
};

/** Uses up a challenge: of two concurrent requests, one gets it. */
export const takeChallenge = async (
  db: Db,
  sessionHash: string,
  purpose: Purpose,
): Promise<Pick<ChallengeRow, 'challenge' | 'until_at'> | undefined> =>
  db
    .deleteFrom('admin_challenges')
    .where('session_hash', '=', sessionHash)
    .where('purpose', '=', purpose)
    .returning(['challenge', 'until_at'])
    .executeTakeFirst();

export const deleteOldChallenges = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('admin_challenges').where('until_at', '<', now).execute();
};
