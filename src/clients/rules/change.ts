/** Owns the change of a client's rules: all that is named at once, and every server hears of it. */
import { bumpVersion } from '../../lib/db-versions.ts';
import { UsageError } from '../../lib/errors.ts';
import type { ClientDeps } from '../client.ts';
import { findClient } from '../store.ts';
import type { ClientRules } from './rules.ts';
import { readRules, saveRules } from './store.ts';

/** Sets what is named, or nothing where nothing is; gives the rules that hold then. */
export const changeRules = (
  deps: Pick<ClientDeps, 'db' | 'newId'>,
  clientId: string,
  change: Partial<ClientRules>,
): Promise<ClientRules> =>
  deps.db.transaction().execute(async (db) => {
    if ((await findClient(db, clientId)) === undefined) {
      throw new UsageError(`There is no client ${clientId}.`);
    }
    if (Object.keys(change).length > 0) {
      await saveRules(db, clientId, change);
      await bumpVersion(db, 'clients', deps.newId);
    }
    return readRules(db, clientId);
  });
