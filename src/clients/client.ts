/** Creates and updates clients, and runs deposits and token changes in a transaction. */

import { bumpVersion } from '../db/changes/versions.ts';
import { openAccount, writePostings } from '../ledger/store.ts';
import { persianDigits } from '../lib/text.ts';
import { type ClientDeps, invalidField, lockExisting } from './errors.ts';
import { type ClientRow, type ClientStatus, insertClient, updateClientRow } from './store.ts';
import { type CreatedToken, createToken } from './tokens.ts';

export const longestName = 255;

const readName = (given: string): string => {
  const name = given.trim();
  if (name === '' || name.length > longestName) {
    throw invalidField('name', {
      en: `The name must have 1 to ${longestName} characters.`,
      fa: `نام باید ۱ تا ${persianDigits(longestName)} نویسه داشته باشد.`,
    });
  }
  return name;
};

export type NewClient = {
  readonly name: string;
  readonly balance?: number;
  /** Whether it is a test client, for good. */
  readonly test?: boolean;
};
export type CreatedClient = { readonly id: string; readonly token: CreatedToken };

/** Creates a client with an account, a first deposit and a first token. */
export const createClient = async (
  deps: ClientDeps,
  { name: given, balance = 0, test = false }: NewClient,
): Promise<CreatedClient> => {
  const name = readName(given);
  const id = deps.newId();
  const now = deps.clock.now();
  await insertClient(deps.db, { id, name, status: 'active', created_at: now, test: Number(test) });
  await openAccount(deps.db, id);
  if (balance > 0) await writePostings(deps.db, id, [{ kind: 'deposit', amount: balance }], now);
  return { id, token: await createToken(deps, id, {}) };
};

export type ClientChange = { readonly name?: string; readonly status?: ClientStatus };

/** Updates the named fields. Servers are notified of a new status. */
export const updateClient = async (
  deps: Pick<ClientDeps, 'db' | 'newId'>,
  id: string,
  change: ClientChange,
): Promise<{ readonly before: ClientRow; readonly after: ClientRow }> => {
  const before = await lockExisting(deps.db, id);
  const { name = before.name, status = before.status } = change;
  const after = { ...before, name: readName(name), status };
  await updateClientRow(deps.db, id, { name: after.name, status });
  if (status !== before.status) await bumpVersion(deps.db, 'clients', deps.newId);
  return { before, after };
};
