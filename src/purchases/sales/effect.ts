/** Computes what a change of price lists would have done to the sales of the last 30 days. Reads only. */

import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { chargeOf, listsOf, type PriceBook, type PricedProduct } from '../../pricing/choose.ts';
import { notTest } from '../rows.ts';

/** What clients would have been charged by the lists as they are planned, without and with a change. */
export type Effect = {
  readonly clientId: string;
  readonly sold: number;
  readonly price: number;
  readonly chargedBefore: number;
  readonly chargedAfter: number;
};

export type EffectOf = {
  /** Without the change, and with it. */
  readonly before: PriceBook;
  readonly after: PriceBook;
  readonly listId: number;
  /** When the change begins: both are read as they are then. */
  readonly moment: number;
  readonly now: number;
  readonly product: (id: number) => PricedProduct | undefined;
};

type Group = { readonly product_id: number; readonly amount: number; readonly sold: number };

const dayMs = 86_400_000;
const days = 30;

// A query reads no more rows at a time: it holds up the thread that sells from a file.
const soldAtOnce = 20_000;

const groupsText = `select product_id, amount, cast(count(*) as bigint) as sold from purchases
  where client_id = ? and began_at >= ? and began_at < ? and state = 'succeeded' and ${notTest}
  group by product_id, amount`;

/** The clients of a list, and of those below it, that bought something in that time. */
const buyersIn = async (
  db: Db,
  { before, after, listId }: EffectOf,
  since: number,
): Promise<readonly (readonly [clientId: string, sold: number])[]> => {
  const rows = await db
    .selectFrom('sales')
    .select(['client_id', (eb) => eb.fn.sum<number>('sold').as('sold')])
    .where('kind', '=', 'client')
    // The day may have begun in another time zone.
    .where('day', '>=', Math.floor(since / dayMs) - 1)
    .groupBy('client_id')
    .orderBy('client_id')
    .execute();
  const uses = (book: PriceBook, clientId: string) => listsOf(book, clientId).includes(listId);
  return rows
    .filter(({ client_id }) => uses(before, client_id) || uses(after, client_id))
    .map(({ client_id, sold }) => [client_id, sold]);
};

/** By client. The floor at the cost of a route is left out: it is drawn for each purchase. */
export const effectOf = async (db: Db, asked: EffectOf): Promise<readonly Effect[]> => {
  const { before, after, moment, now } = asked;
  const since = now - days * dayMs;
  const effects: Effect[] = [];
  for (const [clientId, roughly] of await buyersIn(db, asked, since)) {
    const slices = Math.ceil(roughly / soldAtOnce) || 1;
    const sliceMs = Math.ceil((now - since) / slices);
    const sums = { sold: 0, price: 0, chargedBefore: 0, chargedAfter: 0 };
    for (let from = since; from < now; from += sliceMs) {
      const until = Math.min(now, from + sliceMs);
      for (const group of await runText<Group>(db, groupsText, [clientId, from, until])) {
        const product = asked.product(group.product_id);
        const { amount: price, sold } = group;
        const charged = (book: PriceBook): number =>
          product === undefined
            ? price
            : chargeOf(book, { product, clientId, price, moment, cost: undefined }).charged;
        sums.sold += sold;
        sums.price += sold * price;
        sums.chargedBefore += sold * charged(before);
        sums.chargedAfter += sold * charged(after);
      }
    }
    if (sums.sold > 0) effects.push({ clientId, ...sums });
  }
  return effects;
};
