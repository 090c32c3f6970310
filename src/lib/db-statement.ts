/** Owns statements written as plain SQL: the text built once for each number of rows, `?` for values. */
import { CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely';
import type { Db } from './db.ts';
import { readerOf } from './db-reader.ts';

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

/** That rows have the form of their statement is on the word of its author, here as behind Kysely. */
export const haveForm = <Row>(rows: readonly unknown[]): rows is Row[] => Array.isArray(rows);

/** Reads without waiting; undefined where that cannot be done. */
export const readNow = (
  db: Db,
  text: string,
  values: readonly unknown[],
): readonly unknown[] | undefined => readerOf(db)?.(text, values);

export const runText = async <Row>(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => {
  const read = readNow(db, text, values);
  if (read !== undefined && haveForm<Row>(read)) return read;
  return (await run<Row>(db, text, values)).rows;
};

/**
 * Over a network one text carries all rows. In this process it would be parsed and kept for every number
 * of rows, which takes memory and saves nothing: there the text of one row runs again and again.
 */
const runRows = <Row>(
  db: Db,
  text: SizedText,
  rows: readonly (readonly unknown[])[],
): Promise<QueryResult<Row>> =>
  db.getExecutor().adapter instanceof PostgresAdapter
    ? run<Row>(db, text(rows.length), rows.flat())
    : run<Row>(db, text(1), rows);

/** Reads what each row of values asks for. */
export const readRows = async <Row>(
  db: Db,
  text: SizedText,
  rows: readonly (readonly unknown[])[],
): Promise<Row[]> => {
  const [first] = rows;
  if (rows.length === 1 && first !== undefined) return runText<Row>(db, text(1), first);
  return (await runRows<Row>(db, text, rows)).rows;
};

/** Writes rows of values; tells how many it wrote. */
export const writeRows = async (
  db: Db,
  text: SizedText,
  rows: readonly (readonly unknown[])[],
): Promise<number> => Number((await runRows(db, text, rows)).numAffectedRows ?? 0);
