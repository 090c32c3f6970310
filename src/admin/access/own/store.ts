/** Holds the SQL of one's own account: recovery codes, sessions, and notices of changed credentials. */
import { columnsOf } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';
import type { AuditAction } from '../../audit/audit.ts';
import type { AuditRow, SessionRow } from '../store.ts';

/** Within a transaction: replaces all codes with new ones. */
export const replaceRecoveryCodes = async (
  db: Db,
  accountId: string,
  { hashes, now }: { readonly hashes: readonly string[]; readonly now: number },
): Promise<void> => {
  await deleteRecoveryCodes(db, accountId);
  const rows = hashes.map((hash) => ({
    account_id: accountId,
    hash,
    created_at: now,
    used_at: null,
  }));
  await db.insertInto('admin_recovery_codes').values(rows).execute();
};

export const deleteRecoveryCodes = async (db: Db, accountId: string): Promise<void> => {
  await db.deleteFrom('admin_recovery_codes').where('account_id', '=', accountId).execute();
};

/** Uses up a code; returns whether it was still valid. Of two concurrent uses, one succeeds. */
export const takeRecoveryCode = async (
  db: Db,
  accountId: string,
  { hash, now }: { readonly hash: string; readonly now: number },
): Promise<boolean> => {
  const row = await db
    .updateTable('admin_recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
};

/** How many codes are left. */
export const countRecoveryCodes = async (db: Db, accountId: string): Promise<number> => {
  const rows = await db
    .selectFrom('admin_recovery_codes')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute();
  return rows.length;
};

const sessionColumns = columnsOf('admin_sessions');

/** All sessions of an account, the last used first. */
export const listSessions = async (db: Db, accountId: string): Promise<SessionRow[]> =>
  db
    .selectFrom('admin_sessions')
    .select(sessionColumns)
    .where('account_id', '=', accountId)
    .orderBy('seen_at', 'desc')
    .orderBy('hash')
    .execute();

/** Ends all sessions of an account but one; returns how many there were. */
export const deleteOtherSessions = async (
  db: Db,
  accountId: string,
  hash: string,
): Promise<number> => {
  const rows = await db
    .deleteFrom('admin_sessions')
    .where('account_id', '=', accountId)
    .where('hash', '!=', hash)
    .returning('hash')
    .execute();
  return rows.length;
};

/** Moves a freshly confirmed session to a new token; returns whether it still existed. */
export const renewSession = async (
  db: Db,
  hash: string,
  next: Pick<SessionRow, 'hash' | 'proved_at' | 'seen_at'>,
): Promise<boolean> => {
  const row = await db
    .updateTable('admin_sessions')
    .set(next)
    .where('hash', '=', hash)
    .where('stage', '=', 'full')
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
};

/** The newest audit entries of some kinds about an account. */
export const listChanges = async (
  db: Db,
  accountId: string,
  { actions, limit }: { readonly actions: readonly AuditAction[]; readonly limit: number },
): Promise<Pick<AuditRow, 'id' | 'at' | 'action' | 'actor' | 'address'>[]> =>
  db
    .selectFrom('admin_audit')
    .select(['id', 'at', 'action', 'actor', 'address'])
    .where('subject', '=', accountId)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Remembers the newest entry that was seen; never moves back. */
export const updateNoticesSeen = async (db: Db, accountId: string, id: string): Promise<void> => {
  await db
    .updateTable('admin_accounts')
    .set({ notices_seen: id })
    .where('id', '=', accountId)
    .where('notices_seen', '<', id)
    .execute();
};
