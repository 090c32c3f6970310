/** Holds the SQL of suppliers' ledgers: what was learnt about the cost of purchases besides their postings. */
import { type FollowingText, insertRows, runText, type Write } from '../db/statement.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import type { CostEntry } from './cost.ts';
import type { Purchase } from './purchase.ts';
import type { PurchaseName } from './store.ts';

const insertText = insertRows('supplier_ledger', ' on conflict do nothing');

/** Each reason counts once for each supplier of a purchase, however often it is heard of. */
export const costsToWrite = (
  learnt: readonly { readonly of: Purchase; readonly costs: readonly CostEntry[] }[],
  at: number,
): Write<FollowingText> => ({
  text: insertText,
  rows: learnt.flatMap(({ of, costs }) =>
    costs.map(({ supplierId, kind, cost }) => [of.clientId, of.id, supplierId, kind, cost, at]),
  ),
});

export type LedgerRow = Pick<Tables['supplier_ledger'], 'supplier_id' | 'kind' | 'cost' | 'at'>;

const readText = `select supplier_id, kind, cost, at from supplier_ledger
  where client_id = ? and purchase_id = ? order by at, supplier_id, kind`;

/** What was learnt about the cost of a purchase, the oldest first. */
export const readLearntCosts = (db: Db, { clientId, id }: PurchaseName): Promise<LedgerRow[]> =>
  runText<LedgerRow>(db, readText, [clientId, id]);
