/** Keeps reports of orders that are unknown here: counted, logged, and listed for reconciliation. */
import type { Report } from '../../connector/connector.ts';
import type { PurchaseDeps } from '../deps.ts';
import { knownRefs } from '../restored/store.ts';
import { dropOldUnmatched, insertUnmatched } from './store.ts';

// An operator account shared with others reports all their orders. The newest are enough to see that.
export const mostUnmatched = 10_000;

/** Keeps reports of orders that are unknown here, each once. */
export const keepUnknown = async (
  deps: PurchaseDeps,
  operatorId: number,
  unknown: readonly Report[],
): Promise<void> => {
  const { db, mask, unmatched } = deps;
  if (unknown.length === 0) return;
  const found_at = await deps.databaseTime(db);
  const rows = unknown.map(({ ref, kind, at, mobile, amount }) => ({
    operator_id: operatorId,
    ref,
    kind,
    at,
    mobile: mobile === undefined ? null : (mask?.(mobile) ?? null),
    amount: amount ?? null,
    found_at,
  }));
  const found = await insertUnmatched(db, rows);
  const [first] = found;
  if (first === undefined) return;
  await dropOldUnmatched(db, operatorId, mostUnmatched);
  for (const { operator_id } of found) unmatched?.(operator_id);
  const { ref, kind, at, mobile, amount } = first;
  deps.log.warn(
    { operator: operatorId, count: found.length, first: { ref, kind, at, mobile, amount } },
    'the operator reports orders that are unknown here, or cannot be applied: see "simgate purchase unmatched"',
  );
};

/** Keeps reports of unknown orders, and broken ones that cannot be applied. */
export const keepUnmatched = async (
  deps: PurchaseDeps,
  operatorId: number,
  reports: readonly Report[],
  broken: readonly Report[],
): Promise<void> => {
  const known = await knownRefs(
    deps.db,
    operatorId,
    reports.map(({ ref }) => ref),
  );
  const unknown = reports.filter(({ ref }) => !known.has(ref));
  await keepUnknown(deps, operatorId, [...unknown, ...broken]);
};
