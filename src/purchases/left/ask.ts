/** Asks suppliers that were left behind once more: what they deny may be delivered all the same. */
import type { StatusOutcome } from '../../connector/connector.ts';
import type { Operator } from '../../operators/registry.ts';
import type { PurchaseDeps } from '../deps.ts';
import { findPurchase } from '../inquiry/store.ts';
import { recordLeftDelivery } from './delivered.ts';
import { claimToAsk, markAsked, type ToAsk } from './store.ts';

const mostAtOnce = 16;
const againAfterMs = 60_000;

const inquire = async (
  deps: PurchaseDeps,
  { id: operatorId, connection }: Operator,
  purchaseId: string,
): Promise<StatusOutcome> => {
  const { status, deadlineMs } = connection;
  const about = { operatorId, kind: 'inquiry', purchaseId } as const;
  const result = await deps.call(deadlineMs, (context) => status(purchaseId, context), about);
  return result.kind === 'answer' ? result.value : result;
};

const askOne = async (deps: PurchaseDeps, left: ToAsk): Promise<void> => {
  const supplier = deps.registry.byId(left.supplierId);
  if (supplier === undefined) return;
  const outcome = await inquire(deps, supplier, left.id);
  // Without a final answer it is asked again.
  if (outcome.kind === 'unknown' || outcome.kind === 'pending') return;
  if (outcome.kind === 'done') {
    const found = await findPurchase(deps.db, left.id, null);
    if (found !== undefined) await recordLeftDelivery(deps, found, left.supplierId);
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
