/** Reads what a range of postings sold and reversed, by product. */
import { runText } from '../db/statement.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { notTest } from '../purchases/rows.ts';
import type { ProductNames, Range, Sums } from './invoice.ts';

export type SumRow = Pick<
  Tables['invoice_lines'],
  'sold' | 'price' | 'charged' | 'reversed' | 'reversed_amount'
>;

export const sumsIn = (row: SumRow): Sums => ({
  sold: row.sold,
  price: row.price,
  charged: row.charged,
  reversed: row.reversed,
  reversedAmount: row.reversed_amount,
});

type Group = SumRow & { readonly product_id: number };

const sumOf = (kind: 'capture' | 'reverse', value: string, name: string): string =>
  `cast(sum(case when postings.kind = '${kind}' then ${value} else 0 end) as bigint) as ${name}`;

const groupsText = `select coalesce(purchases.product_id, 0) as product_id,
    ${sumOf('capture', '1', 'sold')},
    ${sumOf('capture', 'coalesce(purchases.amount, postings.amount)', 'price')},
    ${sumOf('capture', 'postings.amount', 'charged')},
    ${sumOf('reverse', '1', 'reversed')},
    ${sumOf('reverse', 'postings.amount', 'reversed_amount')}
  from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = purchase_id
  where postings.client_id = ? and seq > ? and seq <= ? and postings.kind in ('capture', 'reverse')
    and ${notTest}
  group by coalesce(purchases.product_id, 0)`;

/** What a range of a client's postings sold and reversed, by product. */
export const readSums = async (
  db: Db,
  clientId: string,
  { after, through }: Range,
): Promise<readonly (Sums & { readonly productId: number })[]> => {
  const rows = await runText<Group>(db, groupsText, [clientId, after, through]);
  return rows.map((row) => ({ ...sumsIn(row), productId: row.product_id }));
};

// Far below the number of parameters that a statement may have.
const idsAtATime = 500;

export const readProductNames = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProductNames>> => {
  const names = new Map<number, ProductNames>();
  for (let start = 0; start < ids.length; start += idsAtATime) {
    const rows = await db
      .selectFrom('products')
      .select(['id', 'name', 'name_en'])
      .where('id', 'in', ids.slice(start, start + idsAtATime))
      .execute();
    for (const { id, name, name_en } of rows) names.set(id, { name, name_en });
  }
  return names;
};
