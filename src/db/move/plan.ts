/** Plans a move: which tables it carries, in the order of their foreign keys, and the key of each. */
import { keysOf } from '../../lib/record.ts';
import { runText } from '../statement.ts';
import type { ColumnTypes } from '../tables/columns.ts';
import { columnTypesOf, type Tables, tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';

export type CarriedTable = {
  readonly name: keyof Tables;
  readonly columns: ColumnTypes;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
};

/** What describes a place and not its business: each place has its own. */
export const leftBehind: ReadonlySet<keyof Tables> = new Set([
  // The applied migrations, and when.
  'migrations',
  // Whether it is complete itself.
  'moves',
  // Its place, and its selling instances.
  'place',
  'instances',
]);

const keysText = `select one.name as name, part.name as item
  from sqlite_schema one join pragma_table_info(one.name) part
  where one.type = 'table' and part.pk > 0 order by one.name, part.pk`;

const parentsText = `select one.name as name, part."table" as item
  from sqlite_schema one join pragma_foreign_key_list(one.name) part where one.type = 'table'`;

const grouped = async (db: Db, text: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await runText<{ name: string; item: string }>(db, text, []);
  return new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, found]) => [
      name,
      found.map(({ item }) => item),
    ]),
  );
};

/** Parents before their children; rows of one table do not refer to each other. */
const inOrder = (
  names: readonly (keyof Tables)[],
  parents: ReadonlyMap<string, readonly string[]>,
): (keyof Tables)[] => {
  const ordered: (keyof Tables)[] = [];
  const isReady = (name: keyof Tables): boolean =>
    (parents.get(name) ?? []).every((parent) => ordered.some((one) => one === parent));
  for (let left = names; left.length > 0; ) {
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`Foreign keys form a circle: ${left.join(', ')}.`);
    ordered.push(...ready);
    left = left.filter((name) => !ready.includes(name));
  }
  return ordered;
};

/** Reads keys and foreign keys from the SQLite side; the migrations create the same on both. */
export const planMove = async (sqlite: Db): Promise<readonly CarriedTable[]> => {
  const [keys, parents] = [await grouped(sqlite, keysText), await grouped(sqlite, parentsText)];
  const names = keysOf(tables).filter((name) => !leftBehind.has(name));
  return inOrder(names.toSorted(), parents).map((name) => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`The table ${name} has no primary key.`);
    return { name, columns: columnTypesOf(name), key };
  });
};
