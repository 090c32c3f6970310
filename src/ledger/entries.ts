/** Runs the SQL of statements: a client's postings by their numbers. */
import { runText } from '../db/statement.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';

/** A posting as its client may see it. */
export type Entry = Omit<Tables['postings'], 'cost' | 'supplier_id' | 'supplier_balance'>;

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

const shownColumns = `postings.client_id, postings.seq, postings.kind, from_account, to_account,
    postings.amount, available_after, held_after, purchase_id, note, at,
    purchases.amount as price, coalesce(purchases.charged_amount, purchases.amount) as charged`;

const withPurchase = `from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = purchase_id`;

const entriesText = `select ${shownColumns} ${withPurchase}
  where postings.client_id = ? and seq > ? and seq <= ? order by seq`;

/** The postings with numbers above one and up to another, in order. */
export const readEntries = async (
  db: Db,
  clientId: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<StatementEntry[]> => runText<StatementEntry>(db, entriesText, [clientId, after, upTo]);

/** An entry with what was bought, for the people of the company. */
export type RecentEntry = StatementEntry & {
  readonly product_id: number | null;
  readonly mobile: string | null;
};

const recentText = (holds: boolean): string => `select ${shownColumns},
    purchases.product_id as product_id, purchases.mobile as mobile ${withPurchase}
  where postings.client_id = ? and seq > ? and seq < ?
  ${holds ? '' : "and postings.kind not in ('hold', 'release')"}
  order by seq desc limit ?`;

const [recent, recentWithHolds] = [recentText(false), recentText(true)];

export type RecentOf = {
  /** The numbers above one, and below another. */
  readonly after: number;
  readonly before: number;
  /** Whether what is held and released counts: it leaves the balance as it is. */
  readonly holds: boolean;
  readonly limit: number;
};

/** The last postings of a span, the newest first. */
export const readRecent = async (
  db: Db,
  clientId: string,
  { after, before, holds, limit }: RecentOf,
): Promise<RecentEntry[]> =>
  runText<RecentEntry>(db, holds ? recentWithHolds : recent, [clientId, after, before, limit]);
