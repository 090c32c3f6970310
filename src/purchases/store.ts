/** Holds the SQL of purchases: written in batches, and found by key. */
import type { Committing } from '../db/committing.ts';
import { perEngine } from '../db/engine.ts';
import {
  type FollowingText,
  haveForm,
  insertRows,
  type RowsText,
  readRows,
  readSync,
  tableOf,
  type Write,
  writeWith,
} from '../db/statement.ts';
import type { ColumnTypes } from '../db/tables/columns.ts';
import type { Db } from '../db/types.ts';
import { factColumns } from './facts/facts.ts';
import type { Note, Purchase } from './purchase.ts';
import {
  attemptTypes,
  attemptValues,
  type PurchaseRow,
  progressTypes,
  progressValues,
  purchaseColumns,
  requestTypes,
  requestValues,
  toPurchase,
} from './rows.ts';

/** All columns of a purchase, for a statement. */
export const allColumns = purchaseColumns.join(', ');

/** Finds rows by two columns. */
const byPairText = (first: string, second: string, lock = ''): RowsText => ({
  one: `select ${allColumns} from purchases where ${first} = ? and ${second} = ?${lock}`,
  many: `select ${allColumns} from purchases where (${first}, ${second}) in (
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
  ...attemptTypes,
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
  ending: Partial<Committing> = {},
): Promise<boolean> => {
  if (purchases.length === 0) return true;
  const rows = purchases.map((one) => [
    ...requestValues(one),
    ...attemptValues(one),
    ...progressValues(one),
  ]);
  return writeWith(db, { text: insertText, rows }, following, ending);
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

const updateTextOf = (types: ColumnTypes): RowsText => ({
  one: `update purchases set ${Object.keys(types)
    .map((column) => `${column} = ?`)
    .join(', ')}
    where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ?
    and notes = ? and quiet_at = ?`,
  many: `update purchases set ${Object.keys(types)
    .map((column) => `${column} = next.${column}`)
    .join(', ')}
    from ${tableOf({ ...types, client_id: 'text', id: 'text', ...seenTypes })}
    where purchases.client_id = next.client_id and purchases.id = next.id
    and purchases.state = seen_state and purchases.fence = seen_fence
    and purchases.attempts = seen_attempts and purchases.inquiries = seen_inquiries
    and purchases.notes = seen_notes and purchases.quiet_at = seen_quiet_at`,
});

const updateText = updateTextOf(progressTypes);
/** For a batch in which some purchase goes to another supplier, or its supplier says what it costs. */
const updateWithAttemptText = updateTextOf({ ...progressTypes, ...attemptTypes });

/** A purchase as it was read, and as it will be. */
export type Moved = { readonly before: Purchase; readonly after: Purchase };

const hasNewAttempt = ({ before, after }: Moved): boolean =>
  before.supplierId !== after.supplierId || before.toldCost !== after.toldCost;

const movedValues = ({ before, after }: Moved, withAttempt: boolean): unknown[] => [
  ...progressValues(after),
  ...(withAttempt ? attemptValues(after) : []),
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
  ending: Partial<Committing> = {},
): Promise<boolean> => {
  if (moved.length === 0) return true;
  const withAttempt = moved.some(hasNewAttempt);
  const text = withAttempt ? updateWithAttemptText : updateText;
  return writeWith(
    db,
    { text, rows: moved.map((one) => movedValues(one, withAttempt)) },
    following,
    ending,
  );
};

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
