/** Asks suppliers that were left behind once more: what they deny may be delivered all the same. */
import type { PurchaseDeps } from '../deps.ts';
import { inquire } from '../inquire.ts';
import { findPurchase } from '../inquiry/store.ts';
import { recordLeftDelivery, recordLeftReversal } from './delivered.ts';
import { claimToAsk, markAsked, type ToAsk } from './store.ts';

const mostAtOnce = 16;
const againAfterMs = 60_000;

const askOne = async (deps: PurchaseDeps, left: ToAsk): Promise<void> => {
  const supplier = deps.registry.byId(left.supplierId);
  if (supplier === undefined) return;
  const { status } = supplier.connection;
  if (typeof status !== 'function') return markAsked(deps.db, left);
  const outcome = await inquire(deps.call, supplier, status, { purchaseId: left.id });
  // Without a final answer it is asked again.
  if (outcome.kind === 'unknown' || outcome.kind === 'pending') return;
  if (outcome.kind === 'done' || outcome.kind === 'reversed') {
    const found = await findPurchase(deps.db, left.id, null);
    const record = outcome.kind === 'done' ? recordLeftDelivery : recordLeftReversal;
    if (found !== undefined) await record(deps, found, left.supplierId);
  }
  await markAsked(deps.db, left);
};

/** Asks about all attempts that are due, a few at a time. */
export const askAboutLeft = async (deps: PurchaseDeps): Promise<void> => {
  const now = await deps.databaseTime(deps.db);
  const suppliers = deps.registry.all.filter(({ system }) => system !== null).map(({ id }) => id);
  const times = { now, again: now + againAfterMs, most: mostAtOnce };
  const due = await claimToAsk(deps.db, times, suppliers);
  await Promise.all(due.map((left) => askOne(deps, left)));
};
