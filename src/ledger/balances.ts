/** Reads balances for display, at most once for each client in a turn of the event loop. */
import type { Db } from '../db/types.ts';
import { atEndOfTurn } from '../lib/clock.ts';
import { readSpendable } from './store.ts';

export type BalanceOf = (clientId: string) => number | Promise<number>;

/**
 * Requests of one turn share one reading. A client that knows of a purchase asks in a later turn, and sees
 * it.
 */
export const createBalances = (db: Db): BalanceOf => {
  const known = new Map<string, number | Promise<number>>();
  return (clientId) => {
    const before = known.get(clientId);
    if (before !== undefined) return before;
    const balance = readSpendable(db, clientId);
    if (known.size === 0) atEndOfTurn(() => known.clear());
    known.set(clientId, balance);
    return balance;
  };
};
