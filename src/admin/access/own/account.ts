/** Changes one's own account: the password and two-factor authentication. */
import type { Db } from '../../../db/types.ts';
import { type Change, transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { assertStrong } from '../accounts.ts';
import { type Attempt, forgiveAttempt } from '../attempts/attempts.ts';
import { runAttempt } from '../attempts/failures.ts';
import {
  actorOf,
  type CodeDeps,
  openSession,
  type SignInDeps,
  type SignInResult,
  type Visit,
} from '../sign-in.ts';
import {
  type AccountRow,
  deleteSession,
  deleteSessionsOf,
  takeStep,
  updateAccountRow,
} from '../store.ts';
import { keyUri, secretBytes, stepOfCode, toBase32 } from '../two-factor/totp.ts';
import { readSecret, sealSecret } from '../two-factor/totp-secret.ts';
import { hasTwoFactor } from '../two-factor/two-factor.ts';
import { deleteRecoveryCodes } from './store.ts';

/** Judges one attempt on its own, and forgives it where it is right. */
const judged = <T>(deps: SignInDeps, attempt: Attempt, judge: () => Promise<T>): Promise<T> =>
  runAttempt(deps, attempt, async (counted) => {
    const right = await judge();
    await transact(deps, (db) => forgiveAttempt(db, attempt, { counted, now: deps.clock.now() }));
    return right;
  });

/** A stranger at an unlocked screen does not know the password. */
export const assertPassword = async (
  deps: SignInDeps,
  { account, visitor: { address } }: Visit,
  password: string,
): Promise<void> => {
  const subject = `password ${account.id}`;
  await judged(deps, { subject, address, proof: 'confirmation', account }, async () => {
    const { right } = await deps.passwords.verify(password, account.password);
    if (!right) throw new AdminError('PASSWORD_WRONG');
  });
};

type Step = Omit<Change, 'subject'> & {
  readonly change?: Partial<Omit<AccountRow, 'id'>>;
  /** What else changes in the same transaction. */
  readonly also?: (db: Db) => Promise<void>;
  /** The code that it requires. */
  readonly step?: number;
};

/**
 * Changes the account and ends all its sessions. This one continues under a new token with the same expiry.
 */
export const changeOwn = (
  deps: SignInDeps,
  { account, session, visitor }: Visit,
  { change, also, step, ...entry }: Step,
): Promise<SignInResult> =>
  transact(deps, async (db) => {
    if (step !== undefined && !(await takeStep(db, account.id, step))) {
      throw new AdminError('CODE_WRONG');
    }
    if (change !== undefined) await updateAccountRow(db, account.id, change);
    await also?.(db);
    if (!(await deleteSession(db, session.hash))) throw new AdminError('SESSION_MISSING');
    await deleteSessionsOf(db, account.id);
    const next = { ...account, ...change };
    if (!hasTwoFactor(next)) await deleteRecoveryCodes(db, account.id);
    const actor = actorOf(account, visitor.address);
    await writeAudit(db, deps, actor, { subject: account.id, ...entry });
    return openSession(db, deps, next, { visitor, stage: 'full', since: session.created_at });
  });

export const changePassword = async (
  deps: SignInDeps,
  visit: Visit,
  given: { readonly current: string; readonly password: string },
): Promise<SignInResult> => {
  assertStrong(given.password, visit.account.name);
  await assertPassword(deps, visit, given.current);
  const password = await deps.passwords.hash(given.password);
  return changeOwn(deps, visit, {
    action: 'password change',
    change: { password, setup_hash: null, setup_until: null },
  });
};

/** Creates a secret for an authenticator app. It takes effect once a code confirms it. */
export const beginTotp = async (
  deps: CodeDeps,
  visit: Visit,
  password: string,
): Promise<{ readonly secret: string; readonly uri: string }> => {
  const { account, visitor } = visit;
  if (account.totp_secret !== null) throw new AdminError('TOTP_ON');
  await assertPassword(deps, visit, password);
  const secret = toBase32(deps.random(secretBytes));
  await transact(deps, async (db) => {
    const totp_pending = sealSecret(deps.secrets, 'totp_pending', account.id, secret);
    await updateAccountRow(db, account.id, { totp_pending });
    await writeAudit(db, deps, actorOf(account, visitor.address), {
      action: 'totp begin',
      subject: account.id,
      before: { totp: false },
      after: { totp: false },
    });
  });
  return { secret, uri: keyUri(secret, account.name) };
};

export const confirmTotp = async (
  deps: CodeDeps,
  visit: Visit,
  code: string,
): Promise<SignInResult> => {
  const { account } = visit;
  const { id, totp_secret: has } = account;
  const secret = readSecret(deps.secrets, 'totp_pending', account);
  if (has !== null) throw new AdminError('TOTP_ON');
  if (secret === null) throw new AdminError('TOTP_NOT_BEGUN');
  const { address } = visit.visitor;
  const attempt: Attempt = { subject: `code ${id}`, address, proof: 'confirmation', account };
  const step = await judged(deps, attempt, async () => {
    const check = { secret, code, now: deps.clock.now(), lastStep: account.totp_step };
    const found = stepOfCode(check);
    if (found === undefined) throw new AdminError('CODE_WRONG');
    return found;
  });
  return changeOwn(deps, visit, {
    action: 'totp on',
    change: {
      totp_secret: sealSecret(deps.secrets, 'totp_secret', id, secret),
      totp_pending: null,
    },
    before: { totp: false },
    after: { totp: true },
    step,
  });
};

/** Also cancels a setup that waits for its first code. */
export const removeTotp = async (
  deps: SignInDeps,
  visit: Visit,
  password: string,
): Promise<SignInResult> => {
  await assertPassword(deps, visit, password);
  return changeOwn(deps, visit, {
    action: 'totp off',
    change: { totp_secret: null, totp_pending: null },
    before: { totp: visit.account.totp_secret !== null },
    after: { totp: false },
  });
};
