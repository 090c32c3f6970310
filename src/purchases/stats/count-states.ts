/** Owns counting what a person decided: it is part of that transaction, because a command is no server that would count it. */

import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Purchase } from '../purchase.ts';
import { rowsOf } from './rows.ts';
import { addStats } from './store.ts';
import { createTally } from './tally.ts';

/** Belongs in the transaction by which these states came about. */
export const countStates = async (
  db: Db,
  clock: Pick<Clock, 'now'>,
  passed: readonly Purchase[],
): Promise<void> => {
  const tally = createTally(clock);
  for (const purchase of passed) tally.came(purchase);
  const taken = tally.take();
  if (taken !== undefined) await addStats(db, rowsOf(taken));
};
