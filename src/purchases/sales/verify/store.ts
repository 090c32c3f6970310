/** Holds the SQL that verifies the sums of what was sold. */
import { sql } from 'kysely';
import { runText } from '../../../db/statement.ts';
import { columnsOf, type Tables } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';
import { notTest } from '../../rows.ts';

/** Each client's captures, reversals and releases up to its cursor, with what was bought. Test clients' never count. */
export const streamCounted = (db: Db) =>
  db
    .selectFrom('sales_cursors')
    .innerJoin('postings', 'postings.client_id', 'sales_cursors.client_id')
    .leftJoin('purchases', (join) =>
      join
        .onRef('purchases.client_id', '=', 'postings.client_id')
        .onRef('purchases.id', '=', 'postings.purchase_id'),
    )
    .select((build) => [
      'postings.client_id',
      'postings.seq',
      'postings.kind',
      'postings.amount',
      'postings.cost',
      'postings.at',
      'purchases.amount as price',
      build.fn.coalesce('purchases.product_id', build.lit(0)).as('product_id'),
      build.fn.coalesce('purchases.operator_id', build.lit(0)).as('operator_id'),
      build.fn
        .coalesce('postings.supplier_id', 'purchases.supplier_id', build.lit(0))
        .as('supplier_id'),
    ])
    .whereRef('postings.seq', '<=', 'sales_cursors.seq')
    .where('postings.kind', 'in', ['capture', 'reverse', 'release'])
    .where(sql.raw<boolean>(notTest))
    .orderBy('sales_cursors.client_id')
    .orderBy('postings.seq')
    .stream();

export const streamFullSums = (db: Db) =>
  db
    .selectFrom('sales')
    .select(columnsOf('sales'))
    .where('kind', '=', 'full')
    .orderBy('client_id')
    .orderBy('day')
    .orderBy('product_id')
    .orderBy('operator_id')
    .orderBy('supplier_id')
    .stream();

export const listZones = (db: Db): Promise<Tables['sales_zones'][]> =>
  db
    .selectFrom('sales_zones')
    .select(columnsOf('sales_zones'))
    .orderBy('client_id')
    .orderBy('after_seq')
    .execute();

/** Cursors beyond the last posting of their client. */
export const findCursorsTooFar = (db: Db): Promise<{ client_id: string; seq: number }[]> =>
  db
    .selectFrom('sales_cursors')
    .leftJoin('accounts', 'accounts.client_id', 'sales_cursors.client_id')
    .select(['sales_cursors.client_id', 'sales_cursors.seq'])
    .where((where) =>
      where.or([
        where('accounts.seq', 'is', null),
        where('sales_cursors.seq', '>', where.ref('accounts.seq')),
      ]),
    )
    .orderBy('sales_cursors.client_id')
    .execute();

/** The days that have sums, and the first of their months. */
export const listCountedDays = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('sales')
    .select('day')
    .distinct()
    .where('kind', 'in', ['full', 'month'])
    .execute();
  return rows.map(({ day }) => day);
};

const groups = {
  client: {
    place: 'day, client_id, 0 as product_id, operator_id, supplier_id',
    by: 'day, client_id, operator_id, supplier_id',
  },
  product: {
    place: `day, '' as client_id, product_id, operator_id, supplier_id`,
    by: 'day, product_id, operator_id, supplier_id',
  },
  month: {
    place: 'cast(? as bigint) as day, client_id, product_id, operator_id, supplier_id',
    by: 'client_id, product_id, operator_id, supplier_id',
  },
} as const;

const sumsOfSide = <Side extends 'sold' | 'reversed'>(side: Side) =>
  [
    side,
    `${side}_price`,
    `${side}_amount`,
    `${side}_cost`,
    `${side}_uncosted`,
    `${side}_uncosted_amount`,
  ] as const;

export const sumColumns = [...sumsOfSide('sold'), ...sumsOfSide('reversed'), 'failed'] as const;
const added = sumColumns.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ');

/** How many rows of a kind differ from the sums of the full ones, in a period or in all. */
export const findUnequalSums = async (
  db: Db,
  kind: keyof typeof groups,
  period?: { readonly from: number; readonly to: number },
): Promise<number> => {
  const { place, by } = groups[kind];
  const within = period === undefined ? '' : ' and day between ? and ?';
  const bounds = period === undefined ? [] : [period.from, period.to];
  const full = `select ${place}, ${added} from sales where kind = 'full'${within} group by ${by}`;
  const fullValues = kind === 'month' ? [period?.from ?? 0, ...bounds] : bounds;
  const own = `select day, client_id, product_id, operator_id, supplier_id, ${sumColumns.join(', ')} from sales
    where kind = ?${within}`;
  const ownValues = [kind, ...bounds];
  const [row] = await runText<{ rows: number }>(
    db,
    `select count(*) as rows from (
      select day from (${full} except ${own}) as missing
      union all select day from (${own} except ${full}) as surplus
    ) as unequal`,
    [...fullValues, ...ownValues, ...ownValues, ...fullValues],
  );
  return row?.rows ?? 0;
};
