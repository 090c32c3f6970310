/** Reads the rows of a table in the order of its key, the same on both engines. */
import { CompiledQuery } from 'kysely';
import { UsageError } from '../../lib/errors.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import type { Db } from '../types.ts';
import type { CarriedTable } from './plan.ts';

export type Value = string | number | null;

/** The values of a row, in the order of the table's columns. */
export type RowValues = readonly Value[];

/** The values of a row's key, in the order of the key. */
export type Key = readonly (string | number)[];

/** Which part of a table is read: after a key, or up to one, inclusive. */
export type Part = { readonly after?: Key; readonly upTo?: Key };

// As many rows as PostgreSQL sends at a time: they are in memory together.
const fetchedAtOnce = 500;

/** PostgreSQL sorts text by a collation; its "C" sorts by bytes, as SQLite does. */
const orderOf = ({ key, columns }: CarriedTable, isPostgres: boolean): string[] =>
  key.map((name) => `one.${name}${isPostgres && columns[name] === 'text' ? ' collate "C"' : ''}`);

const textFor = (table: CarriedTable, { after, upTo }: Part, isPostgres: boolean): string => {
  const { name, columns, key } = table;
  // As text: a number beyond JavaScript's safe integers must be noticed.
  const selected = Object.entries(columns).map(([column, type]) =>
    isPostgres && type === 'bigint' ? `cast(one.${column} as text) as ${column}` : `one.${column}`,
  );
  const order = orderOf(table, isPostgres);
  const bound = key.map((column) => `cast(? as ${columns[column]})`).join(', ');
  const conditions = [
    ...(after === undefined ? [] : [`(${order.join(', ')}) > (${bound})`]),
    ...(upTo === undefined ? [] : [`(${order.join(', ')}) <= (${bound})`]),
  ];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return `select ${selected.join(', ')} from ${name} one${where} order by ${order.join(', ')}`;
};

const wrongValue = ({ name }: CarriedTable, column: string, why: string): UsageError =>
  new UsageError(
    `A row of the table ${name} cannot be moved: its ${column} ${why}. Nothing was marked as moved.`,
  );

const textIn = (table: CarriedTable, column: string, value: unknown): string => {
  if (typeof value !== 'string') throw wrongValue(table, column, 'is not text');
  return value;
};

const integerIn = (table: CarriedTable, column: string, value: unknown): number => {
  const read = typeof value === 'string' ? Number(value) : value;
  if (typeof read === 'number' && Number.isSafeInteger(read)) return read;
  throw wrongValue(table, column, 'is not a whole number within the safe integers');
};

/** Checks each value by the type of its column: a file takes any value in any column. */
const createReader = (table: CarriedTable) => {
  const columns = Object.entries(table.columns);
  return (row: Readonly<Record<string, unknown>>): RowValues =>
    columns.map(([column, type]) => {
      const value = row[column];
      if (value === null) return null;
      return type === 'text' ? textIn(table, column, value) : integerIn(table, column, value);
    });
};

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

/** The key of a row. */
export const keyOf = ({ columns, key }: CarriedTable, row: RowValues): Key => {
  const names = Object.keys(columns);
  return key.map((name) => row[names.indexOf(name)] ?? '');
};

type Found = readonly Readonly<Record<string, unknown>>[];

/** From PostgreSQL by a cursor: its keys are not sorted by bytes, and sorting them once is enough. */
async function* streamed(db: Db, table: CarriedTable, part: Part): AsyncGenerator<Found> {
  const values = [...(part.after ?? []), ...(part.upTo ?? [])];
  const query = CompiledQuery.raw(textFor(table, part, true), values);
  const executor = db.getExecutor();
  for await (const { rows } of executor.stream<Record<string, unknown>>(query, fetchedAtOnce)) {
    yield rows;
  }
}

/** From a file page by page, each found by the key of the last row. */
async function* paged(
  db: Db,
  table: CarriedTable,
  { after: first, upTo }: Part,
): AsyncGenerator<Found> {
  for (let after = first; ; ) {
    const part = { ...(after && { after }), ...(upTo && { upTo }) };
    const text = `${textFor(table, part, false)} limit ${fetchedAtOnce}`;
    const rows = await runText<Record<string, unknown>>(db, text, [
      ...(after ?? []),
      ...(upTo ?? []),
    ]);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < fetchedAtOnce) return;
    after = keyOf(table, createReader(table)(last));
  }
}

/** Reads rows in the order of the key; no more than some hundreds are in memory. */
export async function* readRowsOf(
  db: Db,
  table: CarriedTable,
  part: Part = {},
): AsyncGenerator<RowValues> {
  const read = createReader(table);
  const found = sqlOf(db).name === 'postgres' ? streamed : paged;
  try {
    for await (const rows of found(db, table, part)) for (const row of rows) yield read(row);
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
    throw wrongValue(table, 'number', 'is not within the safe integers');
  }
}
