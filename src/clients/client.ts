/** Owns the use-cases of clients: made, funded, suspended; tokens issued and revoked. */
import { type Account, LedgerError } from '../ledger/posting.ts';
import { openAccount, writePostings } from '../ledger/store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db.ts';
import { bumpVersion } from '../lib/db-versions.ts';
import { UsageError } from '../lib/errors.ts';
import type { NewId, Random } from '../lib/random.ts';
import { isNetwork } from './network.ts';
import {
  type ClientStatus,
  findClient,
  insertClient,
  insertToken,
  updateClientStatus,
  updateTokenRevoked,
} from './store.ts';
import { endingOf, hashToken, makeToken, type Scope, scopes } from './token.ts';

export type ClientDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly random: Random;
};

export type NewToken = {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly networks?: readonly string[];
  readonly expiresAt?: number;
};

/** The token in clear is in this answer and nowhere else. */
export type IssuedToken = { readonly id: string; readonly token: string };

const issueToken = async (
  deps: ClientDeps,
  clientId: string,
  options: NewToken,
): Promise<IssuedToken> => {
  const wrong = options.networks?.find((network) => !isNetwork(network));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not an address or a network.`);
  const token = makeToken(deps.random);
  const id = deps.newId();
  await insertToken(deps.db, {
    id,
    client_id: clientId,
    name: options.name ?? 'default',
    hash: hashToken(token),
    ending: endingOf(token),
    scopes: JSON.stringify(options.scopes ?? scopes),
    networks: JSON.stringify(options.networks ?? []),
    created_at: deps.clock.now(),
    expires_at: options.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
  });
  return { id, token };
};

const inTransaction = <T>(deps: ClientDeps, work: (deps: ClientDeps) => Promise<T>): Promise<T> =>
  deps.db.transaction().execute((db) => work({ ...deps, db }));

const longestName = 255;

type NewClient = { readonly name: string; readonly balance?: number };
type CreatedClient = { readonly id: string; readonly token: IssuedToken };

/** Makes a client inside a transaction of the caller's: an account, a first token, a first deposit. */
export const createClientIn = async (
  deps: ClientDeps,
  { name: given, balance = 0 }: NewClient,
): Promise<CreatedClient> => {
  const name = given.trim();
  if (name === '' || name.length > longestName) {
    throw new UsageError(`A client's name has 1 to ${longestName} characters.`);
  }
  const id = deps.newId();
  const now = deps.clock.now();
  await insertClient(deps.db, { id, name, status: 'active', created_at: now });
  await openAccount(deps.db, id);
  if (balance > 0) await writePostings(deps.db, id, [{ kind: 'deposit', amount: balance }], now);
  return { id, token: await issueToken(deps, id, {}) };
};

export const createClient = (deps: ClientDeps, client: NewClient): Promise<CreatedClient> =>
  inTransaction(deps, (deps) => createClientIn(deps, client));

const assertClient = async (deps: ClientDeps, id: string): Promise<void> => {
  if ((await findClient(deps.db, id)) === undefined) {
    throw new UsageError(`There is no client ${id}.`);
  }
};

export const deposit = (
  deps: ClientDeps,
  options: { readonly clientId: string; readonly amount: number; readonly note?: string },
): Promise<Account> =>
  inTransaction(deps, async (deps) => {
    const { clientId, amount, note } = options;
    await assertClient(deps, clientId);
    const posting = { kind: 'deposit', amount, ...(note === undefined ? {} : { note }) } as const;
    try {
      return await writePostings(deps.db, clientId, [posting], deps.clock.now());
    } catch (cause) {
      if (!(cause instanceof LedgerError)) throw cause;
      throw new UsageError(`${cause.message} Nothing was deposited.`, { cause });
    }
  });

export const setClientStatus = (
  deps: ClientDeps,
  clientId: string,
  status: ClientStatus,
): Promise<void> =>
  inTransaction(deps, async (deps) => {
    if (!(await updateClientStatus(deps.db, clientId, status))) {
      throw new UsageError(`There is no client ${clientId}.`);
    }
    await bumpVersion(deps.db, 'clients', deps.newId);
  });

export const createToken = (
  deps: ClientDeps,
  clientId: string,
  options: NewToken,
): Promise<IssuedToken> =>
  inTransaction(deps, async (deps) => {
    await assertClient(deps, clientId);
    return issueToken(deps, clientId, options);
  });

export const revokeToken = (deps: ClientDeps, id: string): Promise<void> =>
  inTransaction(deps, async (deps) => {
    if (!(await updateTokenRevoked(deps.db, id, deps.clock.now()))) {
      throw new UsageError(`There is no token ${id}.`);
    }
    await bumpVersion(deps.db, 'clients', deps.newId);
  });
