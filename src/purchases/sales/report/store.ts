/** Holds the SQL of reports: adds up the sums of a period by some dimensions. */
import { perEngine } from '../../../db/engine.ts';
import { runText } from '../../../db/statement.ts';
import type { Db } from '../../../db/types.ts';
import { addSums, noSums, type Sums, sumKinds } from '../sums.ts';
import type { Dimension, GroupKey, Piece, SalesFilter } from './query.ts';

/** The dimensions that were asked for, and the sums. */
export type Group = { readonly key: GroupKey; readonly sums: Sums };

const columnOf = {
  day: 'day',
  client: 'client_id',
  product: 'product_id',
  operator: 'operator_id',
  supplier: 'supplier_id',
} as const satisfies Record<Dimension, string>;

const keyIn = (row: GroupKey, by: readonly Dimension[]): GroupKey =>
  Object.fromEntries(by.map((dimension) => [dimension, row[dimension]]));

type Read = (
  db: Db,
  by: readonly Dimension[],
  textWith: (sums: string) => string,
  values: readonly unknown[],
) => Promise<Group[]>;

const columns = sumKinds.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ');

const readColumns: Read = async (db, by, textWith, values) => {
  const rows = await runText<GroupKey & Sums>(db, textWith(columns), values);
  return rows.map((row) => {
    const sums = noSums();
    addSums(sums, row);
    return { key: keyIn(row, by), sums };
  });
};

const joined = `concat_ws(' ', ${sumKinds.map((name) => `sum(${name})`).join(', ')}) as sums`;

const readJoined: Read = async (db, by, textWith, values) => {
  const rows = await runText<GroupKey & { sums: string }>(db, textWith(joined), values);
  return rows.map((row) => {
    const sums = noSums();
    const texts = row.sums.split(' ');
    for (const [index, name] of sumKinds.entries()) sums[name] = Number(texts[index]);
    return { key: keyIn(row, by), sums };
  });
};

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
): Promise<Group[]> => {
  const limitedTo = filtered.filter((name) => filter[name] !== undefined);
  const names = by.map((name) => `${columnOf[name]} as "${name}"`);
  const conditions = limitedTo.map((name) => ` and ${columnOf[name]} = ?`).join('');
  // By the kind too, which is the same in all of them: without rows there is then no group.
  const groups = ['kind', ...by.map((name) => columnOf[name])];
  return readOn(db)(
    db,
    by,
    (sums) => `select ${[...names, sums].join(', ')} from sales
      where kind = ? and day between ? and ?${conditions} group by ${groups.join(', ')} limit ?`,
    [kind, from, to, ...limitedTo.map((name) => filter[name]), limit],
  );
};
