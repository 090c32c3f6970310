/** Waits for the end of a purchase: notified if it ends here, polling if it may end elsewhere. */
import type { PurchaseDeps } from '../deps.ts';
import { isFinal, type Purchase } from '../purchase.ts';
import { findByIds } from '../store.ts';

// Ends in this process are announced; polling is for those in another instance.
const firstLookMs = 100;
const widestLookMs = 2000;

/** The end if it comes here within that time, else undefined. */
const heardWithin = (
  { clock, transact }: PurchaseDeps,
  id: string,
  ms: number,
): Promise<Purchase | undefined> =>
  new Promise((resolve) => {
    const end = (purchase?: Purchase): void => {
      cancel();
      forget();
      resolve(purchase);
    };
    const cancel = clock.after(ms, () => end());
    const forget = transact.onEnd(id, end);
  });

/** Polls with a growing pause until the purchase is final, or the time to wait is over. */
const pollUntilFinal = async (
  deps: PurchaseDeps,
  purchase: Purchase,
  waitMs: number,
): Promise<Purchase> => {
  const until = deps.clock.monotonic() + waitMs;
  let current = purchase;
  for (let pause = firstLookMs; !isFinal(current); pause = Math.min(pause * 2, widestLookMs)) {
    const left = until - deps.clock.monotonic();
    if (left <= 0) break;
    const heard = await heardWithin(deps, purchase.id, Math.min(pause, left));
    if (heard !== undefined) return heard;
    const found = await findByIds(deps.db, [purchase]).catch(() => [current]);
    // A database that lacks the purchase will never know its end.
    if (found.length === 0) break;
    [current = current] = found;
  }
  return current;
};

/** Waits for the end of what others run, unless too many wait already: a retry gets the answer. */
export const waitForEnd = async (
  deps: PurchaseDeps,
  purchase: Purchase,
  waitMs: number,
): Promise<Purchase> => {
  if (isFinal(purchase)) return purchase;
  const leave = deps.admission.wait();
  return leave === undefined ? purchase : pollUntilFinal(deps, purchase, waitMs).finally(leave);
};
