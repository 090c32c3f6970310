/** Holds the SQL of claims: which purchases are due, and who may advance them. */
import { perEngine } from '../db/engine.ts';
import { runText, sized } from '../db/statement.ts';
import type { Db } from '../db/types.ts';
import { perKey } from '../lib/memo.ts';
import type { Purchase } from './purchase.ts';
import { type PurchaseRow, toPurchase } from './rows.ts';
import { allColumns, type PurchaseName } from './store.ts';

// Limit and materialized: as in the claim of webhooks, src/webhooks/store.ts.
const claimDueText = perEngine(({ lockFreeRows }) =>
  perKey((most: number) =>
    sized(
      (repeat) => `with due as materialized (
    select client_id, id from purchases where due_at is not null and due_at <= ?
    and supplier_id in (${repeat('?')})
    order by due_at limit ${most}${lockFreeRows}
  )
  update purchases set fence = fence + 1, due_at = ?
  where (client_id, id) in (select client_id, id from due)
  returning ${allColumns}`,
    ),
  ),
);

/** The result of a claim. An unreadable row is reported by its ID and delays none of the others. */
export type ClaimedDue = {
  readonly purchases: readonly Purchase[];
  readonly unreadable: readonly { readonly id: string; readonly err: unknown }[];
};

const readClaimed = (rows: readonly PurchaseRow[]): ClaimedDue => {
  const purchases: Purchase[] = [];
  const unreadable: { id: string; err: unknown }[] = [];
  for (const row of rows) {
    try {
      purchases.push(toPurchase(row));
    } catch (err) {
      unreadable.push({ id: row.id, err });
    }
  }
  return { purchases, unreadable };
};

type Lease = { readonly now: number; readonly leaseUntil: number };
export type Claim = Lease & { readonly most: number };

/** Claims due purchases of these suppliers under a lease: earlier claimants can no longer settle them. */
export const claimDue = async (
  db: Db,
  { now, leaseUntil, most }: Claim,
  suppliers: readonly number[],
): Promise<ClaimedDue> => {
  if (suppliers.length === 0) return readClaimed([]);
  const text = claimDueText(db)(most)(suppliers.length);
  return readClaimed(await runText<PurchaseRow>(db, text, [now, ...suppliers, leaseUntil]));
};

const unclaimedText = sized(
  (repeat) => `select supplier_id as id from purchases
  where due_at is not null and supplier_id not in (${repeat('?')})
  group by supplier_id having max(due_at) <= ?`,
);

/**
 * The suppliers, other than these, whose open purchases were all due by `since`. A claim moves the due time
 * ahead, so a supplier that any instance claims from is not among them.
 */
export const findUnclaimed = async (
  db: Db,
  except: readonly number[],
  since: number,
): Promise<number[]> => {
  // There is no supplier 0: a list must not be empty in SQL.
  const others = except.length === 0 ? [0] : except;
  const rows = await runText<{ id: number }>(db, unclaimedText(others.length), [...others, since]);
  return rows.map(({ id }) => id);
};

const claimOneText = `update purchases set fence = fence + 1, due_at = ?
  where client_id = ? and id = ? and due_at is not null and (state = 'unknown' or due_at <= ?)
  returning ${allColumns}`;

/**
 * Claims one purchase under a lease before it is due, for a person who does not want to wait. Undefined if
 * its order is in flight, or if it is not open.
 */
export const claimOne = async (
  db: Db,
  { clientId, id }: PurchaseName,
  claim: Lease,
): Promise<Purchase | undefined> => {
  const values = [claim.leaseUntil, clientId, id, claim.now];
  const [row] = await runText<PurchaseRow>(db, claimOneText, values);
  return row === undefined ? undefined : toPurchase(row);
};

/**
 * Makes everything open due now. Only for a server with proof that all others are dead: nothing more can be
 * sent, so the quiet time begins now. Other settings never shorten it.
 */
export const takeOverAll = async (
  db: Db,
  supplierId: number,
  times: { readonly now: number; readonly quietAt: number },
): Promise<void> => {
  const waitMs = times.quietAt - times.now;
  await runText(
    db,
    `update purchases set fence = fence + 1, due_at = ?, send_before = ?,
      quiet_at = ? + case when quiet_at - send_before > ? then quiet_at - send_before else ? end
      where due_at is not null and supplier_id = ?`,
    [times.now, times.now, times.now, waitMs, waitMs, supplierId],
  );
};

const bringForwardText =
  'update purchases set due_at = ? where due_at is not null and due_at > ? and supplier_id = ?';

/** Makes a supplier's purchases due now if they are due later than the longest possible wait. */
export const bringForward = async (
  db: Db,
  supplierId: number,
  times: { readonly now: number; readonly furthest: number },
): Promise<void> => {
  await runText(db, bringForwardText, [times.now, times.furthest, supplierId]);
};
