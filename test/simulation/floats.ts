/** Compares what each supplier took by our books with its own book, at the end of a world. */
import type { Db } from '../../src/db/types.ts';
import { isTestSupplier } from '../../src/operators/supplier.ts';
import { readChain } from '../../src/purchases/floats/chain-store.ts';
import { countAll } from './counting.ts';
import { personalProduct } from './declarations.ts';
import { type BookEntry, type Model, openStates } from './model.ts';
import type { Plan } from './plan.ts';
import type { PurchaseRecord } from './store.ts';
import type { World } from './world.ts';

/** What an order costs at each supplier. They differ, so that no cost can stand for another one. */
export const costAt = (supplierId: number): number => 10 + supplierId;

/** Where a price list could be raised to the cost, there is none. */
export const hasCosts = ({ suppliers, prices }: Plan): boolean => suppliers > 1 && !prices;

const keyOf = (purchaseId: string | null, supplierId: number | null): string =>
  `${purchaseId} at supplier ${supplierId}`;

/** What each supplier took for each purchase by our books. */
const readTaken = async (db: Db): Promise<ReadonlyMap<string, number>> => {
  const postings = await db
    .selectFrom('postings')
    .select(['purchase_id', 'supplier_id', 'cost'])
    .where('cost', 'is not', null)
    .execute();
  const learnt = await db
    .selectFrom('supplier_ledger')
    .select(['purchase_id', 'supplier_id', 'cost'])
    .execute();
  const taken = new Map<string, number>();
  for (const { purchase_id, supplier_id, cost } of [...postings, ...learnt]) {
    const key = keyOf(purchase_id, supplier_id);
    taken.set(key, (taken.get(key) ?? 0) + (cost ?? 0));
  }
  return taken;
};

/** Whether the gateway has learnt all that the supplier did: it said so, and no person decided otherwise. */
const isKnown = (model: Model, row: PurchaseRecord, entry: BookEntry): boolean => {
  // No route leads to a personal offer, and so its cost is not known.
  if (row.product_id === personalProduct) return false;
  // An open one is in flight: it needs review, or waits because a clock went back.
  if (openStates.has(row.state) || model.decisions().has(row.id)) return false;
  // Nothing waits for word of what it denied: a world may end before that comes.
  return !entry.lied && (entry.reported || !entry.reversed);
};

/** No delivery is missing in the chain of a supplier whose deliveries are all known. */
const checkChains = async (
  world: World,
  { db, unlike }: { readonly db: Db; readonly unlike: ReadonlySet<number> },
): Promise<void> => {
  if (world.violated()) return;
  await countAll(db);
  const told = await db.selectFrom('chain_ends').select('supplier_id').distinct().execute();
  for (const { supplier_id: supplierId } of told) {
    if (unlike.has(supplierId)) continue;
    const chain = await readChain(db, supplierId, Number.MAX_SAFE_INTEGER);
    if (chain.kind !== 'followed') world.violate(`the chain of supplier ${supplierId} is lost`);
    else if (chain.gaps.length > 0) {
      const missing = chain.gaps.map((gap) => gap.missing).join(', ');
      world.violate(`the chain of supplier ${supplierId} lacks ${missing}`);
    }
  }
};

/** Float by our books is the supplier's own book: both begin with the same money. */
export const checkFloats = async (
  world: World,
  {
    model,
    plan,
    db,
    chains,
  }: {
    readonly model: Model;
    readonly plan: Plan;
    readonly db: Db;
    /** Whether the chains of balances are checked too. */
    readonly chains: boolean;
  },
): Promise<void> => {
  if (!hasCosts(plan) || model.rewinds() > 0) return;
  const taken = await readTaken(db);
  const unlike = new Set<number>();
  for (const row of model.purchases().values()) {
    for (const [supplierId, entry] of model.entriesOf(row.id)) {
      // Test clients' orders cost nothing.
      if (isTestSupplier(supplierId)) continue;
      // Each system of one that moves has a float of its own.
      if (entry.moves) unlike.add(supplierId);
      if (!isKnown(model, row, entry)) {
        unlike.add(supplierId);
        continue;
      }
      const deliveries = entry.deliveries - (entry.reversed ? 1 : 0);
      const own = deliveries * costAt(supplierId);
      const key = keyOf(row.id, supplierId);
      const ours = taken.get(key) ?? 0;
      if (ours !== own) world.violate(`${key} took ${ours} by our books, and ${own} by its own`);
    }
  }
  // Where a clock was set back, times cannot tell the first balance from the last.
  if (chains && !plan.clockSteps) await checkChains(world, { db, unlike });
};
