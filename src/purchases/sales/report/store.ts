/** Holds the SQL of reports: adds up the sums of a period by some dimensions. */
import { perEngine } from '../../../db/engine.ts';
import { runText } from '../../../db/statement.ts';
import type { Db } from '../../../db/types.ts';
import { noSums, type Sums, sumKinds } from '../sums.ts';
import type { Dimension, GroupKey, Piece, SalesFilter } from './query.ts';

/** The dimensions that were asked for, and the sums. */
export type GroupRow = GroupKey & Readonly<Sums>;

const columnOf = {
  day: 'day',
  client: 'client_id',
  product: 'product_id',
  operator: 'operator_id',
  supplier: 'supplier_id',
} as const satisfies Record<Dimension, string>;

type Read = (db: Db, textWith: (sums: string) => string, values: unknown[]) => Promise<GroupRow[]>;

const columns = sumKinds.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ');

const readColumns: Read = (db, textWith, values) => runText(db, textWith(columns), values);

const joined = `concat_ws(' ', ${sumKinds.map((name) => `sum(${name})`).join(', ')}) as sums`;

type JoinedRow = GroupKey & { readonly sums: string };

const split = ({ sums: text, ...key }: JoinedRow): GroupRow => {
  const values = text.split(' ');
  const sums = noSums();
  for (const [index, name] of sumKinds.entries()) sums[name] = Number(values[index]);
  return { ...key, ...sums };
};

const readJoined: Read = async (db, textWith, values) =>
  (await runText<JoinedRow>(db, textWith(joined), values)).map(split);

/** A server and its client spend more on a column than on a sum: all sums are sent as one text. */
const readOn = perEngine(({ name }) => (name === 'sqlite' ? readColumns : readJoined));

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
  return readOn(db)(
    db,
    (sums) => `select ${[...names, sums].join(', ')} from sales
      where kind = ? and day between ? and ?${conditions} group by ${groups.join(', ')} limit ?`,
    [kind, from, to, ...limitedTo.map((name) => filter[name]), limit],
  );
};
