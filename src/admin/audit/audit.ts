/** Runs the transactions of the back office, and writes the audit log within them. */
import type { ClientDeps } from '../../clients/errors.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { Db } from '../../db/types.ts';
import type { Text } from '../../lib/text.ts';
import type { Passwords } from '../access/passwords/password.ts';
import { insertAudit } from '../access/store.ts';
import { AdminError } from '../errors.ts';

export type AdminDeps = ClientDeps & {
  readonly passwords: Passwords;
  readonly retryLocked: LockRetry;
};

/** Runs one transaction of the back office. If its end is lost, the caller learns that the outcome is unknown. */
export const transact = <T>(
  deps: Pick<AdminDeps, 'db' | 'retryLocked'>,
  work: (db: Db) => Promise<T>,
): Promise<T> => runTransaction(deps, work);

/** Runs what follows a change that is done. If it fails, the error says that the change was made. */
export const afterCommit = async <T>(work: () => Promise<T>, message?: Text): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw new AdminError('DONE_NOT_SHOWN', {
      cause,
      ...(message === undefined ? {} : { message }),
    });
  }
};

export type Actor = {
  /** Null for a command, and for an anonymous caller, which has an address. */
  readonly accountId: string | null;
  readonly name: string;
  readonly address: string | null;
};

/** A person who is signed in. */
export type Person = Actor & { readonly accountId: string };

/** The actor within a transaction. */
export type AuditContext = Pick<AdminDeps, 'db' | 'clock' | 'newId'> & { readonly actor: Actor };

/** Every action that is recorded; the console has words for each. */
export const auditActions = [
  'account create',
  'account change',
  'account setup',
  'account password',
  'account sessions end',
  'account totp reset',
  'account passkeys reset',
  'catalogue switch',
  'catalogue prices',
  'catalogue prices revert',
  'catalogue import',
  'catalogue remove',
  'client create',
  'client change',
  'client rules',
  'client contact',
  'client note',
  'client deposit',
  'client correct',
  'client credit',
  'client token create',
  'client token rotate',
  'client token revoke',
  'client price list',
  'client webhook change',
  'client webhook replay',
  'invoice create',
  'invoice credit',
  'operator settings',
  'operator settings remove',
  'operator faults',
  'operator suspend',
  'operator trust',
  'operator resume',
  'price list create',
  'price list change',
  'price list remove',
  'price list version',
  'price list version remove',
  'product create',
  'product change',
  'purchase inquire',
  'purchase resolve',
  'purchase unmask',
  'purchase unmask limit',
  'purchase export',
  'purchase search',
  'route create',
  'route change',
  'route remove',
  'route import',
  'secrets reseal',
  'settings change',
  'supplier create',
  'supplier change',
  'supplier remove',
  'supplier top up',
  'supplier float correct',
  'password change',
  'password set',
  'totp begin',
  'totp on',
  'totp off',
  'passkey add',
  'passkey remove',
  'recovery codes create',
  'recovery code use',
  'own sessions end',
  'sign in',
  'sign in failed',
  'sign out',
] as const;

export type AuditAction = (typeof auditActions)[number];

export type Change = {
  readonly action: AuditAction;
  /** The id of the subject. */
  readonly subject: string;
  /** Empty if left out. Never a secret, nor the hash of one. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

/** Belongs in the transaction of the change. */
export const writeAudit = (
  db: Db,
  { clock, newId }: Pick<AdminDeps, 'clock' | 'newId'>,
  actor: Actor,
  { action, subject, before = {}, after = {} }: Change,
): Promise<void> =>
  insertAudit(db, {
    id: newId(),
    at: clock.now(),
    account_id: actor.accountId,
    actor: actor.name,
    action,
    subject,
    before_it: JSON.stringify(before),
    after_it: JSON.stringify(after),
    address: actor.address,
  });

/** The same for the actor of a transaction. */
export const auditChange = (acting: AuditContext, change: Change): Promise<void> =>
  writeAudit(acting.db, acting, acting.actor, change);
