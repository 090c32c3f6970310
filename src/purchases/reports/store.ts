/** Holds the SQL of reports: which purchases they concern, and how far they have been read. */
import type { Report } from '../../connector/connector.ts';
import { placeholders, runText, sized } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import type { FactCode } from '../facts/facts.ts';
import type { Purchase } from '../purchase.ts';
import { leftIn, supplierIn } from '../rows.ts';
import type { PurchaseName } from '../store.ts';

/** The states in which a report of that kind changes nothing. */
const unconcerned: Readonly<Record<Report['kind'], readonly Purchase['state'][]>> = {
  delivered: ['refused', 'succeeded', 'reversed'],
  reversed: ['refused', 'failed', 'reversed'],
};

type FoundRow = Pick<
  Tables['purchases'],
  'state' | 'disputed' | 'due_at' | 'supplier_id' | 'operator_id' | 'left_suppliers' | 'notes'
> &
  PurchaseName;

const foundText = sized(
  (repeat) => `select client_id as "clientId", id, state, notes, disputed, due_at, supplier_id,
    operator_id, left_suppliers from purchases where id in (${repeat('?')})`,
);

/** A purchase that a report concerns, and how many notes it had. */
export type Concerned = PurchaseName & Pick<Purchase, 'state' | 'notes'>;

/** A supplier's report about a purchase; undefined if it changes nothing. */
const concernOf = (row: FoundRow, { kind, supplierId }: ReportsOf): Concerned | undefined => {
  const { clientId, id, state, notes } = row;
  const isDisputed = row.disputed !== null;
  if (leftIn(row.left_suppliers).includes(supplierId)) {
    const isOfDelivery = row.disputed === ('left_delivered' satisfies FactCode);
    const concerns = kind === 'delivered' || isOfDelivery || state === 'review';
    return concerns ? { clientId, id, state, notes } : undefined;
  }
  if (supplierIn(row) !== supplierId || unconcerned[kind].includes(state)) return undefined;
  // An open purchase is disputed by what another supplier delivered.
  if (isDisputed && row.due_at === null && state === 'failed') return undefined;
  return { clientId, id, state, notes };
};

/** Reports of one kind, of one supplier. */
type ReportsOf = { readonly kind: Report['kind']; readonly supplierId: number };

/** The purchases that a supplier's reports concern, of any client. */
export const findUnsettledBy = async (
  db: Db,
  of: ReportsOf,
  ids: readonly string[],
): Promise<Concerned[]> => {
  if (ids.length === 0) return [];
  const rows = await runText<FoundRow>(db, foundText(ids.length), ids);
  return rows.flatMap((row) => concernOf(row, of) ?? []);
};

/** A purchase that its current supplier has delivered. */
export type Delivered = PurchaseName &
  Pick<Purchase, 'notes' | 'trace'> & {
    /** Whether that supplier got its order more than once. */
    readonly isOrderedAgain: boolean;
  };

type DeliveredRow = Pick<Tables['purchases'], 'left_suppliers' | 'attempts' | 'notes' | 'trace'> &
  PurchaseName;

const deliveredText = sized(
  (repeat) => `select client_id as "clientId", id, attempts, notes, trace, left_suppliers
    from purchases where supplier_id = ? and state = 'succeeded' and id in (${repeat('?')})`,
);

/** Which of these purchases a supplier has delivered, as their current one. */
export const findDelivered = async (
  db: Db,
  supplierId: number,
  ids: readonly string[],
): Promise<Delivered[]> => {
  if (ids.length === 0) return [];
  const rows = await runText<DeliveredRow>(db, deliveredText(ids.length), [supplierId, ...ids]);
  return rows.map(({ left_suppliers, attempts, ...row }) => ({
    ...row,
    isOrderedAgain: attempts > leftIn(left_suppliers).length + 1,
  }));
};

const readCursorText = 'select cursor from operator_reports where operator_id = ?';

export const readCursor = async (db: Db, operatorId: number): Promise<string> => {
  const [row] = await runText<{ cursor: string }>(db, readCursorText, [operatorId]);
  return row?.cursor ?? '';
};

const saveCursorText = `insert into operator_reports (operator_id, cursor) values (?, ?)
  on conflict (operator_id) do update set cursor = excluded.cursor
  where operator_reports.cursor = ? returning cursor`;

/** Advances the cursor from where it was read; false if another server has moved it. */
export const saveCursor = async (
  db: Db,
  operatorId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> => (await runText(db, saveCursorText, [operatorId, to, from])).length > 0;

export type UnmatchedReport = Tables['unmatched_reports'];

const unmatchedColumns = columnsOf('unmatched_reports');

const insertUnmatchedText = sized((repeat) => {
  const columns = unmatchedColumns.join(', ');
  return `insert into unmatched_reports (${columns})
  values ${repeat(placeholders(unmatchedColumns.length))}
  on conflict do nothing returning ${columns}`;
});

/** Stores reports of unknown orders in one statement, and returns the new ones. */
export const insertUnmatched = (
  db: Db,
  rows: readonly UnmatchedReport[],
): Promise<UnmatchedReport[]> =>
  runText<UnmatchedReport>(
    db,
    insertUnmatchedText(rows.length),
    rows.flatMap((row) => unmatchedColumns.map((column) => row[column])),
  );

const dropOldUnmatchedText = `delete from unmatched_reports where operator_id = ? and found_at < (
    select found_at from unmatched_reports where operator_id = ?
    order by found_at desc limit 1 offset ?)`;

/** Deletes an operator's oldest, beyond this many. */
export const dropOldUnmatched = async (db: Db, operatorId: number, most: number): Promise<void> => {
  await runText(db, dropOldUnmatchedText, [operatorId, operatorId, most - 1]);
};

/** The newest reports of unknown orders. What a restored database lacks is listed with the restore. */
export const listUnmatched = async (
  db: Db,
  { operatorId, limit }: { readonly operatorId: number | undefined; readonly limit: number },
): Promise<UnmatchedReport[]> => {
  const all = db
    .selectFrom('unmatched_reports')
    .select(unmatchedColumns)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('forgotten')
            .select('forgotten.ref')
            .whereRef('forgotten.operator_id', '=', 'unmatched_reports.operator_id')
            .whereRef('forgotten.ref', '=', 'unmatched_reports.ref'),
        ),
      ),
    );
  const wanted = operatorId === undefined ? all : all.where('operator_id', '=', operatorId);
  return wanted
    .orderBy('found_at', 'desc')
    .orderBy('operator_id')
    .orderBy('ref')
    .orderBy('kind')
    .limit(limit)
    .execute();
};
