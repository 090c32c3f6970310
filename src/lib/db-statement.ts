/** Owns statements written as plain SQL: the text built once for each number of rows, `?` for values. */
import { CompiledQuery, type QueryResult } from 'kysely';
import type { Db } from './db.ts';

/** A statement's text for so many rows. */
export type SizedText = (rows: number) => string;

/** Building a text costs more than running the prepared statement: it is done once for each size. */
export const sized = (
  build: (repeat: (tuple: string) => string, rows: number) => string,
): SizedText => {
  const texts = new Map<number, string>();
  return (rows) => {
    const known = texts.get(rows);
    if (known !== undefined) return known;
    const text = build((tuple) => Array.from({ length: rows }, () => tuple).join(', '), rows);
    texts.set(rows, text);
    return text;
  };
};

/** So many marks for values, in brackets. */
export const marks = (count: number): string =>
  `(${Array.from({ length: count }, () => '?').join(', ')})`;

// What Kysely makes of a text besides its values is made once. The program has some dozens of texts.
const compiled = new Map<string, CompiledQuery>();
const textsKept = 500;

const compile = (text: string): CompiledQuery => {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const made = CompiledQuery.raw(text);
  if (compiled.size >= textsKept) compiled.clear();
  compiled.set(text, made);
  return made;
};

const run = <Row>(db: Db, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> => {
  const { sql, query, queryId } = compile(text);
  return db.executeQuery<Row>({ sql, query, queryId, parameters: values });
};

export const runText = async <Row>(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => {
  const { rows } = await run<Row>(db, text, values);
  return rows;
};

/** Runs a statement that writes; tells how many rows it wrote. */
export const writeText = async (
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<number> => {
  const { numAffectedRows } = await run(db, text, values);
  return Number(numAffectedRows ?? 0);
};
