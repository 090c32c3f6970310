/** Owns the change of a client's rules: all that is named at once, and every server hears of it. */
import { transacting } from '../../lib/db-outcome.ts';
import { bumpVersion } from '../../lib/db-versions.ts';
import { type ClientDeps, lockExisting } from '../client.ts';
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

type RulesDeps = Pick<ClientDeps, 'db' | 'newId'>;

/** Sets what is named, or nothing where nothing is, inside a transaction of the caller's. */
export const changeRulesIn = async (
  { db, newId }: RulesDeps,
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

/** The same by itself; gives the rules that hold then. */
export const changeRules = (
  deps: RulesDeps,
  clientId: string,
  change: Partial<ClientRules>,
): Promise<ClientRules> =>
  transacting(deps, async (db) => (await changeRulesIn({ ...deps, db }, clientId, change)).after);
