/** Holds the guard's SQL: recent purchases for a number, and a day's spending. */
import {
  allWritten,
  type FollowingText,
  type RowsText,
  readRows,
  tableOf,
  type Write,
} from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

/** A purchase that another may be a repeat of. */
export type Recent = Pick<
  Tables['purchases'],
  | 'client_id'
  | 'id'
  | 'idempotency_key'
  | 'product_id'
  | 'mobile'
  | 'amount'
  | 'offer_code'
  | 'offer_type'
  | 'began_at'
>;

const recentColumns = `client_id, id, idempotency_key, product_id, mobile, amount, offer_code, offer_type,
  began_at`;

/** A purchase that failed or was reversed may be bought again, and costs nothing. */
const withMoney = `state not in ('refused', 'failed', 'reversed')`;

const recentText: RowsText = {
  one: `select ${recentColumns} from purchases
    where client_id = ? and mobile = ? and began_at > ? and ${withMoney}`,
  many: `select ${recentColumns}
    from purchases, ${tableOf({ owner: 'text', number: 'text', since: 'bigint' })}
    where client_id = owner and mobile = number and began_at > since and ${withMoney}`,
};

export type RecentQuery = {
  readonly clientId: string;
  readonly mobile: string;
  readonly since: number;
};

/** The purchases for a client's number since a moment, except failed ones. */
export const findRecent = (db: Db, looks: readonly RecentQuery[]): Promise<Recent[]> =>
  readRows<Recent>(
    db,
    recentText,
    looks.map(({ clientId, mobile, since }) => [clientId, mobile, since]),
  );

/** What later postings add to a day: money of the day that was spent or returned. */
const sinceCounted = `(
  select coalesce(sum(case kind when 'hold' then amount else -amount end), 0) from postings
  where client_id = client_days.client_id and seq > client_days.seq and at >= client_days.day
  and (kind = 'hold' or (kind in ('release', 'reverse') and exists (
    select 1 from postings as begun where begun.client_id = postings.client_id
    and begun.purchase_id = postings.purchase_id and begun.kind = 'hold'
    and begun.at >= client_days.day))))`;

const dayOwner = { owner: 'text', today: 'bigint' } as const;

const countedText: RowsText = {
  one: `select client_id, cast(spent + ${sinceCounted} as bigint) as spent from client_days
    where client_id = ? and day = ?`,
  many: `select client_id, cast(spent + ${sinceCounted} as bigint) as spent
    from client_days, ${tableOf(dayOwner)} where client_id = owner and day = today`,
};

const sumText: RowsText = {
  one: `select client_id, cast(sum(coalesce(charged_amount, amount)) as bigint) as spent from purchases
    where client_id = ? and began_at >= ? and ${withMoney} group by client_id`,
  many: `select client_id, cast(sum(coalesce(charged_amount, amount)) as bigint) as spent from purchases, ${tableOf(dayOwner)}
    where client_id = owner and began_at >= today and ${withMoney} group by client_id`,
};

type Spent = { readonly client_id: string; readonly spent: number };

/**
 * Each client's spending today: purchases begun today, less those refunded. Summed once a day, then updated.
 */
export const readSpent = async (
  db: Db,
  clientIds: readonly string[],
  day: number,
): Promise<Map<string, number>> => {
  const rowsOf = (ids: readonly string[]) => ids.map((id) => [id, day]);
  const spent = new Map<string, number>();
  const take = (rows: readonly Spent[]): void => {
    for (const row of rows) spent.set(row.client_id, row.spent);
  };
  take(await readRows<Spent>(db, countedText, rowsOf(clientIds)));
  const uncounted = clientIds.filter((id) => !spent.has(id));
  if (uncounted.length > 0) take(await readRows<Spent>(db, sumText, rowsOf(uncounted)));
  return spent;
};

const saveMany = (where: string): string => `insert into client_days (client_id, day, spent, seq)
    select client_id, day, spent, seq
    from ${tableOf({ client_id: 'text', day: 'bigint', spent: 'bigint', seq: 'bigint' })}${where}
    on conflict (client_id) do update
    set day = excluded.day, spent = excluded.spent, seq = excluded.seq`;

const saveText: FollowingText = {
  one: `insert into client_days (client_id, day, spent, seq) values (?, ?, ?, ?)
    on conflict (client_id) do update
    set day = excluded.day, spent = excluded.spent, seq = excluded.seq`,
  many: saveMany(' where true'),
  following: saveMany(allWritten),
};

/** The updated daily counts, to be written. */
export const daysToWrite = (days: readonly Tables['client_days'][]): Write<FollowingText> => ({
  text: saveText,
  rows: days.map(({ client_id, day, spent, seq }) => [client_id, day, spent, seq]),
});
