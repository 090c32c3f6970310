/** Manages accounts of the back office: creates and disables them, changes roles, and creates setup links. */
import { lockSetUp } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import { type Actor, type AdminDeps, transact, writeAudit } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { deleteRecoveryCodes } from './own/store.ts';
import { isGuessable } from './passwords/guessable.ts';
import { faultOf } from './passwords/password.ts';
import type { Role } from './roles.ts';
import { hashSecret, makeSecret } from './session.ts';
import {
  type AccountRow,
  deleteSessionsOf,
  findAccount,
  findAccountByName,
  findAccountCreatedBy,
  hasAuditEntry,
  insertAccount,
  lockAccounts,
  updateAccountRow,
} from './store.ts';
import { hasTwoFactor } from './two-factor/two-factor.ts';

/** The one link by which a password is set; its token is shown once. */
export type Setup = { readonly token: string; readonly until: number };

// A day: long enough to reach a colleague, short enough that a leaked link soon expires.
const setupLivesMs = 86_400_000;

export const nameOf = (text: string): string => text.trim().toLowerCase();

const nameForm = /^[a-z0-9][a-z0-9._@-]{1,63}$/;

const makeSetup = ({ random, clock }: AdminDeps): Setup => ({
  token: makeSecret(random),
  until: clock.now() + setupLivesMs,
});

const columnsOf = ({ token, until }: Setup) => ({
  setup_hash: hashSecret(token),
  setup_until: until,
});

const noSetup = { setup_hash: null, setup_until: null };

export const assertStrong = (password: string, name: string): void => {
  const message = faultOf(password, name);
  if (message !== undefined) throw new AdminError('PASSWORD_WEAK', { message });
  if (isGuessable(password)) throw new AdminError('PASSWORD_COMMON');
};

const existing = <T>(account: T | undefined): T => {
  if (account === undefined) throw new AdminError('ACCOUNT_NOT_FOUND');
  return account;
};

export const accountNamed = async (db: Db, name: string): Promise<AccountRow> =>
  existing(await findAccountByName(db, nameOf(name)));

type Wanted = { readonly name: string; readonly role: Role; readonly password?: string };
type Made = { readonly account: AccountRow; readonly setup: Setup | undefined };

const accountOf = async (deps: AdminDeps, wanted: Wanted): Promise<Made> => {
  const name = nameOf(wanted.name);
  if (!nameForm.test(name)) throw new AdminError('NAME_INVALID');
  const { role, password } = wanted;
  if (password !== undefined) assertStrong(password, name);
  const setup = password === undefined ? makeSetup(deps) : undefined;
  const account: AccountRow = {
    id: deps.newId(),
    name,
    role,
    status: 'active',
    password: password === undefined ? null : await deps.passwords.hash(password),
    totp_secret: null,
    totp_pending: null,
    totp_step: -1,
    passkeys: 0,
    ...(setup === undefined ? noSetup : columnsOf(setup)),
    created_at: deps.clock.now(),
    signed_in_at: null,
    notices_seen: '',
  };
  return { account, setup };
};

/** Within a transaction. */
const addAccount = async (
  db: Db,
  deps: AdminDeps,
  actor: Actor,
  { id, name, role, status, ...others }: AccountRow,
): Promise<void> => {
  const added = await insertAccount(db, { id, name, role, status, ...others });
  if (!added) throw new AdminError('NAME_TAKEN');
  await writeAudit(db, deps, actor, {
    action: 'account create',
    subject: id,
    after: { name, role, status },
  });
};

/** Creates an account with a password, or with a link to set one. */
export const createAccount = async (
  deps: AdminDeps,
  actor: Actor,
  wanted: Wanted,
): Promise<Made> => {
  const made = await accountOf(deps, wanted);
  await transact(deps, (db) => addAccount(db, deps, actor, made.account));
  return made;
};

const isUsableOwner = ({ role, status, password }: AccountRow): boolean =>
  role === 'owner' && status === 'active' && password !== null;

/** Within a transaction. A command may remove the last owner, because it can create another. */
const lockOne = async (db: Db, id: string): Promise<{ all: AccountRow[]; one: AccountRow }> => {
  const all = await lockAccounts(db);
  return { all, one: existing(all.find((account) => account.id === id)) };
};

const assertOwnerLeft = (all: readonly AccountRow[], next: AccountRow, actor: Actor): void => {
  if (actor.accountId === null) return;
  const had = all.some(({ id, ...rest }) => id === next.id && isUsableOwner({ id, ...rest }));
  const left = all.map((account) => (account.id === next.id ? next : account)).some(isUsableOwner);
  if (had && !left) throw new AdminError('LAST_OWNER');
};

/** Changes the named fields. A new role or a disabled account ends all its sessions. */
export const updateAccount = (
  deps: AdminDeps,
  actor: Actor,
  id: string,
  change: { readonly role?: Role; readonly status?: AccountRow['status'] },
): Promise<AccountRow> =>
  transact(deps, async (db) => {
    const { all, one } = await lockOne(db, id);
    const next = { ...one, ...change };
    if (next.role === one.role && next.status === one.status) return one;
    assertOwnerLeft(all, next, actor);
    // An unused link must not survive when its account is disabled.
    const links = next.status === 'disabled' ? noSetup : {};
    await updateAccountRow(db, id, { role: next.role, status: next.status, ...links });
    await deleteSessionsOf(db, id);
    await writeAudit(db, deps, actor, {
      action: 'account change',
      subject: id,
      before: { role: one.role, status: one.status },
      after: { role: next.role, status: next.status },
    });
    return { ...next, ...links };
  });

type Issued = { readonly account: AccountRow; readonly setup: Setup };

/** Within a transaction. */
const createSetupIn = async (
  db: Db,
  deps: AdminDeps,
  actor: Actor,
  id: string,
): Promise<Issued> => {
  const { all, one } = await lockOne(db, id);
  if (one.status === 'disabled') throw new AdminError('ACCOUNT_DISABLED');
  const setup = makeSetup(deps);
  const change = { password: null, ...columnsOf(setup) };
  assertOwnerLeft(all, { ...one, ...change }, actor);
  await updateAccountRow(db, id, change);
  await deleteSessionsOf(db, id);
  await writeAudit(db, deps, actor, {
    action: 'account setup',
    subject: id,
    before: { password: one.password === null ? 'none' : 'set' },
    after: { password: 'none' },
  });
  return { account: { ...one, ...change }, setup };
};

/** Creates a new link to set a password. The old password and all sessions stop working. */
export const createSetup = (deps: AdminDeps, actor: Actor, id: string): Promise<Issued> =>
  transact(deps, (db) => createSetupIn(db, deps, actor, id));

/** The actor when a start creates the first account or a new link to it. */
const firstStart: Actor = { accountId: null, name: 'first start', address: null };

const isEntered = ({ password, signed_in_at: signedIn }: AccountRow): boolean =>
  password !== null || signedIn !== null;

/**
 * The link to set the first owner's password. Each start creates a new one until a password has been set.
 * Undefined after that, and if a command created accounts: commands can create links.
 */
export const firstLink = async (deps: AdminDeps): Promise<Issued | undefined> => {
  const made = await accountOf(deps, { name: 'owner', role: 'owner' });
  return transact(deps, async (db) => {
    await lockSetUp(db);
    const all = await lockAccounts(db);
    if (all.length === 0) {
      await addAccount(db, deps, firstStart, made.account);
      return made.setup === undefined ? undefined : { account: made.account, setup: made.setup };
    }
    if (all.some(isEntered) || (await hasAuditEntry(db, ['password set', 'account password']))) {
      return undefined;
    }
    const id = await findAccountCreatedBy(db, firstStart.name);
    const first = all.find((account) => account.id === id && account.status === 'active');
    return first === undefined ? undefined : createSetupIn(db, deps, firstStart, first.id);
  });
};

/** Sets the password of an account by command. All its sessions end. */
export const setPassword = async (
  deps: AdminDeps,
  actor: Actor,
  id: string,
  password: string,
): Promise<void> => {
  const { name } = existing(await findAccount(deps.db, id));
  assertStrong(password, name);
  const hash = await deps.passwords.hash(password);
  await transact(deps, async (db) => {
    await updateAccountRow(db, id, { password: hash, ...noSetup });
    await deleteSessionsOf(db, id);
    const after = { password: 'set' };
    await writeAudit(db, deps, actor, { action: 'account password', subject: id, after });
  });
};

/** Ends all sessions of an account; tells how many there were. */
export const endSessions = (deps: AdminDeps, actor: Actor, id: string): Promise<number> =>
  transact(deps, async (db) => {
    existing(await findAccount(db, id));
    const sessions = await deleteSessionsOf(db, id);
    await writeAudit(db, deps, actor, {
      action: 'account sessions end',
      subject: id,
      before: { sessions },
      after: { sessions: 0 },
    });
    return sessions;
  });

/** For lost phones. Until it has a new second factor, the account signs in by password alone. */
export const resetTotp = (deps: AdminDeps, actor: Actor, id: string): Promise<void> =>
  transact(deps, async (db) => {
    const account = existing(await findAccount(db, id));
    const change = { totp_secret: null, totp_pending: null };
    await updateAccountRow(db, id, change);
    if (!hasTwoFactor({ ...account, ...change })) await deleteRecoveryCodes(db, id);
    await deleteSessionsOf(db, id);
    await writeAudit(db, deps, actor, {
      action: 'account totp reset',
      subject: id,
      before: { totp: account.totp_secret !== null },
      after: { totp: false },
    });
  });
