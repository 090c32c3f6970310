/** Adapts a prepared SQLite statement to Kysely, with checked values and fast row reads. */
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
 * Builds rows from lists of values. The objects of SQLite's own binding are slow to read from: a purchase
 * took twice as long that way.
 */
const rowsOf = (names: readonly string[]): ((values: Row) => Row) => {
  const empty: Row = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row = { ...empty };
    for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
    return row;
  };
};

/** Whether these are the values of many rows: then a statement runs for each, as fast as one text for all. */
const areRows = (parameters: readonly unknown[]): parameters is readonly (readonly unknown[])[] =>
  Array.isArray(parameters[0]);

export const wrapStatement = (statement: StatementSync) => {
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  const toRow = rowsOf(names);
  const allOf = (values: readonly unknown[]): Row[] => statement.all(...bind(values)).map(toRow);
  const runMany = (rows: readonly (readonly unknown[])[]) => {
    let changes = 0;
    for (const values of rows) changes += Number(statement.run(...bind(values)).changes);
    return { changes, lastInsertRowid: 0 };
  };
  return {
    reader: names.length > 0,
    all: (parameters: readonly unknown[]): Row[] =>
      areRows(parameters) ? parameters.flatMap(allOf) : allOf(parameters),
    run: (parameters: readonly unknown[]) =>
      areRows(parameters) ? runMany(parameters) : runMany([parameters]),
    iterate: (parameters: readonly unknown[]): IterableIterator<Row> =>
      statement.iterate(...bind(parameters)).map(toRow),
  };
};

export type WrappedStatement = ReturnType<typeof wrapStatement>;
