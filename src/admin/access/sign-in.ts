/** Signs people in and out: password, two-factor code, and the setup link of a new account. */
import type { Secrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import { idLowerBound } from '../../lib/random.ts';
import { type AdminDeps, type Person, transact, writeAudit } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { assertStrong, nameOf } from './accounts.ts';
import { type Attempt, forgiveAttempt } from './attempts/attempts.ts';
import { runAttempt } from './attempts/failures.ts';
import { deleteStaleRows } from './cleanup.ts';
import { isRecoveryCode, spendRecoveryCode } from './own/recovery-codes.ts';
import { updateNoticesSeen } from './own/store.ts';
import {
  hashSecret,
  isOver,
  isToBeSeen,
  makeSecret,
  type SessionLimits,
  type Stage,
} from './session.ts';
import {
  type AccountRow,
  deleteSession,
  deleteSessionsOf,
  findAccountByName,
  findAccountBySetup,
  findSession,
  insertSession,
  lockByPassword,
  type SessionRow,
  takeSetup,
  takeStep,
  updateAccountRow,
  updateSeen,
} from './store.ts';
import { stepOfCode } from './two-factor/totp.ts';
import { readSecret, resealed } from './two-factor/totp-secret.ts';
import { hasTwoFactor } from './two-factor/two-factor.ts';

export type SignInDeps = AdminDeps & { readonly limits: SessionLimits };

/** For what concerns the second factor. */
export type CodeDeps = SignInDeps & { readonly secrets: Secrets };

/** The request's address, and the session it came with. */
export type Visitor = {
  readonly address: string;
  readonly agent: string;
  readonly token: string | undefined;
};

type Known = { readonly session: SessionRow; readonly account: AccountRow };

/** A session in use, with its account and address. */
export type Visit = Known & { readonly visitor: Visitor };

export type SignInResult = {
  readonly token: string;
  readonly stage: Stage;
  readonly account: AccountRow;
};

const longestAgent = 200;

export const actorOf = ({ id, name }: AccountRow, address: string): Person => ({
  accountId: id,
  name,
  address,
});

type NewSession = {
  readonly visitor: Visitor;
  readonly stage: Stage;
  /** When it began, if not now: no session is newer than a change of credentials that it made. */
  readonly since?: number;
};

/** Within a transaction: creates a session under a new token. The visitor's previous one ends. */
export const openSession = async (
  db: Db,
  deps: SignInDeps,
  account: AccountRow,
  { visitor, stage, since }: NewSession,
): Promise<SignInResult> => {
  const { address, agent, token: old } = visitor;
  const now = deps.clock.now();
  const token = makeSecret(deps.random);
  if (old !== undefined) await deleteSession(db, hashSecret(old));
  await insertSession(db, {
    hash: hashSecret(token),
    account_id: account.id,
    stage,
    created_at: since ?? now,
    seen_at: now,
    address,
    agent: agent.slice(0, longestAgent),
    proved_at: stage === 'full' ? now : 0,
  });
  if (stage === 'full') {
    await updateAccountRow(db, account.id, { signed_in_at: now });
    const after = { agent: agent.slice(0, longestAgent) };
    await writeAudit(db, deps, actorOf(account, address), {
      action: 'sign in',
      subject: account.id,
      after,
    });
  }
  return { token, stage, account };
};

const stageAfterPassword = (account: AccountRow): Stage =>
  hasTwoFactor(account) ? 'code' : 'full';

/** Signs in by name and password. With a second factor, the session can do nothing until its code arrives. */
export const signIn = async (
  deps: SignInDeps,
  visitor: Visitor,
  given: { readonly name: string; readonly password: string },
): Promise<SignInResult> => {
  const name = nameOf(given.name);
  const account = await findAccountByName(deps.db, name);
  const attempt: Attempt = {
    subject: `name ${name}`,
    address: visitor.address,
    hasManyValues: true,
    proof: 'password',
    account,
  };
  return runAttempt(deps, attempt, async (counted) => {
    const usable = account?.status === 'active' ? account : undefined;
    const { right, weak } = await deps.passwords.verify(given.password, usable?.password ?? null);
    if (usable === undefined || !right) throw new AdminError('SIGN_IN_FAILED');
    const better = weak ? { password: await deps.passwords.hash(given.password) } : undefined;
    await deleteStaleRows(deps);
    return transact(deps, async (db) => {
      // Comparing takes long: a password changed since then opens nothing, and a factor added since then is
      // required.
      const locked = await lockByPassword(db, usable.id, usable.password ?? '');
      if (locked === undefined) throw new AdminError('SIGN_IN_FAILED');
      await forgiveAttempt(db, attempt, { counted, now: deps.clock.now() });
      if (better !== undefined) await updateAccountRow(db, usable.id, better);
      return openSession(db, deps, locked, { visitor, stage: stageAfterPassword(locked) });
    });
  });
};

/** Within a transaction: uses up a code of the app or a recovery code; refuses invalid ones. */
export const spendCode = async (
  db: Db,
  deps: CodeDeps,
  { account, visitor }: Visit,
  code: string,
): Promise<void> => {
  if (isRecoveryCode(code)) {
    await spendRecoveryCode(db, deps, actorOf(account, visitor.address), code);
    return;
  }
  const secret = readSecret(deps.secrets, 'totp_secret', account);
  const check = { code, now: deps.clock.now(), lastStep: account.totp_step };
  const step = secret === null ? undefined : stepOfCode({ secret, ...check });
  if (step === undefined || !(await takeStep(db, account.id, step))) {
    throw new AdminError('CODE_WRONG');
  }
  const sealed = resealed(deps.secrets, account);
  if (sealed !== undefined) await updateAccountRow(db, account.id, sealed);
};

/** Passes the second factor: the session continues under a new token, with all rights of its account. */
export const sendCode = async (
  deps: CodeDeps,
  visit: Visit,
  code: string,
): Promise<SignInResult> => {
  const { account, session, visitor } = visit;
  const { address } = visitor;
  const attempt: Attempt = { subject: `code ${account.id}`, address, proof: 'code', account };
  return runAttempt(deps, attempt, (counted) =>
    transact(deps, async (db) => {
      const since = deps.clock.now();
      await spendCode(db, deps, visit, code);
      if (!(await deleteSession(db, session.hash))) throw new AdminError('SESSION_MISSING');
      await forgiveAttempt(db, attempt, { counted, now: deps.clock.now() });
      return openSession(db, deps, account, { visitor, stage: 'full', since });
    }),
  );
};

/** Sets a password by the account's one link, and signs in. */
export const setUp = async (
  deps: SignInDeps,
  visitor: Visitor,
  given: { readonly token: string; readonly password: string },
): Promise<SignInResult> => {
  const hash = hashSecret(given.token);
  const found = await findAccountBySetup(deps.db, hash);
  const now = deps.clock.now();
  if (found?.status !== 'active' || (found.setup_until ?? 0) <= now) {
    throw new AdminError('SETUP_INVALID');
  }
  assertStrong(given.password, found.name);
  const password = await deps.passwords.hash(given.password);
  return transact(deps, async (db) => {
    const since = deps.clock.now();
    const account = await takeSetup(db, hash, now);
    if (account?.status !== 'active') throw new AdminError('SETUP_INVALID');
    await updateAccountRow(db, account.id, { password });
    await deleteSessionsOf(db, account.id);
    await writeAudit(db, deps, actorOf(account, visitor.address), {
      action: 'password set',
      subject: account.id,
    });
    // The first password needs no notice.
    if (account.signed_in_at === null) {
      await updateNoticesSeen(db, account.id, idLowerBound(deps.clock.now() + 1));
    }
    return openSession(db, deps, account, { visitor, stage: stageAfterPassword(account), since });
  });
};

/** The session of a hash; undefined if there is none or it has ended. Does not count as a use. */
export const currentVisit = async (
  { db, clock, limits }: Pick<SignInDeps, 'db' | 'clock' | 'limits'>,
  hash: string,
): Promise<Known | undefined> => {
  const visit = await findSession(db, hash);
  if (visit?.account.status !== 'active') return undefined;
  return isOver(visit.session, limits, clock.now()) ? undefined : visit;
};

/** The session that a visitor came with; undefined if there is none or it has ended. */
export const visitOf = async (deps: SignInDeps, visitor: Visitor): Promise<Visit | undefined> => {
  const { token } = visitor;
  const visit = token === undefined ? undefined : await currentVisit(deps, hashSecret(token));
  const now = deps.clock.now();
  if (visit === undefined) return undefined;
  if (isToBeSeen(visit.session, deps.limits, now)) {
    await transact(deps, (db) => updateSeen(db, visit.session.hash, now));
  }
  return { ...visit, visitor };
};

export const signOut = (deps: SignInDeps, { session, account, visitor }: Visit): Promise<void> =>
  transact(deps, async (db) => {
    await deleteSession(db, session.hash);
    await writeAudit(db, deps, actorOf(account, visitor.address), {
      action: 'sign out',
      subject: account.id,
    });
  });
