/** Holds the SQL of clients' contacts and notes, and counts their purchases by outcome. */
import { runText } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type ContactRow = Tables['client_contacts'];
export type NoteRow = Tables['client_notes'];

const contactColumns = columnsOf('client_contacts');
const noteColumns = columnsOf('client_notes');

export const findContact = async (db: Db, clientId: string): Promise<ContactRow | undefined> =>
  db
    .selectFrom('client_contacts')
    .select(contactColumns)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

/** Within a transaction that has locked the client. */
export const upsertContact = async (db: Db, row: ContactRow): Promise<void> => {
  const { client_id: _, ...contact } = row;
  await db
    .insertInto('client_contacts')
    .values(row)
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(contact))
    .execute();
};

/** Rows are added and never changed. */
export const insertNote = async (db: Db, row: NoteRow): Promise<void> => {
  await db.insertInto('client_notes').values(row).execute();
};

/** The newest first. */
export const listNotes = async (
  db: Db,
  clientId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<NoteRow[]> => {
  let query = db.selectFrom('client_notes').select(noteColumns).where('client_id', '=', clientId);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
};

/** More are not counted: a client with so many is no longer read by the figure. */
export const mostOutcomes = 10_000;

// Literals rather than parameters: otherwise SQLite would not use the index of these states.
const countText = (state: 'failed' | 'refused'): string => `(select count(*) from (
  select 1 from purchases where client_id = ? and state = '${state}' and id >= ? and id < ?
  limit ${mostOutcomes}) as counted)`;

const outcomesText = `select ${countText('failed')} as failed, ${countText('refused')} as refused`;

export type Outcomes = { readonly failed: number; readonly refused: number };

/** A client's purchases that ended without a sale, by the range of their ids, each up to the limit. */
export const countOutcomes = async (
  db: Db,
  clientId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Outcomes> => {
  const range = [clientId, from, to];
  const [row] = await runText<Outcomes>(db, outcomesText, [...range, ...range]);
  return row ?? { failed: 0, refused: 0 };
};
