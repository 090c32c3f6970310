/** Holds the SQL of reports: adds up the sums of a period by some dimensions. */
import { runText } from '../../../db/statement.ts';
import type { Db } from '../../../db/types.ts';
import { type Sums, sumKinds } from '../sums.ts';
import type { Dimension, Piece, SalesFilter } from './query.ts';

/** The dimensions that were asked for, and the sums. */
export type GroupRow = Sums & {
  readonly day?: number;
  readonly client?: string;
  readonly product?: number;
  readonly operator?: number;
  readonly supplier?: number;
};

const columnOf = {
  day: 'day',
  client: 'client_id',
  product: 'product_id',
  operator: 'operator_id',
  supplier: 'supplier_id',
} as const satisfies Record<Dimension, string>;

const sums = sumKinds.map((name) => `cast(sum(${name}) as bigint) as ${name}`);

const filtered = ['client', 'product', 'operator', 'supplier'] as const;

export const readSums = (
  db: Db,
  { kind, from, to }: Piece,
  {
    by,
    filter,
    limit,
  }: { readonly by: readonly Dimension[]; readonly filter: SalesFilter; readonly limit: number },
): Promise<GroupRow[]> => {
  const limitedTo = filtered.filter((name) => filter[name] !== undefined);
  const names = by.map((name) => `${columnOf[name]} as "${name}"`);
  const conditions = limitedTo.map((name) => ` and ${columnOf[name]} = ?`).join('');
  // By the kind too, which is the same in all of them: without rows there is then no group.
  const groups = ['kind', ...by.map((name) => columnOf[name])];
  return runText<GroupRow>(
    db,
    `select ${[...names, ...sums].join(', ')} from sales
      where kind = ? and day between ? and ?${conditions} group by ${groups.join(', ')} limit ?`,
    [kind, from, to, ...limitedTo.map((name) => filter[name]), limit],
  );
};
