/** Holds the SQL of the overview's live data: open purchases, purchases that need review, low balances, used credit. */
import { sql } from 'kysely';
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { spendable } from '../../ledger/posting.ts';
import { notTest } from '../../purchases/rows.ts';

export type LiveFigures = {
  readonly pending: number;
  readonly review: number;
  readonly pendingOldestAt: number | null;
  readonly reviewOldestAt: number | null;
  readonly reviewNewestAt: number | null;
};

// If more are open than this, an operator is down, and the oldest of those due first is old enough.
const oldestAmong = 10_000;

// Each condition is that of a partial index, word for word: only its few rows are read.
export const pendingText = `select count(*) as purchases from purchases
  where due_at is not null and ${notTest}`;
export const oldestText = `select min(began_at) as oldest from (
  select began_at from purchases where due_at is not null and ${notTest} order by due_at limit ${oldestAmong}
) as due`;
export const reviewText = `select count(*) as purchases, min(began_at) as oldest, max(began_at) as newest
  from purchases where (state = 'review' or disputed is not null) and ${notTest}`;

type Counted = {
  readonly purchases: number;
  readonly oldest: number | null;
  readonly newest: number | null;
};

export const readLive = async (db: Db): Promise<LiveFigures> => {
  const [pending] = await runText<Pick<Counted, 'purchases'>>(db, pendingText, []);
  const [due] = await runText<Pick<Counted, 'oldest'>>(db, oldestText, []);
  const [review] = await runText<Counted>(db, reviewText, []);
  return {
    pending: pending?.purchases ?? 0,
    review: review?.purchases ?? 0,
    pendingOldestAt: due?.oldest ?? null,
    reviewOldestAt: review?.oldest ?? null,
    reviewNewestAt: review?.newest ?? null,
  };
};

export type NamedClient = { readonly id: string; readonly name: string };
export type LowBalance = NamedClient & { readonly available: number };

/** What a client can spend; below zero where its limit was lowered below what is used. */
const funds = sql<number>`(accounts.available + accounts.credit_limit)`;

/** Active clients except test clients. There are hundreds of clients, not millions. */
const selling = (db: Db) =>
  db
    .selectFrom('accounts')
    .innerJoin('clients', 'clients.id', 'accounts.client_id')
    .where('clients.status', '=', 'active')
    .where('clients.test', '=', 0);

const lowBalances = (db: Db, below: number) => selling(db).where(funds, '<', below);

export const countLowBalances = async (db: Db, below: number): Promise<number> => {
  const { clients } = await lowBalances(db, below)
    .select((select) => select.fn.countAll<number>().as('clients'))
    .executeTakeFirstOrThrow();
  return clients;
};

/** The lowest of them, or all. */
export const readLowBalances = async (
  db: Db,
  below: number,
  limit?: number,
): Promise<LowBalance[]> => {
  const rows = await lowBalances(db, below)
    .select(['clients.id', 'clients.name', 'accounts.available', 'accounts.credit_limit as credit'])
    .orderBy(funds)
    .orderBy('clients.id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(({ id, name, ...account }) => ({ id, name, available: spendable(account) }));
};

/** Clients that use credit, and how: all of it or more, or at least nine tenths. */
export type CreditUse = {
  readonly usedUp: readonly NamedClient[];
  readonly nearly: readonly NamedClient[];
};

/** Those with the least left come first. */
export const readCreditUse = async (db: Db): Promise<CreditUse> => {
  const rows = await selling(db)
    .where('accounts.available', '<', 0)
    .where(sql<boolean>`${funds} * 10 <= accounts.credit_limit`)
    .select(['clients.id', 'clients.name', funds.as('left')])
    .orderBy(funds)
    .orderBy('clients.id')
    .execute();
  const named = (some: typeof rows): NamedClient[] => some.map(({ id, name }) => ({ id, name }));
  return {
    usedUp: named(rows.filter(({ left }) => left <= 0)),
    nearly: named(rows.filter(({ left }) => left > 0)),
  };
};

export const hasClient = async (db: Db): Promise<boolean> =>
  (await runText(db, 'select 1 as one from clients where test = 0 limit 1', [])).length > 0;

/** Whether anything was ever sold. */
export const hasSale = async (db: Db): Promise<boolean> =>
  (await runText(db, 'select 1 as one from sales where sold > 0 limit 1', [])).length > 0;
