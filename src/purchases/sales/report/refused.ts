/** Reads about how many requests were refused before anything was held: those post nothing. */
import type { Db } from '../../../db/types.ts';
import type { DayAt } from '../../../lib/business-day.ts';
import { spanMs } from '../../stats/rows.ts';
import { readCounts } from '../../stats/store.ts';
import type { Dimension, GroupKey, SalesQuery } from './query.ts';
import { textOfKey } from './report.ts';

export type Refused = {
  readonly total: number;
  /** By the key of a group as text. */
  readonly of: ReadonlyMap<string, number>;
};

const unknownOf = ['client', 'product', 'supplier'] as const satisfies readonly Dimension[];

/** Undefined where a client, a product or a supplier is asked for. */
export const readRefused = async (
  db: Db,
  { period, by, filter = {} }: SalesQuery,
  dayAt: DayAt,
): Promise<Refused | undefined> => {
  if (unknownOf.some((one) => by.includes(one) || filter[one] !== undefined)) return undefined;
  // Business days begin at most a day before or after those of UTC.
  const from = (period.from - 1) * spanMs.day;
  const until = (period.to + 2) * spanMs.day;
  const of = new Map<string, number>();
  let total = 0;
  for (const { at, operator_id: operator, refused } of await readCounts(db, 'day', from, until)) {
    const day = dayAt(at + spanMs.day / 2).date;
    if (day < period.from || day > period.to) continue;
    if (filter.operator !== undefined && operator !== filter.operator) continue;
    const key: GroupKey = {
      ...(by.includes('day') ? { day } : {}),
      ...(by.includes('operator') ? { operator } : {}),
    };
    const text = textOfKey(key);
    of.set(text, (of.get(text) ?? 0) + refused);
    total += refused;
  }
  return { total, of };
};
