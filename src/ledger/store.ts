/** Runs the ledger's SQL: accounts and append-only postings. */
import { perEngine } from '../db/engine.ts';
import {
  allWritten,
  type FollowingText,
  haveForm,
  insertRows,
  type RowsText,
  readRows,
  readSync,
  runText,
  tableOf,
  type Write,
  writeWith,
} from '../db/statement.ts';
import { columnTypesOf } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { perKey } from '../lib/memo.ts';
import {
  type Account,
  type Balance,
  emptyAccount,
  LedgerError,
  movementOf,
  type Posting,
  post,
  spendable,
} from './posting.ts';

export const openAccount = async (db: Db, clientId: string): Promise<void> => {
  await db
    .insertInto('accounts')
    .values({ client_id: clientId, available: 0, held: 0, seq: 0, credit_limit: 0 })
    .execute();
};

const accountText =
  'select available, held, seq, credit_limit as credit from accounts where client_id = ?';

export const readAccount = async (db: Db, clientId: string): Promise<Account | undefined> => {
  const [account] = await runText<Account>(db, accountText, [clientId]);
  return account;
};

/** What a client can spend; synchronously if the database allows it. */
export const readSpendable = (db: Db, clientId: string): number | Promise<number> => {
  const rows = readSync(db, accountText, [clientId]);
  if (rows !== undefined && haveForm<Account>(rows)) return spendable(rows[0] ?? emptyAccount);
  return readAccount(db, clientId).then((account) => spendable(account ?? emptyAccount));
};

/** What a restore forbids, at that moment: see `Books`. */
const restoreColumns = `exists (select 1 from restores where opened_at is null) as closed,
    (select max(began_before) from restores) as lost_before,
    (select max(open_before) from restores) as open_before`;

const versionColumns = `(select version from versions where name = 'routes') as routes,
    (select version from versions where name = 'prices') as prices`;

/** One lock order everywhere, which prevents deadlocks. */
const lockingText = (select: string, wait: string, lock: string): RowsText => ({
  one: `${select} from accounts where client_id = ?${wait}${lock}`,
  many: `${select} from accounts where client_id = any(cast(? as text[]))${wait} order by client_id${lock}`,
});

const lockTexts = perEngine(({ lockRows, waitAtMost, now, signature }) => {
  const place = signature === undefined ? '' : `, ${signature} as signature`;
  const select = `select client_id, available, held, seq, credit_limit${now === undefined ? '' : `, ${now} as now`}${place},
    ${restoreColumns}, ${versionColumns}`;
  return perKey((waitMs: number | undefined) => lockingText(select, waitAtMost(waitMs), lockRows));
});

// The time is the last value: it is known only when all are written.
const { at: _, ...typesBeforeAt } = columnTypesOf('postings');
const insertText = insertRows('postings', '', { ...typesBeforeAt, at: 'bigint' });

const saveMany = (where: string): string => `insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from ${tableOf({ available: 'bigint', held: 'bigint', seq: 'bigint', client_id: 'text' })}${where}
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq`;

const saveText: FollowingText = {
  one: 'update accounts set available = ?, held = ?, seq = ? where client_id = ?',
  many: saveMany(''),
  following: saveMany(allWritten),
};

/** A posting without its time, and the balances after it. */
const valuesOf = (clientId: string, posting: Posting, { available, held, seq }: Account) => {
  const { from, to, amount } = movementOf(posting);
  const purchaseId = 'purchaseId' in posting ? posting.purchaseId : null;
  const note = 'note' in posting ? posting.note : null;
  const cost = 'cost' in posting ? (posting.cost ?? null) : null;
  const supplierId = 'supplierId' in posting ? (posting.supplierId ?? null) : null;
  const supplierBalance = 'supplierBalance' in posting ? (posting.supplierBalance ?? null) : null;
  return [
    clientId,
    seq,
    posting.kind,
    from,
    to,
    amount,
    available,
    held,
    purchaseId,
    note,
    cost,
    supplierId,
    supplierBalance,
  ];
};

/** Within a transaction: locks some clients' accounts until it ends. */
export type Books = {
  /** The database's time when they were locked; undefined if the one server's clock counts. */
  readonly now: number | undefined;
  /** Of the database's place: see `EngineSql`. Undefined for a file. */
  readonly signature: string | undefined;
  /** Whether a restore is still closed: then nothing is ordered. */
  readonly closed: boolean;
  /** Purchases begun up to this time are never ordered again; null if no restore has lost anything. */
  readonly lostBefore: number | null;
  /** A lost part may hold further attempts of purchases begun up to this time; null if there was no restore. */
  readonly openBefore: number | null;
  /** The version of the routes in force; undefined for unknown clients. */
  readonly routes: string | undefined;
  /** The version of the price lists in force; undefined for unknown clients. */
  readonly prices: string | undefined;
  /** A client's account, including this transaction's postings; throws for an unknown client. */
  readonly account: (clientId: string) => Account;
  /** Posts, or throws without an effect. */
  readonly post: (clientId: string, posting: Posting) => Account;
  /** The postings to write. */
  readonly writes: (
    at: number,
  ) => readonly [postings: Write<FollowingText>, accounts: Write<FollowingText>];
};

type BooksRow = Balance & {
  client_id: string;
  credit_limit: number;
  now?: number;
  signature?: string;
  closed: number | boolean;
  lost_before: number | null;
  open_before: number | null;
  routes: string;
  prices: string;
};

/**
 * Locks the accounts of clients. With `waitMs` PostgreSQL limits each wait for a lock, for the rest of the
 * transaction.
 */
export const lockBooks = async (
  db: Db,
  clientIds: Iterable<string>,
  waitMs?: number,
): Promise<Books> => {
  const sorted = [...new Set(clientIds)].sort();
  const rows = await readRows<BooksRow>(
    db,
    lockTexts(db)(waitMs),
    sorted.map((id) => [id]),
  );
  const accounts = new Map(
    rows.map(({ client_id, available, held, seq, credit_limit: credit }) => [
      client_id,
      { available, held, seq, credit },
    ]),
  );
  const posted: unknown[][] = [];
  const touched = new Set<string>();

  const account = (clientId: string): Account => {
    const found = accounts.get(clientId);
    if (found === undefined) throw new LedgerError(`There is no account of client ${clientId}.`);
    return found;
  };

  return {
    now: rows[0]?.now,
    signature: rows[0]?.signature,
    closed: Boolean(rows[0]?.closed),
    lostBefore: rows[0]?.lost_before ?? null,
    openBefore: rows[0]?.open_before ?? null,
    routes: rows[0]?.routes,
    prices: rows[0]?.prices,
    account,
    post: (clientId, posting) => {
      const after = post(account(clientId), posting);
      posted.push(valuesOf(clientId, posting, after));
      accounts.set(clientId, after);
      touched.add(clientId);
      return after;
    },
    writes: (at) => {
      const saved = [...touched].map((id) => {
        const { available, held, seq } = account(id);
        return [available, held, seq, id];
      });
      return [
        { text: insertText, rows: posted.map((row) => [...row, at]) },
        { text: saveText, rows: saved },
      ];
    },
  };
};

const lockFreeTexts = perEngine(({ lockFreeRows, waitAtMost }) =>
  perKey((waitMs: number | undefined) =>
    lockingText('select client_id', waitAtMost(waitMs), lockFreeRows),
  ),
);

/**
 * Locks the accounts that no other transaction has locked, without waiting, and returns their clients. An
 * account that does not exist is not among them either.
 */
export const lockFreeAccounts = async (
  db: Db,
  clientIds: Iterable<string>,
  waitMs?: number,
): Promise<ReadonlySet<string>> => {
  const values = [...new Set(clientIds)].sort().map((id) => [id]);
  const rows = await readRows<{ client_id: string }>(db, lockFreeTexts(db)(waitMs), values);
  return new Set(rows.map(({ client_id }) => client_id));
};

/** Writes postings to one client's account, in order. Belongs in the caller's transaction. */
export const writePostings = async (
  db: Db,
  clientId: string,
  postings: readonly Posting[],
  at: number,
): Promise<Account> => {
  const books = await lockBooks(db, [clientId]);
  for (const posting of postings) books.post(clientId, posting);
  const [written, accounts] = books.writes(at);
  if (postings.length > 0) await writeWith(db, written, [accounts]);
  return books.account(clientId);
};

/** An account before and after a posting, and when that was. */
export type Posted = { readonly before: Account; readonly after: Account; readonly at: number };

/** Writes one posting, at the database's time if it has its own. Belongs in the caller's transaction. */
export const writePosting = async (
  db: Db,
  clientId: string,
  posting: Posting,
  now: number,
): Promise<Posted> => {
  const books = await lockBooks(db, [clientId]);
  const at = books.now ?? now;
  const before = books.account(clientId);
  const after = books.post(clientId, posting);
  const [written, accounts] = books.writes(at);
  await writeWith(db, written, [accounts]);
  return { before, after, at };
};
