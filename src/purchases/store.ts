/** Holds the SQL of purchases: written in batches, found by key, claimed when they are due. */
import { perEngine } from '../db/engine.ts';
import {
  type FollowingText,
  haveForm,
  insertRows,
  placeholders,
  type RowsText,
  readRows,
  readSync,
  runText,
  sized,
  tableOf,
  type Write,
  writeWith,
} from '../db/statement.ts';
import type { Db } from '../db/types.ts';
import { factColumns } from './facts/facts.ts';
import type { Note, Purchase } from './purchase.ts';
import {
  type PurchaseRow,
  progressColumns,
  progressTypes,
  progressValues,
  purchaseColumns,
  requestTypes,
  requestValues,
  toPurchase,
} from './rows.ts';

const all = purchaseColumns.join(', ');

/** Finds rows by two columns. */
const byPairText = (first: string, second: string, lock = ''): RowsText => ({
  one: `select ${all} from purchases where ${first} = ? and ${second} = ?${lock}`,
  many: `select ${all} from purchases where (${first}, ${second}) in (
    select ${first}, ${second} from ${tableOf({ [first]: 'text', [second]: 'text' })})${lock}`,
});

const byKeyText = byPairText('client_id', 'idempotency_key');

/** The existing purchases of (client, key). */
export const findByKeys = async (
  db: Db,
  keys: readonly { readonly clientId: string; readonly key: string }[],
): Promise<Purchase[]> => {
  const values = keys.map(({ clientId, key }) => [clientId, key]);
  const rows = await readRows<PurchaseRow>(db, byKeyText, values);
  return rows.map(toPurchase);
};

/** The purchase of one key: synchronously, if the database is in this process. */
export const findByKey = (
  db: Db,
  key: { readonly clientId: string; readonly key: string },
): Purchase | undefined | Promise<Purchase | undefined> => {
  const rows = readSync(db, byKeyText.one, [key.clientId, key.key]);
  if (rows === undefined || !haveForm<PurchaseRow>(rows)) {
    return findByKeys(db, [key]).then(([found]) => found);
  }
  const [row] = rows;
  return row === undefined ? undefined : toPurchase(row);
};

const byIdText = byPairText('client_id', 'id');

export type PurchaseName = { readonly clientId: string; readonly id: string };

export const findByIds = async (db: Db, names: readonly PurchaseName[]): Promise<Purchase[]> => {
  const values = names.map(({ clientId, id }) => [clientId, id]);
  const rows = await readRows<PurchaseRow>(db, byIdText, values);
  return rows.map(toPurchase);
};

const lockByIdTexts = perEngine(({ lockRows, lockFreeRows }) => ({
  wait: byPairText('client_id', 'id', lockRows),
  free: byPairText('client_id', 'id', lockFreeRows),
}));

/**
 * Finds purchases, and prevents others from claiming them until the transaction ends. The caller has locked
 * their clients' accounts; a claim takes no account and skips locked rows. With `free`, locked rows are left
 * out without waiting.
 */
export const lockByIds = async (
  db: Db,
  names: readonly PurchaseName[],
  which: 'wait' | 'free' = 'wait',
): Promise<Purchase[]> => {
  const values = names.map(({ clientId, id }) => [clientId, id]);
  const rows = await readRows<PurchaseRow>(db, lockByIdTexts(db)[which], values);
  return rows.map(toPurchase);
};

const insertText = insertRows('purchases', ' on conflict do nothing', {
  ...requestTypes,
  ...progressTypes,
});

/**
 * Writes new purchases and their follow-up rows. False if a key or an id was taken: then not all are written,
 * and no follow-up row is.
 */
export const insertPurchases = async (
  db: Db,
  purchases: readonly Purchase[],
  following: readonly Write<FollowingText>[] = [],
): Promise<boolean> => {
  if (purchases.length === 0) return true;
  const rows = purchases.map((one) => [...requestValues(one), ...progressValues(one)]);
  return writeWith(db, { text: insertText, rows }, following);
};

/**
 * The columns that every step changes, and the quiet time, which another place restarts without a step: they
 * tell whether a row is unchanged.
 */
const seenTypes = {
  seen_state: 'text',
  seen_fence: 'bigint',
  seen_attempts: 'bigint',
  seen_inquiries: 'bigint',
  seen_notes: 'bigint',
  seen_quiet_at: 'bigint',
} as const;

const updateText: RowsText = {
  one: `update purchases set ${progressColumns.map((column) => `${column} = ?`).join(', ')}
    where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ?
    and notes = ? and quiet_at = ?`,
  many: `update purchases set ${progressColumns.map((column) => `${column} = next.${column}`).join(', ')}
    from ${tableOf({ ...progressTypes, client_id: 'text', id: 'text', ...seenTypes })}
    where purchases.client_id = next.client_id and purchases.id = next.id
    and purchases.state = seen_state and purchases.fence = seen_fence
    and purchases.attempts = seen_attempts and purchases.inquiries = seen_inquiries
    and purchases.notes = seen_notes and purchases.quiet_at = seen_quiet_at`,
};

/** A purchase as it was read, and as it will be. */
export type Moved = { readonly before: Purchase; readonly after: Purchase };

const movedValues = ({ before, after }: Moved): unknown[] => [
  ...progressValues(after),
  after.clientId,
  after.id,
  before.state,
  before.fence,
  before.attempts,
  before.inquiries,
  before.notes,
  before.quietAt,
];

/**
 * Writes purchases' progress and follow-up rows. The caller has locked their clients' accounts. False if one
 * of them has changed since it was read: then not all are written, and no follow-up row is.
 */
export const updatePurchases = async (
  db: Db,
  moved: readonly Moved[],
  following: readonly Write<FollowingText>[] = [],
): Promise<boolean> =>
  moved.length === 0 ||
  writeWith(db, { text: updateText, rows: moved.map(movedValues) }, following);

const insertNotesText = insertRows('purchase_notes');

/** Notes to write, numbered by their purchases' counts. */
export const notesToWrite = (
  notes: readonly { readonly of: Purchase; readonly note: Note }[],
  at: number,
): Write<FollowingText> => ({
  text: insertNotesText,
  rows: notes.map(({ of, note }) => [
    of.clientId,
    of.id,
    of.notes,
    note.kind,
    ...factColumns(note.fact),
    at,
  ]),
});

// Limit and materialized: as in the claim of webhooks, src/webhooks/store.ts.
const claimDueText = perEngine(
  ({ lockFreeRows }) =>
    (most: number, operators: number): string =>
      `with due as materialized (
    select client_id, id from purchases where due_at is not null and due_at <= ?
    and operator_id in ${placeholders(operators)}
    order by due_at limit ${most}${lockFreeRows}
  )
  update purchases set fence = fence + 1, due_at = ?
  where (client_id, id) in (select client_id, id from due)
  returning ${all}`,
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

/** Claims due purchases of these operators under a lease: earlier claimants can no longer settle them. */
export const claimDue = async (
  db: Db,
  { now, leaseUntil, most }: Claim,
  operators: readonly number[],
): Promise<ClaimedDue> => {
  if (operators.length === 0) return readClaimed([]);
  const text = claimDueText(db)(most, operators.length);
  return readClaimed(await runText<PurchaseRow>(db, text, [now, ...operators, leaseUntil]));
};

const unclaimedText = sized(
  (repeat) => `select operator_id as id from purchases
  where due_at is not null and operator_id not in (${repeat('?')})
  group by operator_id having max(due_at) <= ?`,
);

/**
 * The operators, other than these, whose open purchases were all due by `since`. A claim moves the due time
 * ahead, so an operator that any instance claims from is not among them.
 */
export const findUnclaimed = async (
  db: Db,
  except: readonly number[],
  since: number,
): Promise<number[]> => {
  // There is no operator 0: a list must not be empty in SQL.
  const others = except.length === 0 ? [0] : except;
  const rows = await runText<{ id: number }>(db, unclaimedText(others.length), [...others, since]);
  return rows.map(({ id }) => id);
};

const claimOneText = `update purchases set fence = fence + 1, due_at = ?
  where client_id = ? and id = ? and due_at is not null and (state = 'unknown' or due_at <= ?)
  returning ${all}`;

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
  operatorId: number,
  times: { readonly now: number; readonly quietAt: number },
): Promise<void> => {
  const waitMs = times.quietAt - times.now;
  await runText(
    db,
    `update purchases set fence = fence + 1, due_at = ?, send_before = ?,
      quiet_at = ? + case when quiet_at - send_before > ? then quiet_at - send_before else ? end
      where due_at is not null and operator_id = ?`,
    [times.now, times.now, times.now, waitMs, waitMs, operatorId],
  );
};

const bringForwardText =
  'update purchases set due_at = ? where due_at is not null and due_at > ? and operator_id = ?';

/** Makes an operator's purchases due now if they are due later than the longest possible wait. */
export const bringForward = async (
  db: Db,
  operatorId: number,
  times: { readonly now: number; readonly furthest: number },
): Promise<void> => {
  await runText(db, bringForwardText, [times.now, times.furthest, operatorId]);
};
