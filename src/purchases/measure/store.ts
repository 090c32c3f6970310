/** Owns the SQL of the metrics: how many purchases are open, and how many wait for a person. */
import type { Db } from '../../lib/db.ts';
import { runText } from '../../lib/db-statement.ts';
import type { UnsettledFigures } from '../../lib/metrics-state.ts';

// Each condition is that of an index, word for word: only the few rows in it are read.
export const openText = `select state, count(*) as purchases from purchases
  where due_at is not null group by state`;
export const reviewText = `select count(*) as purchases from purchases
  where state = 'review' or disputed is not null`;

export const countUnsettled = async (db: Db): Promise<UnsettledFigures> => {
  const open = await runText<{ state: string; purchases: number }>(db, openText, []);
  const [review] = await runText<{ purchases: number }>(db, reviewText, []);
  return {
    open: new Map(open.map(({ state, purchases }) => [state, purchases])),
    review: review?.purchases ?? 0,
  };
};
