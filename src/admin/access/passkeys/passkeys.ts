/** Adds, uses and removes passkeys, a second factor besides codes. */
import { type Actor, type AdminDeps, transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { type Attempt, forgiveAttempt } from '../attempts/attempts.ts';
import { runAttempt } from '../attempts/failures.ts';
import { assertPassword, changeOwn } from '../own/account.ts';
import { deleteRecoveryCodes } from '../own/store.ts';
import { openSession, type SignInDeps, type SignInResult, type Visit } from '../sign-in.ts';
import { deleteSession, deleteSessionsOf, findAccount, updateAccountRow } from '../store.ts';
import { hasTwoFactor } from '../two-factor/two-factor.ts';
import {
  assertionOptions,
  ceremonyMs,
  registrationOptions,
  verifyAssertion,
  verifyRegistration,
} from './ceremonies.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  deletePasskey,
  deletePasskeysOf,
  findByCredential,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  type Purpose,
  putChallenge,
  takeChallenge,
  takeUse,
} from './store.ts';
import type { Assertion, Registration } from './wire.ts';

/** More than a person carries; it bounds what a sign-in lists. */
export const mostPasskeys = 20;

const challengeBytes = 32;

/** The base URL of the request; undefined if passkeys cannot be used. */
export type Party = RelyingParty | undefined;

const usable = (party: Party): RelyingParty => {
  if (party === undefined) throw new AdminError('PASSKEYS_UNAVAILABLE');
  return party;
};

/** Creates a session's challenge, replacing the previous one. */
const beginChallenge = async (
  deps: SignInDeps,
  { session }: Visit,
  purpose: Purpose,
): Promise<Uint8Array> => {
  const bytes = deps.random(challengeBytes);
  await transact(deps, (db) =>
    putChallenge(db, {
      session_hash: session.hash,
      purpose,
      challenge: Buffer.from(bytes).toString('base64url'),
      until_at: deps.clock.now() + ceremonyMs,
    }),
  );
  return bytes;
};

/** Uses up a session's challenge, whether or not the answer verifies. */
const endChallenge = async (
  deps: SignInDeps,
  { session }: Visit,
  purpose: Purpose,
): Promise<string> => {
  const taken = await transact(deps, (db) => takeChallenge(db, session.hash, purpose));
  if (taken === undefined || taken.until_at <= deps.clock.now()) {
    throw new AdminError('PASSKEY_WRONG');
  }
  return taken.challenge;
};

/** Begins to register a passkey: the options for a browser. */
export const beginPasskey = async (
  deps: SignInDeps,
  visit: Visit,
  given: { readonly party: Party; readonly password: string },
) => {
  const party = usable(given.party);
  const { account } = visit;
  if (account.passkeys >= mostPasskeys) throw new AdminError('PASSKEYS_FULL');
  await assertPassword(deps, visit, given.password);
  const passkeys = await listPasskeys(deps.db, account.id);
  const challenge = await beginChallenge(deps, visit, 'register');
  return registrationOptions(party, account, { challenge, passkeys });
};

type NewPasskey = {
  readonly party: Party;
  readonly name: string;
  readonly credential: Registration;
};

/** Adds a passkey and ends all sessions of the account; this one continues under a new token. */
export const addPasskey = async (
  deps: SignInDeps,
  visit: Visit,
  given: NewPasskey,
): Promise<SignInResult> => {
  const party = usable(given.party);
  const challenge = await endChallenge(deps, visit, 'register');
  const credential = await verifyRegistration(party, challenge, given.credential);
  if (credential === undefined) throw new AdminError('PASSKEY_WRONG');
  const name = given.name.trim();
  const passkey: PasskeyRow = {
    id: deps.newId(),
    account_id: visit.account.id,
    ...credential,
    rp_id: party.id,
    name,
    created_at: deps.clock.now(),
    used_at: null,
  };
  return changeOwn(deps, visit, {
    action: 'passkey add',
    after: { passkey: name },
    also: async (db) => {
      const result = await insertPasskey(db, passkey, mostPasskeys);
      if (result === 'full') throw new AdminError('PASSKEYS_FULL');
      if (result === 'known') throw new AdminError('PASSKEY_KNOWN');
    },
  });
};

/** Removes one's own passkey and ends all sessions of the account; this one continues. */
export const removePasskey = async (
  deps: SignInDeps,
  visit: Visit,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<SignInResult> => {
  const { account } = visit;
  await assertPassword(deps, visit, password);
  const passkey = await findPasskey(deps.db, account.id, id);
  if (passkey === undefined) throw new AdminError('PASSKEY_NOT_FOUND');
  return changeOwn(deps, visit, {
    action: 'passkey remove',
    before: { passkey: passkey.name },
    also: async (db) => {
      if (!(await deletePasskey(db, account.id, id))) throw new AdminError('PASSKEY_NOT_FOUND');
      const isLast = !hasTwoFactor({ ...account, passkeys: account.passkeys - 1 });
      if (isLast) await deleteRecoveryCodes(db, account.id);
    },
  });
};

/** The second factors of an account, and the hosts on which its passkeys work. */
export const factorsOf = async (
  { db }: Pick<SignInDeps, 'db'>,
  { account }: Visit,
  party: Party,
) => {
  const passkeys = await listPasskeys(db, account.id);
  return {
    totp: account.totp_secret !== null,
    passkey: passkeys.some(({ rp_id: id }) => id === party?.id),
    passkey_hosts: [...new Set(passkeys.map(({ rp_id: id }) => id))],
  };
};

/** Begins to prove a passkey of the account: the options for a browser. */
export const beginProof = async (deps: SignInDeps, visit: Visit, given: Party) => {
  const party = usable(given);
  const all = await listPasskeys(deps.db, visit.account.id);
  const passkeys = all.filter(({ rp_id: id }) => id === party.id);
  if (passkeys.length === 0) throw new AdminError('PASSKEY_NOT_FOUND');
  const challenge = await beginChallenge(deps, visit, 'prove');
  return assertionOptions(party, { challenge, passkeys });
};

export type GivenProof = { readonly party: Party; readonly credential: Assertion };

/** Proves that the visitor holds a passkey of the account, by the session's challenge. */
export const provePasskey = async (
  deps: SignInDeps,
  visit: Visit,
  given: GivenProof,
): Promise<void> => {
  const party = usable(given.party);
  const { account } = visit;
  const { address } = visit.visitor;
  const attempt: Attempt = { subject: `passkey ${account.id}`, address, proof: 'passkey', account };
  await runAttempt(deps, attempt, async (counted) => {
    const challenge = await endChallenge(deps, visit, 'prove');
    const { id, response } = given.credential;
    const passkey = await findByCredential(deps.db, account.id, id);
    const counter =
      passkey?.rp_id === party.id
        ? await verifyAssertion(party, challenge, { response, passkey })
        : undefined;
    if (passkey === undefined || counter === undefined) throw new AdminError('PASSKEY_WRONG');
    await transact(deps, async (db) => {
      const now = deps.clock.now();
      if (!(await takeUse(db, passkey, { counter, now }))) throw new AdminError('PASSKEY_WRONG');
      await forgiveAttempt(db, attempt, { counted, now });
    });
  });
};

/**
 * Passes the second factor by a passkey: the session continues under a new token, with all rights of its
 * account.
 */
export const signInByPasskey = async (
  deps: SignInDeps,
  visit: Visit,
  given: GivenProof,
): Promise<SignInResult> => {
  await provePasskey(deps, visit, given);
  const { account, session, visitor } = visit;
  return transact(deps, async (db) => {
    // The account first, as everywhere: one lock order prevents deadlocks.
    await updateAccountRow(db, account.id, { signed_in_at: deps.clock.now() });
    if (!(await deleteSession(db, session.hash))) throw new AdminError('SESSION_MISSING');
    return openSession(db, deps, account, { visitor, stage: 'full' });
  });
};

/** For lost passkeys: removes all of an account's passkeys and ends its sessions. */
export const resetPasskeys = (deps: AdminDeps, actor: Actor, id: string): Promise<void> =>
  transact(deps, async (db) => {
    const account = await findAccount(db, id);
    if (account === undefined) throw new AdminError('ACCOUNT_NOT_FOUND');
    const passkeys = await deletePasskeysOf(db, id);
    if (!hasTwoFactor({ ...account, passkeys: 0 })) await deleteRecoveryCodes(db, id);
    await deleteSessionsOf(db, id);
    await writeAudit(db, deps, actor, {
      action: 'account passkeys reset',
      subject: id,
      before: { passkeys },
      after: { passkeys: 0 },
    });
  });
