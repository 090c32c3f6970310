/** Holds the SQL of the overview's live data: open purchases, purchases that need review, and low balances. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';

export type LiveFigures = {
  readonly pending: number;
  readonly review: number;
  readonly pendingOldestAt: number | null;
  readonly reviewOldestAt: number | null;
};

// If more are open than this, an operator is down, and the oldest of those due first is old enough.
const oldestAmong = 10_000;

// Each condition is that of a partial index, word for word: only its few rows are read.
export const pendingText = `select count(*) as purchases from purchases where due_at is not null`;
export const oldestText = `select min(began_at) as oldest from (
  select began_at from purchases where due_at is not null order by due_at limit ${oldestAmong}
) as due`;
export const reviewText = `select count(*) as purchases, min(began_at) as oldest
  from purchases where state = 'review' or disputed is not null`;

type Counted = { readonly purchases: number; readonly oldest: number | null };

export const readLive = async (db: Db): Promise<LiveFigures> => {
  const [pending] = await runText<Pick<Counted, 'purchases'>>(db, pendingText, []);
  const [due] = await runText<Pick<Counted, 'oldest'>>(db, oldestText, []);
  const [review] = await runText<Counted>(db, reviewText, []);
  return {
    pending: pending?.purchases ?? 0,
    review: review?.purchases ?? 0,
    pendingOldestAt: due?.oldest ?? null,
    reviewOldestAt: review?.oldest ?? null,
  };
};

export type LowBalance = { readonly id: string; readonly name: string; readonly available: number };

/** The lowest balances below a threshold, of active clients. There are hundreds of clients, not millions. */
export const readLowBalances = (db: Db, below: number, limit: number): Promise<LowBalance[]> =>
  db
    .selectFrom('accounts')
    .innerJoin('clients', 'clients.id', 'accounts.client_id')
    .select(['clients.id', 'clients.name', 'accounts.available'])
    .where('accounts.available', '<', below)
    .where('clients.status', '=', 'active')
    .orderBy('accounts.available')
    .orderBy('clients.id')
    .limit(limit)
    .execute();
