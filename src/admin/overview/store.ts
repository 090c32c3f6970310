/** Holds the SQL of the overview's live data: open purchases, purchases that need review, and low balances. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
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

export type LowBalance = { readonly id: string; readonly name: string; readonly available: number };

/** Balances below a threshold, of active clients except test clients. There are hundreds of clients, not millions. */
const lowBalances = (db: Db, below: number) =>
  db
    .selectFrom('accounts')
    .innerJoin('clients', 'clients.id', 'accounts.client_id')
    .where('accounts.available', '<', below)
    .where('clients.status', '=', 'active')
    .where('clients.test', '=', 0);

export const countLowBalances = async (db: Db, below: number): Promise<number> => {
  const { clients } = await lowBalances(db, below)
    .select((select) => select.fn.countAll<number>().as('clients'))
    .executeTakeFirstOrThrow();
  return clients;
};

/** The lowest of them, or all. */
export const readLowBalances = (db: Db, below: number, limit?: number): Promise<LowBalance[]> =>
  lowBalances(db, below)
    .select(['clients.id', 'clients.name', 'accounts.available'])
    .orderBy('accounts.available')
    .orderBy('clients.id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();

export const hasClient = async (db: Db): Promise<boolean> =>
  (await runText(db, 'select 1 as one from clients where test = 0 limit 1', [])).length > 0;

/** Whether anything was ever sold. */
export const hasSale = async (db: Db): Promise<boolean> =>
  (await runText(db, 'select 1 as one from sales where sold > 0 limit 1', [])).length > 0;
