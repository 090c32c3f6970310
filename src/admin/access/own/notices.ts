/** Lists changes to an account's credentials for the account itself, with time and address, from the audit log. */
import { type AdminDeps, type AuditAction, transact } from '../../audit/audit.ts';
import type { Visit } from '../sign-in.ts';
import type { AccountRow, AuditRow } from '../store.ts';
import { listChanges, updateNoticesSeen } from './store.ts';

/** What changes how an account is signed in to. */
export const credentialActions = [
  'password change',
  'password set',
  'account password',
  'account setup',
  'totp on',
  'totp off',
  'account totp reset',
  'passkey add',
  'passkey remove',
  'account passkeys reset',
  'recovery codes create',
  'recovery code use',
] as const satisfies readonly AuditAction[];

export type CredentialAction = (typeof credentialActions)[number];

const mostNotices = 20;

export type Notice = Pick<AuditRow, 'id' | 'at' | 'actor' | 'address'> & {
  readonly action: CredentialAction;
  readonly seen: boolean;
};

/** The newest changes of a person's credentials, those that were seen too. */
export const listNotices = async (
  { db }: Pick<AdminDeps, 'db'>,
  { id, notices_seen: seen }: Pick<AccountRow, 'id' | 'notices_seen'>,
): Promise<readonly Notice[]> => {
  const rows = await listChanges(db, id, { actions: credentialActions, limit: mostNotices });
  return rows.flatMap((row) => {
    const action = credentialActions.find((one) => one === row.action);
    return action === undefined ? [] : [{ ...row, action, seen: row.id <= seen }];
  });
};

/** Marks everything up to this notice as seen, except what happened in this session or since it began. */
export const markNoticesSeen = async (
  deps: Pick<AdminDeps, 'db' | 'retryLocked'>,
  { account, session }: Visit,
  id: string,
): Promise<void> => {
  // Only what was shown, so that it hides nothing later.
  const shown = await listNotices(deps, account);
  if (!shown.some((notice) => notice.id === id)) return;
  // A stolen session must not hide what was done with it: only a later sign-in can confirm that.
  const last = shown.find((notice) => notice.id <= id && notice.at < session.created_at);
  if (last !== undefined) await transact(deps, (db) => updateNoticesSeen(db, account.id, last.id));
};
