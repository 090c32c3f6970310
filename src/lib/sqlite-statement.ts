/** Owns a prepared statement of SQLite as Kysely wants it: values checked, rows quick to read. */
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

const isValue = (value: unknown): value is SQLInputValue =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value instanceof Uint8Array;

const bind = (parameters: readonly unknown[]): readonly SQLInputValue[] => {
  if (parameters.every(isValue)) return parameters;
  const wrong = parameters.find((parameter) => !isValue(parameter));
  throw new TypeError(`SQLite cannot store a value of type ${typeof wrong}.`);
};

type Row = Record<string, SQLOutputValue | undefined>;

/**
 * Makes rows of lists of values. The objects that SQLite's binding makes by itself are slow to read
 * from: a purchase took twice as long that way.
 */
const rowsOf = (names: readonly string[]): ((values: Row) => Row) => {
  const empty: Row = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row = { ...empty };
    for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
    return row;
  };
};

/** Values of one row, or of many: then the statement is run for each, which is as quick as one text for all. */
const rowsIn = (parameters: readonly unknown[]): readonly (readonly unknown[])[] =>
  parameters.length > 0 && parameters.every(Array.isArray) ? parameters : [parameters];

export const wrapStatement = (statement: StatementSync) => {
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  const toRow = rowsOf(names);
  const allOf = (values: readonly unknown[]): Row[] => statement.all(...bind(values)).map(toRow);
  return {
    reader: names.length > 0,
    all: (parameters: readonly unknown[]): Row[] => rowsIn(parameters).flatMap(allOf),
    run: (parameters: readonly unknown[]) => {
      const results = rowsIn(parameters).map((values) => statement.run(...bind(values)));
      const changes = results.reduce((sum, one) => sum + Number(one.changes), 0);
      return { changes, lastInsertRowid: results.at(-1)?.lastInsertRowid ?? 0 };
    },
    iterate: (parameters: readonly unknown[]): IterableIterator<Row> =>
      statement.iterate(...bind(parameters)).map(toRow),
  };
};

export type WrappedStatement = ReturnType<typeof wrapStatement>;
