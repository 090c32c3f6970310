/** Counts the states that a person's decision leads to, in its transaction, because a command has no server that counts. */
import type { Db } from '../../db/types.ts';
import { daysIn } from '../../lib/business-day.ts';
import type { Clock } from '../../lib/clock.ts';
import { isTestPurchase } from '../../operators/supplier.ts';
import { readSettings } from '../../settings/settings.ts';
import type { Purchase } from '../purchase.ts';
import { rowsOf } from './rows.ts';
import { addStats } from './store.ts';
import { createTally } from './tally.ts';

/** Belongs in the transaction that leads to these states. */
export const countStates = async (
  db: Db,
  clock: Pick<Clock, 'now'>,
  passed: readonly Purchase[],
): Promise<void> => {
  const tally = createTally(clock);
  for (const purchase of passed.filter((one) => !isTestPurchase(one))) tally.came(purchase);
  const taken = tally.take();
  if (taken === undefined) return;
  const { timeZone } = await readSettings(db);
  await addStats(db, rowsOf(taken, daysIn(timeZone)));
};
