/** Owns the way in: password, second factor, the link of a new account; and the way out. */
import type { Db } from '../lib/db.ts';
import type { Secrets } from '../lib/secrets.ts';
import { assertStrong, nameOf } from './accounts.ts';
import { type AdminDeps, type Person, transact, writeDown } from './audit.ts';
import { AdminError } from './errors.ts';
import { keysLiveMs } from './once/once.ts';
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
  deleteStale,
  findAccountByName,
  findAccountBySetup,
  findSession,
  insertSession,
  lockByPassword,
  type SessionRow,
  takeSetup,
  takeStep,
  updateAccount,
  updateSeen,
} from './store.ts';
import { forgetAfterMs } from './throttle.ts';
import { stepOfCode } from './totp.ts';
import { readSecret, sealedAnew } from './totp-secret.ts';
import { beginTry, forgiveTry } from './tries.ts';

export type SignInDeps = AdminDeps & { readonly limits: SessionLimits };

/** For what has to do with the second factor. */
export type CodeDeps = SignInDeps & { readonly secrets: Secrets };

/** Where a request comes from, and the session that it came with. */
export type Visitor = {
  readonly address: string;
  readonly agent: string;
  readonly token: string | undefined;
};

export type Visit = { readonly session: SessionRow; readonly account: AccountRow };
export type Entered = {
  readonly token: string;
  readonly stage: Stage;
  readonly account: AccountRow;
};

const longestAgent = 200;
const knownForMs = 30 * forgetAfterMs;

export const actorOf = ({ id, name }: AccountRow, address: string): Person => ({
  accountId: id,
  name,
  address,
});

/** Within a transaction: a session under a new token. The one that the visitor came with is over. */
export const openSession = async (
  db: Db,
  deps: SignInDeps,
  account: AccountRow,
  { visitor, stage }: { readonly visitor: Visitor; readonly stage: Stage },
): Promise<Entered> => {
  const { address, agent, token: old } = visitor;
  const now = deps.clock.now();
  const token = makeSecret(deps.random);
  if (old !== undefined) await deleteSession(db, hashSecret(old));
  await insertSession(db, {
    hash: hashSecret(token),
    account_id: account.id,
    stage,
    created_at: now,
    seen_at: now,
    address,
    agent: agent.slice(0, longestAgent),
  });
  if (stage === 'full') {
    await updateAccount(db, account.id, { signed_in_at: now });
    const after = { agent: agent.slice(0, longestAgent) };
    await writeDown(db, deps, actorOf(account, address), {
      action: 'sign in',
      subject: account.id,
      before: {},
      after,
    });
  }
  return { token, stage, account };
};

const stageAfterPassword = ({ totp_secret: secret }: AccountRow): Stage =>
  secret === null ? 'full' : 'code';

const removeStale = (deps: SignInDeps): Promise<void> => {
  const now = deps.clock.now();
  const before = {
    created: now - deps.limits.absoluteMs,
    seen: now - deps.limits.idleMs,
    tried: now - forgetAfterMs,
    known: now - knownForMs,
    keys: now - keysLiveMs,
  };
  return transact(deps, (db) => deleteStale(db, before));
};

/** Signs in by name and password; with a second factor the session can do nothing until its code came. */
export const signIn = async (
  deps: SignInDeps,
  visitor: Visitor,
  given: { readonly name: string; readonly password: string },
): Promise<Entered> => {
  const name = nameOf(given.name);
  const attempt = { subject: `name ${name}`, address: visitor.address };
  await beginTry(deps, attempt);
  const account = await findAccountByName(deps.db, name);
  const usable = account?.status === 'active' ? account : undefined;
  const { right, weak } = await deps.passwords.verify(given.password, usable?.password ?? null);
  if (usable === undefined || !right) throw new AdminError('SIGN_IN_FAILED');
  const better = weak ? { password: await deps.passwords.hash(given.password) } : undefined;
  await removeStale(deps);
  return transact(deps, async (db) => {
    // A password that was changed meanwhile opens nothing any more.
    if (!(await lockByPassword(db, usable.id, usable.password ?? ''))) {
      throw new AdminError('SIGN_IN_FAILED');
    }
    await forgiveTry(db, attempt, deps.clock.now());
    if (better !== undefined) await updateAccount(db, usable.id, better);
    return openSession(db, deps, usable, { visitor, stage: stageAfterPassword(usable) });
  });
};

/** The second factor: the session goes on under a new token, with all rights of its account. */
export const sendCode = async (
  deps: CodeDeps,
  visitor: Visitor,
  { account, session }: Visit,
  code: string,
): Promise<Entered> => {
  const attempt = { subject: `code ${account.id}`, address: visitor.address };
  await beginTry(deps, attempt);
  const now = deps.clock.now();
  const { totp_step: lastStep } = account;
  const secret = readSecret(deps.secrets, 'totp_secret', account);
  const step = secret === null ? undefined : stepOfCode({ secret, code, now, lastStep });
  if (step === undefined) throw new AdminError('CODE_WRONG');
  const sealed = sealedAnew(deps.secrets, account);
  return transact(deps, async (db) => {
    if (!(await takeStep(db, account.id, step))) throw new AdminError('CODE_WRONG');
    if (!(await deleteSession(db, session.hash))) throw new AdminError('SESSION_MISSING');
    await forgiveTry(db, attempt, now);
    if (sealed !== undefined) await updateAccount(db, account.id, sealed);
    return openSession(db, deps, account, { visitor, stage: 'full' });
  });
};

/** Sets a password by the one link that there is for it, and signs in. */
export const setUp = async (
  deps: SignInDeps,
  visitor: Visitor,
  given: { readonly token: string; readonly password: string },
): Promise<Entered> => {
  const hash = hashSecret(given.token);
  const account = await findAccountBySetup(deps.db, hash);
  const now = deps.clock.now();
  if (account?.status !== 'active' || (account.setup_until ?? 0) <= now) {
    throw new AdminError('SETUP_INVALID');
  }
  assertStrong(given.password, account.name);
  const password = await deps.passwords.hash(given.password);
  return transact(deps, async (db) => {
    if (!(await takeSetup(db, hash, now))) throw new AdminError('SETUP_INVALID');
    await updateAccount(db, account.id, { password });
    await deleteSessionsOf(db, account.id);
    await writeDown(db, deps, actorOf(account, visitor.address), {
      action: 'password set',
      subject: account.id,
      before: {},
      after: {},
    });
    return openSession(db, deps, account, { visitor, stage: stageAfterPassword(account) });
  });
};

/** The session of a hash; undefined where there is none, or it is over. To look is not to use it. */
export const standingVisit = async (
  { db, clock, limits }: Pick<SignInDeps, 'db' | 'clock' | 'limits'>,
  hash: string,
): Promise<Visit | undefined> => {
  const visit = await findSession(db, hash);
  if (visit?.account.status !== 'active') return undefined;
  return isOver(visit.session, limits, clock.now()) ? undefined : visit;
};

/** Whose session a token is; undefined where it is nobody's, or over. */
export const visitOf = async (deps: SignInDeps, token: string): Promise<Visit | undefined> => {
  const visit = await standingVisit(deps, hashSecret(token));
  const now = deps.clock.now();
  if (visit === undefined) return undefined;
  if (isToBeSeen(visit.session, deps.limits, now)) {
    await transact(deps, (db) => updateSeen(db, visit.session.hash, now));
  }
  return visit;
};

export const signOut = async (
  deps: SignInDeps,
  visitor: Visitor,
  { session, account }: Visit,
): Promise<void> =>
  transact(deps, async (db) => {
    await deleteSession(db, session.hash);
    await writeDown(db, deps, actorOf(account, visitor.address), {
      action: 'sign out',
      subject: account.id,
      before: {},
      after: {},
    });
  });
