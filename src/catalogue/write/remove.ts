/** Removes products: all of the given IDs, or none. */
import { lockCatalogue, type WriteDeps, writeChange } from './write.ts';

export type RemoveResult = {
  readonly removed: number;
  /** Requested and missing; if there are any, nothing is removed. */
  readonly unknown: readonly number[];
};

/** Removes inside the caller's transaction. */
export const removeFrom = async (
  deps: WriteDeps,
  named: readonly number[],
): Promise<RemoveResult> => {
  const ids = [...new Set(named)];
  const held = await lockCatalogue(deps.db);
  const known = new Set(held.products.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) return { removed: 0, unknown };
  const change = { categories: [], products: [], linked: [], removed: ids };
  await writeChange(deps, held, change);
  return { removed: ids.length, unknown };
};
