/** Records which prices a change of the catalogue changed, who made it, and how. */
import type { Product } from '../product.ts';
import { chunksOf, rowsAtATime, type WriteDeps } from '../write/write.ts';
import { movesBetween } from './moves.ts';
import { insertMoves, insertPriceChange, type PriceChangeRow } from './store.ts';

export type Origin = {
  readonly via: PriceChangeRow['via'];
  readonly actor: { readonly accountId: string | null; readonly name: string };
  /** What was asked of a bulk change. */
  readonly asked?: object;
  /** The ID of the change that it reverts. */
  readonly reverts?: string;
};

/** Belongs in the transaction of the change. Returns its ID; null if no price has changed. */
export const recordPrices = async (
  { db, clock, newId }: WriteDeps,
  before: readonly Product[],
  after: readonly Product[],
  { via, actor, asked, reverts }: Origin,
): Promise<string | null> => {
  const moves = movesBetween(before, after);
  if (moves.length === 0) return null;
  const id = newId();
  await insertPriceChange(db, {
    id,
    at: clock.now(),
    via,
    account_id: actor.accountId,
    actor: actor.name,
    asked: asked === undefined ? null : JSON.stringify(asked),
    products: new Set(moves.map(({ productId }) => productId)).size,
    reverts: reverts ?? null,
  });
  for (const chunk of chunksOf(moves, rowsAtATime)) await insertMoves(db, id, chunk);
  return id;
};
