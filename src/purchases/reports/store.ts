/** The SQL of reports: which purchases they concern, and how far they are read. */
import type { Db } from '../../lib/db.ts';
import { runText, sized } from '../../lib/db-statement.ts';
import type { Purchase } from '../purchase.ts';
import type { PurchaseName } from '../store.ts';

/** In which states a report of that kind still changes something. */
const concerned = {
  delivered: `('held', 'submitted', 'unknown', 'review', 'failed')`,
  reversed: `('held', 'submitted', 'unknown', 'review', 'succeeded')`,
} as const;

const concernedText = (kind: keyof typeof concerned) =>
  sized(
    (repeat) => `select client_id as "clientId", id, state, notes from purchases
      where state in ${concerned[kind]} and disputed is null and id in (${repeat('?')})`,
  );

const concernedTexts = {
  delivered: concernedText('delivered'),
  reversed: concernedText('reversed'),
} as const;

/** A purchase that a report concerns, and how many notes it had. */
export type Concerned = PurchaseName & Pick<Purchase, 'state' | 'notes'>;

/** Those of the ids that a report concerns, of whichever client. */
export const findUnsettledBy = async (
  db: Db,
  kind: 'delivered' | 'reversed',
  ids: readonly string[],
): Promise<Concerned[]> =>
  ids.length === 0 ? [] : runText<Concerned>(db, concernedTexts[kind](ids.length), ids);

const readCursorText = 'select cursor from operator_reports where operator_id = ?';

export const readCursor = async (db: Db, operatorId: number): Promise<string> => {
  const [row] = await runText<{ cursor: string }>(db, readCursorText, [operatorId]);
  return row?.cursor ?? '';
};

const saveCursorText = `insert into operator_reports (operator_id, cursor) values (?, ?)
  on conflict (operator_id) do update set cursor = excluded.cursor
  where operator_reports.cursor = ? returning cursor`;

/** Moves the cursor on from where it was read; false where another server has moved it meanwhile. */
export const saveCursor = async (
  db: Db,
  operatorId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> => (await runText(db, saveCursorText, [operatorId, to, from])).length > 0;
