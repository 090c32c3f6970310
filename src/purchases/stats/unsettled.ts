/** Holds the SQL of the metrics: open purchases by state, the oldest of them, and how many need review. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import type { UnsettledFigures } from '../../metrics/state.ts';
import { notTest } from '../rows.ts';

// Each condition is that of a partial index, word for word: only its few rows are read.
export const openText = `select state, count(*) as purchases, min(began_at) as oldest from purchases
  where due_at is not null and ${notTest} group by state`;
export const reviewText = `select count(*) as purchases from purchases
  where (state = 'review' or disputed is not null) and ${notTest}`;

type OpenRow = { readonly state: string; readonly purchases: number; readonly oldest: number };

export const countUnsettled = async (db: Db, now: number): Promise<UnsettledFigures> => {
  const open = await runText<OpenRow>(db, openText, []);
  const [review] = await runText<{ purchases: number }>(db, reviewText, []);
  return {
    open: new Map(open.map(({ state, purchases }) => [state, purchases])),
    // If the database's clock went back, a purchase may have begun in its future.
    oldestOpenMs: Math.max(0, ...open.map(({ oldest }) => now - oldest)),
    review: review?.purchases ?? 0,
  };
};
