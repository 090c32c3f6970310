/** Holds the SQL of restores: their state, and what operators reported for the time that is missing. */
import { bumpVersion } from '../../db/changes/versions.ts';
import { runText, sized } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { perKey } from '../../lib/memo.ts';
import { leftIn, supplierIn } from '../rows.ts';
import { type AskFact, askColumns } from './asked.ts';

export type Restore = Tables['restores'];
export type AskedOperator = Tables['restore_operators'];
export type Forgotten = Tables['forgotten'];

/** The result of asking an operator. */
export type AskResult = { readonly state: AskedOperator['state']; readonly fact: AskFact };

const restoreColumns = columnsOf('restores');

const forgottenColumns = columnsOf('forgotten');

// Polled while the gate is closed. SQLite plans a statement again whenever its limit is bound.
const lastRestore = `select ${restoreColumns.join(', ')} from restores order by seq desc limit 1`;

/**
 * The last restore, or undefined if there was none. Opening it opens all before it: it counts as closed while
 * any is.
 */
export const findRestore = async (db: Db): Promise<Restore | undefined> => {
  const [restore] = await runText<Restore>(db, lastRestore, []);
  return restore;
};

const operatorsText = `select ${columnsOf('restore_operators').join(', ')} from restore_operators
  where restore_id = ? order by operator_id`;

export const readOperators = (db: Db, restoreId: string): Promise<AskedOperator[]> =>
  runText<AskedOperator>(db, operatorsText, [restoreId]);

/** The cursor to ask from: a restore that was never opened passes its own on. */
const cursorsIn = async (db: Db): Promise<Map<number, string>> => {
  const before = await findRestore(db);
  const rows =
    before === undefined || before.opened_at !== null
      ? await db
          .selectFrom('operator_reports')
          .select(['operator_id', 'cursor'])
          // The simulated operators of test clients have sold nothing.
          .where('operator_id', '>', 0)
          .execute()
      : await readOperators(db, before.id);
  return new Map(rows.map((row) => [row.operator_id, row.cursor]));
};

/** Remembers the operators that may sell from here, also those that never report: a restore asks them all. */
export const rememberOperators = async (db: Db, operatorIds: readonly number[]): Promise<void> => {
  if (operatorIds.length === 0) return;
  await db
    .insertInto('operator_reports')
    .values(operatorIds.map((operator_id) => ({ operator_id, cursor: '' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** From the daily sums: the purchases themselves may be too many to read during downtime. */
const operatorsThatSold = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('stats')
    .select('operator_id')
    .distinct()
    .where('span', '=', 'day')
    .where('operator_id', '>', 0)
    .where('begun', '>', 0)
    .execute();
  return rows.map(({ operator_id }) => operator_id);
};

const waiting = {
  state: 'waiting',
  asked_at: null,
  ...askColumns({ code: 'not_asked_yet', values: {} }),
} as const;

const nextSeq = async (db: Db): Promise<number> => {
  const { last } = await db
    .selectFrom('restores')
    .select((eb) => eb.fn.max('seq').as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
};

/** The time by which everything open has begun; it tolerates a clock step of an hour. */
const lastBeginning = async (db: Db): Promise<number | null> => {
  const { last } = await db
    .selectFrom('purchases')
    .select((eb) => eb.fn.max('began_at').as('last'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return last;
};

/**
 * Counts reports of unknown orders as lost by the database: they may have been read before the loss was
 * noticed. Those of an earlier restore were decided with it.
 */
const unmatchedText = `insert into forgotten
    (restore_id, operator_id, ref, kind, at, mobile, amount, found_at)
  select cast(? as text), operator_id, ref, kind, coalesce(at, found_at), mobile, amount, found_at
  from unmatched_reports one where not exists (
    select 1 from forgotten where operator_id = one.operator_id and ref = one.ref)
  and not exists (select 1 from purchases where id = one.ref)`;

export type NewRestore = Pick<Restore, 'id' | 'at'> & Partial<Pick<Restore, 'cause' | 'changed'>>;

/**
 * Marks a database as restored: nothing new is sold until it is opened. Belongs in the caller's transaction.
 */
export const insertRestore = async (
  db: Db,
  { id, at, cause = 'backup', changed = null }: NewRestore,
): Promise<Restore> => {
  const cursors = await cursorsIn(db);
  const operators = new Set([...cursors.keys(), ...(await operatorsThatSold(db))]);
  const restore = { id, at, cause, changed, seq: await nextSeq(db) };
  const open_before = await lastBeginning(db);
  const began_before = cause === 'place_changed' ? null : open_before;
  const made = { ...restore, began_before, open_before, opened_at: null, opened_by: null };
  await db.insertInto('restores').values(made).execute();
  for (const operator_id of operators) {
    const cursor = cursors.get(operator_id) ?? '';
    const row = { restore_id: restore.id, operator_id, cursor, ...waiting };
    await db.insertInto('restore_operators').values(row).execute();
  }
  // A changed place is noticed before it is read, and a backup is marked before it is used.
  if (changed === null && cause !== 'backup') await runText(db, unmatchedText, [id]);
  await bumpVersion(db, 'restores', () => `${id} closed`);
  return made;
};

/** Adds an operator that the backup did not know: it may have sold since. */
export const addOperator = async (
  db: Db,
  restoreId: string,
  operatorId: number,
): Promise<AskedOperator> => {
  const row = { restore_id: restoreId, operator_id: operatorId, cursor: '', ...waiting };
  await db
    .insertInto('restore_operators')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return row;
};

/** Asks those again that could not answer: their configuration may have changed since. */
export const askSilentAgain = async (db: Db, restoreId: string): Promise<void> => {
  await db
    .updateTable('restore_operators')
    .set(waiting)
    .where('restore_id', '=', restoreId)
    .where('state', '=', 'silent')
    .execute();
};

export const updateOperator = async (
  db: Db,
  { restore_id, operator_id }: Pick<AskedOperator, 'restore_id' | 'operator_id'>,
  { fact, ...change }: AskResult & Pick<AskedOperator, 'asked_at'>,
): Promise<void> => {
  await db
    .updateTable('restore_operators')
    .set({ ...change, ...askColumns(fact) })
    .where('restore_id', '=', restore_id)
    .where('operator_id', '=', operator_id)
    // Another instance's answer stands.
    .where('state', '<>', 'told')
    .execute();
};

type KnownRow = Pick<
  Tables['purchases'],
  'id' | 'state' | 'supplier_id' | 'operator_id' | 'left_suppliers'
>;

const knownText = sized(
  (repeat) => `select id, state, supplier_id, operator_id, left_suppliers from purchases
  where id in (${repeat('?')})`,
);

/** The references of purchases here that this supplier has had. */
export const knownRefs = async (
  db: Db,
  supplierId: number,
  refs: readonly string[],
): Promise<Set<string>> => {
  if (refs.length === 0) return new Set();
  const rows = await runText<KnownRow>(db, knownText(refs.length), refs);
  const known = rows.filter(
    (row) => supplierIn(row) === supplierId || leftIn(row.left_suppliers).includes(supplierId),
  );
  return new Set(known.map(({ id }) => id));
};

/** Stores what was not known before, and returns what is new. */
export const insertForgotten = async (
  db: Db,
  rows: readonly Forgotten[],
): Promise<readonly Forgotten[]> => {
  if (rows.length === 0) return [];
  return db
    .insertInto('forgotten')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(forgottenColumns)
    .execute();
};

/** Stores what an instance saw committed and the database lacks, with its key. */
export const insertHeld = async (db: Db, rows: readonly Forgotten[]): Promise<void> => {
  for (const row of rows) {
    const { client_id, idempotency_key } = row;
    await db
      .insertInto('forgotten')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['restore_id', 'operator_id', 'ref', 'kind'])
          .doUpdateSet({ client_id, idempotency_key }),
      )
      .execute();
  }
};

/** What is forgotten of the restores that one covers: itself, and earlier ones that open only with it. */
const textsOfForgotten = (opened: string) => {
  const of = `from forgotten where restore_id in (
    select id from restores where seq <= ? and opened_at ${opened})`;
  return {
    count: `select count(distinct ref) as total ${of}`,
    list: perKey(
      (limit: number) =>
        `select ${forgottenColumns.join(', ')} ${of} order by at, ref, kind limit ${limit}`,
    ),
  };
};

const ofClosed = textsOfForgotten('is null');
const ofOpened = textsOfForgotten('= ?');

export const listForgotten = (
  db: Db,
  { seq, opened_at }: Restore,
  limit: number,
): Promise<Forgotten[]> =>
  opened_at === null
    ? runText<Forgotten>(db, ofClosed.list(limit), [seq])
    : runText<Forgotten>(db, ofOpened.list(limit), [seq, opened_at]);

/** How many purchases the operators know and the database does not. */
export const countForgotten = async (db: Db, { seq, opened_at }: Restore): Promise<number> => {
  const [row] =
    opened_at === null
      ? await runText<{ total: number }>(db, ofClosed.count, [seq])
      : await runText<{ total: number }>(db, ofOpened.count, [seq, opened_at]);
  return row?.total ?? 0;
};

/** Turns a changed place into a loss. */
export const updateCause = async (
  db: Db,
  { id }: Pick<Restore, 'id'>,
  cause: Restore['cause'],
): Promise<void> => {
  const began_before = await lastBeginning(db);
  await db.updateTable('restores').set({ cause, began_before }).where('id', '=', id).execute();
  await bumpVersion(db, 'restores', () => `${id} ${cause}`);
};

/**
 * Lets the database sell again; false if it already does. Opens earlier restores too: its operators were
 * asked from their cursors.
 */
export const openRestore = async (
  db: Db,
  { id, seq }: Pick<Restore, 'id' | 'seq'>,
  opening: { readonly at: number; readonly by: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('restores')
    .set({ opened_at: opening.at, opened_by: opening.by })
    .where('seq', '<=', seq)
    .where('opened_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await bumpVersion(db, 'restores', () => `${id} opened`);
  return true;
};
