/** Removes products in a transaction of its own. */
import { type RemoveResult, removeFrom } from '../../src/catalogue/write/remove.ts';
import type { WriteDeps } from '../../src/catalogue/write/write.ts';
import { runTransaction } from '../../src/db/transaction.ts';

export const removeProducts = (deps: WriteDeps, named: readonly number[]): Promise<RemoveResult> =>
  runTransaction(deps, (db) => removeFrom({ ...deps, db }, named));
