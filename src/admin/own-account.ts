/** Owns what somebody changes of the own account: the password, and the second factor. */
import { assertStrong } from './accounts.ts';
import { type AuditAction, transact, writeDown } from './audit.ts';
import { AdminError } from './errors.ts';
import {
  actorOf,
  type CodeDeps,
  type Entered,
  openSession,
  type SignInDeps,
  type Visit,
  type Visitor,
} from './sign-in.ts';
import {
  type AccountRow,
  deleteSession,
  deleteSessionsOf,
  takeStep,
  updateAccount,
} from './store.ts';
import { keyUri, secretBytes, stepOfCode, toBase32 } from './totp.ts';
import { keepSecret, readSecret } from './totp-secret.ts';
import { type Attempt, beginTry, forgiveTry } from './tries.ts';

const forgive = (deps: SignInDeps, attempt: Attempt): Promise<void> =>
  transact(deps, (db) => forgiveTry(db, attempt, deps.clock.now()));

/** Who has found an open screen does not know the password. */
const assertPassword = async (
  deps: SignInDeps,
  visitor: Visitor,
  { id, password: stored }: AccountRow,
  password: string,
): Promise<void> => {
  const attempt = { subject: `password ${id}`, address: visitor.address };
  await beginTry(deps, attempt);
  if (!(await deps.passwords.verify(password, stored)).right) {
    throw new AdminError('PASSWORD_WRONG');
  }
  await forgive(deps, attempt);
};

type Step = {
  readonly action: AuditAction;
  readonly change: Partial<Omit<AccountRow, 'id'>>;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** A code that it takes. */
  readonly step?: number;
};

/** Changes the account; all its sessions are over, and this one goes on under a new token. */
const changeOwn = (
  deps: SignInDeps,
  visitor: Visitor,
  { account, session }: Visit,
  { action, change, before, after, step }: Step,
): Promise<Entered> =>
  transact(deps, async (db) => {
    if (step !== undefined && !(await takeStep(db, account.id, step))) {
      throw new AdminError('CODE_WRONG');
    }
    await updateAccount(db, account.id, change);
    if (!(await deleteSession(db, session.hash))) throw new AdminError('SESSION_MISSING');
    await deleteSessionsOf(db, account.id);
    const actor = actorOf(account, visitor.address);
    await writeDown(db, deps, actor, { action, subject: account.id, before, after });
    const next = { ...account, ...change };
    return openSession(db, deps, next, { visitor, stage: 'full' });
  });

export const changePassword = async (
  deps: SignInDeps,
  visitor: Visitor,
  visit: Visit,
  given: { readonly current: string; readonly password: string },
): Promise<Entered> => {
  assertStrong(given.password, visit.account.name);
  await assertPassword(deps, visitor, visit.account, given.current);
  const password = await deps.passwords.hash(given.password);
  return changeOwn(deps, visitor, visit, {
    action: 'password change',
    change: { password, setup_hash: null, setup_until: null },
    before: {},
    after: {},
  });
};

/** A secret for an authenticator app. It counts once a code of it has come. */
export const beginTotp = async (
  deps: CodeDeps,
  visitor: Visitor,
  { account }: Visit,
  password: string,
): Promise<{ readonly secret: string; readonly uri: string }> => {
  if (account.totp_secret !== null) throw new AdminError('TOTP_ON');
  await assertPassword(deps, visitor, account, password);
  const secret = toBase32(deps.random(secretBytes));
  await transact(deps, async (db) => {
    const totp_pending = keepSecret(deps.secrets, 'totp_pending', account.id, secret);
    await updateAccount(db, account.id, { totp_pending });
    await writeDown(db, deps, actorOf(account, visitor.address), {
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
  visitor: Visitor,
  visit: Visit,
  code: string,
): Promise<Entered> => {
  const { id, totp_secret: has } = visit.account;
  const secret = readSecret(deps.secrets, 'totp_pending', visit.account);
  if (has !== null) throw new AdminError('TOTP_ON');
  if (secret === null) throw new AdminError('TOTP_NOT_BEGUN');
  const attempt = { subject: `code ${id}`, address: visitor.address };
  await beginTry(deps, attempt);
  const { totp_step: lastStep } = visit.account;
  const step = stepOfCode({ secret, code, now: deps.clock.now(), lastStep });
  if (step === undefined) throw new AdminError('CODE_WRONG');
  await forgive(deps, attempt);
  return changeOwn(deps, visitor, visit, {
    action: 'totp on',
    change: {
      totp_secret: keepSecret(deps.secrets, 'totp_secret', id, secret),
      totp_pending: null,
    },
    before: { totp: false },
    after: { totp: true },
    step,
  });
};

/** Also takes back one that waits for its first code. */
export const removeTotp = async (
  deps: SignInDeps,
  visitor: Visitor,
  visit: Visit,
  password: string,
): Promise<Entered> => {
  await assertPassword(deps, visitor, visit.account, password);
  return changeOwn(deps, visitor, visit, {
    action: 'totp off',
    change: { totp_secret: null, totp_pending: null },
    before: { totp: visit.account.totp_secret !== null },
    after: { totp: false },
  });
};
