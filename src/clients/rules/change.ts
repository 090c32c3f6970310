/** Changes a client's rules, and notifies every server. */
import { bumpVersion } from '../../db/changes/versions.ts';
import { type ClientDeps, lockExisting } from '../errors.ts';
import type { ClientRules } from './rules.ts';
import { readRules, saveRules } from './store.ts';

/** Each once, in order. */
const tidied = (list: readonly number[] | null): readonly number[] | null =>
  list === null ? null : [...new Set(list)].sort((a, b) => a - b);

const tidy = (change: Partial<ClientRules>): Partial<ClientRules> => ({
  ...change,
  ...(change.products === undefined ? {} : { products: tidied(change.products) }),
  ...(change.operators === undefined ? {} : { operators: tidied(change.operators) }),
});

/** Sets the named rules, or nothing if there are none. */
export const updateRules = async (
  { db, newId }: Pick<ClientDeps, 'db' | 'newId'>,
  clientId: string,
  change: Partial<ClientRules>,
): Promise<{ readonly before: ClientRules; readonly after: ClientRules }> => {
  await lockExisting(db, clientId);
  const before = await readRules(db, clientId);
  if (Object.keys(change).length === 0) return { before, after: before };
  await saveRules(db, clientId, tidy(change));
  await bumpVersion(db, 'clients', newId);
  return { before, after: await readRules(db, clientId) };
};
