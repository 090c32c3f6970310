/** Runs the SQL of statements: a client's postings by their numbers. */
import { runText } from '../db/statement.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';

/** A posting as its client may see it. */
export type Entry = Omit<Tables['postings'], 'cost' | 'supplier_id'>;

const entryColumns = `client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
  purchase_id, note, at`;

const entryText = `select ${entryColumns} from postings where client_id = ? and seq = ?`;

export const readEntry = async (
  db: Db,
  clientId: string,
  seq: number,
): Promise<Entry | undefined> => {
  const [entry] = await runText<Entry>(db, entryText, [clientId, seq]);
  return entry;
};

/** A posting in a statement: with the price of its purchase, and what that charges. */
export type StatementEntry = Entry & {
  /** Null without a purchase. */
  readonly price: number | null;
  readonly charged: number | null;
};

const entriesText = `select postings.client_id, postings.seq, postings.kind, from_account, to_account,
    postings.amount, available_after, held_after, purchase_id, note, at,
    purchases.amount as price, coalesce(purchases.charged_amount, purchases.amount) as charged
  from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = purchase_id
  where postings.client_id = ? and seq > ? and seq <= ? order by seq`;

/** The postings with numbers above one and up to another, in order. */
export const readEntries = async (
  db: Db,
  clientId: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<StatementEntry[]> => runText<StatementEntry>(db, entriesText, [clientId, after, upTo]);
