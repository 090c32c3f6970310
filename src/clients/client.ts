/** Owns the use-cases of clients: made, renamed, suspended; and those of their money and tokens, each in a transaction. */
import type { Account } from '../ledger/posting.ts';
import { openAccount, writePostings } from '../ledger/store.ts';
import type { Db } from '../lib/db.ts';
import { transacting } from '../lib/db-outcome.ts';
import { bumpVersion } from '../lib/db-versions.ts';
import { type ClientDeps, noClient, wrongField } from './fault.ts';
import { type Deposit, depositIn } from './money.ts';
import {
  type ClientRow,
  type ClientStatus,
  insertClient,
  lockClient,
  updateClient,
} from './store.ts';
import { type IssuedToken, issueToken, type NewToken, revokeTokenIn } from './tokens.ts';

export type { ClientDeps } from './fault.ts';
export type { NewToken } from './tokens.ts';

const inTransaction = <T>(deps: ClientDeps, work: (deps: ClientDeps) => Promise<T>): Promise<T> =>
  transacting(deps, (db) => work({ ...deps, db }));

export const longestName = 255;

const readName = (given: string): string => {
  const name = given.trim();
  if (name === '' || name.length > longestName) {
    throw wrongField('name', `A client's name has 1 to ${longestName} characters.`);
  }
  return name;
};

type NewClient = { readonly name: string; readonly balance?: number };
type CreatedClient = { readonly id: string; readonly token: IssuedToken };

/** Makes a client inside a transaction of the caller's: an account, a first token, a first deposit. */
export const createClientIn = async (
  deps: ClientDeps,
  { name: given, balance = 0 }: NewClient,
): Promise<CreatedClient> => {
  const name = readName(given);
  const id = deps.newId();
  const now = deps.clock.now();
  await insertClient(deps.db, { id, name, status: 'active', created_at: now });
  await openAccount(deps.db, id);
  if (balance > 0) await writePostings(deps.db, id, [{ kind: 'deposit', amount: balance }], now);
  return { id, token: await issueToken(deps, id, {}) };
};

export const createClient = (deps: ClientDeps, client: NewClient): Promise<CreatedClient> =>
  inTransaction(deps, (deps) => createClientIn(deps, client));

/** Within a transaction: a client that there is, and that nobody else changes until it is over. */
export const lockExisting = async (db: Db, id: string): Promise<ClientRow> => {
  const client = await lockClient(db, id);
  if (client === undefined) throw noClient(id);
  return client;
};

/** Changes what is named, inside a transaction of the caller's. Servers hear of another status. */
export const changeClientIn = async (
  deps: Pick<ClientDeps, 'db' | 'newId'>,
  id: string,
  change: { readonly name?: string; readonly status?: ClientStatus },
): Promise<{ readonly before: ClientRow; readonly after: ClientRow }> => {
  const before = await lockExisting(deps.db, id);
  const { name = before.name, status = before.status } = change;
  const after = { ...before, name: readName(name), status };
  await updateClient(deps.db, id, { name: after.name, status });
  if (status !== before.status) await bumpVersion(deps.db, 'clients', deps.newId);
  return { before, after };
};

export const setClientStatus = (
  deps: ClientDeps,
  clientId: string,
  status: ClientStatus,
): Promise<unknown> => inTransaction(deps, (deps) => changeClientIn(deps, clientId, { status }));

export const deposit = (deps: ClientDeps, wanted: Deposit): Promise<Account> =>
  inTransaction(deps, async (deps) => (await depositIn(deps, wanted)).after);

export const createTokenIn = async (
  deps: ClientDeps,
  clientId: string,
  options: NewToken,
): Promise<IssuedToken> => {
  await lockExisting(deps.db, clientId);
  return issueToken(deps, clientId, options);
};

export const createToken = (
  deps: ClientDeps,
  clientId: string,
  options: NewToken,
): Promise<IssuedToken> => inTransaction(deps, (deps) => createTokenIn(deps, clientId, options));

export const revokeToken = (deps: ClientDeps, id: string): Promise<unknown> =>
  inTransaction(deps, (deps) => revokeTokenIn(deps, { id }));
