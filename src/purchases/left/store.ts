/** Holds the SQL of attempts that were left behind, and of the suppliers that are asked about them once more. */
import { perEngine } from '../../db/engine.ts';
import { type FollowingText, insertRows, runText, sized, type Write } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { perKey } from '../../lib/memo.ts';
import type { LeftAttempt } from '../attempt.ts';
import { factColumns } from '../facts/facts.ts';
import type { Purchase } from '../purchase.ts';
import type { PurchaseName } from '../store.ts';

const insertAttemptsText = insertRows('attempts');

/** Attempts that were left behind, numbered by their last orders. */
export const attemptsToWrite = (
  left: readonly { readonly of: Purchase; readonly attempt: LeftAttempt }[],
  at: number,
): Write<FollowingText> => ({
  text: insertAttemptsText,
  rows: left.map(({ of, attempt }) => [
    of.clientId,
    of.id,
    attempt.attempts,
    attempt.supplierId,
    attempt.routeId,
    attempt.supplierCode,
    attempt.passedOver,
    of.id,
    attempt.sentTo,
    attempt.proof,
    ...factColumns(attempt.fact),
    at,
    attempt.askAt,
    attempt.cost,
  ]),
});

const askSoonText = `update attempts set ask_at = ?
  where client_id = ? and purchase_id = ? and supplier_id = ? and (ask_at is null or ask_at > ?)
  returning seq`;

/** Has a supplier that was left behind asked now; false if it is to be asked anyway. */
export const askSoon = async (
  db: Db,
  { clientId, id }: PurchaseName,
  supplierId: number,
  now: number,
): Promise<boolean> =>
  (await runText(db, askSoonText, [now, clientId, id, supplierId, now])).length > 0;

/** An attempt that is to be asked about. */
export type ToAsk = PurchaseName & { readonly supplierId: number };

const claimText = perEngine(({ lockFreeRows }) =>
  perKey((most: number) =>
    sized(
      (repeat) => `with due as materialized (
    select client_id, purchase_id, seq from attempts where ask_at is not null and ask_at <= ?
    and supplier_id in (${repeat('?')})
    order by ask_at limit ${most}${lockFreeRows}
  )
  update attempts set ask_at = ?
  where (client_id, purchase_id, seq) in (select client_id, purchase_id, seq from due)
  returning client_id as "clientId", purchase_id as id, supplier_id as "supplierId"`,
    ),
  ),
);

/** Claims attempts of these suppliers until `again`: then they are asked about again, unless that has ended. */
export const claimToAsk = async (
  db: Db,
  times: { readonly now: number; readonly again: number; readonly most: number },
  suppliers: readonly number[],
): Promise<ToAsk[]> => {
  if (suppliers.length === 0) return [];
  const text = claimText(db)(times.most)(suppliers.length);
  return runText<ToAsk>(db, text, [times.now, ...suppliers, times.again]);
};

const askedText = `update attempts set ask_at = null
  where client_id = ? and purchase_id = ? and supplier_id = ?`;

/** The supplier has answered. */
export const markAsked = async (db: Db, { clientId, id, supplierId }: ToAsk): Promise<void> => {
  await runText(db, askedText, [clientId, id, supplierId]);
};

/** Attempts at suppliers that were left behind, oldest first. */
export const readAttempts = (db: Db, { clientId, id }: PurchaseName) =>
  db
    .selectFrom('attempts')
    .select(['supplier_id', 'proof', 'code', 'fact_values', 'left_at'])
    .where('client_id', '=', clientId)
    .where('purchase_id', '=', id)
    .orderBy('seq')
    .execute();
