/** Builds and runs raw SQL statements, with the text cached for each number of rows. */
import { CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely';
import { perKey } from '../lib/memo.ts';
import type { Committing } from './committing.ts';
import { isIncomplete } from './postgres/errors.ts';
import { readerOf } from './reader.ts';
import type { ColumnTypes } from './tables/columns.ts';
import { columnTypesOf, type Tables } from './tables/tables.ts';
import type { Db } from './types.ts';

/** A statement's text for this many rows. */
export type SizedText = (rows: number) => string;

/** Building a text costs more than running the prepared statement: it is done once for each size. */
export const sized = (
  build: (repeat: (tuple: string) => string, rows: number) => string,
): SizedText =>
  perKey((rows) => build((tuple) => Array.from({ length: rows }, () => tuple).join(', '), rows));

/** This many placeholders, in brackets. */
export const placeholders = (count: number): string =>
  `(${Array.from({ length: count }, () => '?').join(', ')})`;

// What Kysely builds from a text besides its values is built once. The program has some dozens of texts.
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

/** Whether a write is the last of its transaction; not by default. */
type Ending = Partial<Committing>;

const run = <Row>(
  db: Db,
  text: string,
  values: readonly unknown[],
  ending: Ending = {},
): Promise<QueryResult<Row>> => {
  const { sql, query, queryId } = compile(text);
  return db.executeQuery<Row>({ sql, query, queryId, parameters: values, ...ending });
};

/** The statement's author asserts the form of its rows, here as with Kysely. */
export const haveForm = <Row>(rows: readonly unknown[]): rows is Row[] => Array.isArray(rows);

/** Reads synchronously; undefined if that is not possible. */
export const readSync = (
  db: Db,
  text: string,
  values: readonly unknown[],
): readonly unknown[] | undefined => readerOf(db)?.(text, values);

export const runText = async <Row>(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => {
  const read = readSync(db, text, values);
  if (read !== undefined && haveForm<Row>(read)) return read;
  return (await run<Row>(db, text, values)).rows;
};

/** A statement about rows of values: its text for one row, and for any number. */
export type RowsText = { readonly one: string; readonly many: string };

/** The same, and its text as a follow-up in one statement: see `writeWith`. */
export type FollowingText = RowsText & { readonly following: string };

/** Rows of values as a table, in the text for many: each column is one array. */
export const tableOf = (types: ColumnTypes): string => {
  const arrays = Object.values(types).map((type) => `cast(? as ${type}[])`);
  return `unnest(${arrays.join(', ')}) as next (${Object.keys(types).join(', ')})`;
};

/** Follows the table of a follow-up: it does nothing unless all of the first was written. */
export const allWritten = ' where (select count(*) from written) = cast(? as bigint)';

/** Inserts rows into a table, by default with all its columns. */
export const insertRows = (
  table: keyof Tables,
  more = '',
  types = columnTypesOf(table),
): FollowingText => {
  const columns = Object.keys(types);
  const into = `insert into ${table} (${columns.join(', ')})`;
  const many = (where: string): string =>
    `${into} select ${columns.join(', ')} from ${tableOf(types)}${where}${more}`;
  return {
    one: `${into} values ${placeholders(columns.length)}${more}`,
    many: many(''),
    following: many(allWritten),
  };
};

/** Follows such an insert: adds to the sums of a row that has the same key. */
export const addTo = (table: keyof Tables, key: string, columns: readonly string[]): string => {
  const sums = columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return ` on conflict (${key}) do update set ${sums.join(', ')}`;
};

type Rows = readonly (readonly unknown[])[];

const columnsOf = (rows: Rows): unknown[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));

const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** One row, the most common case, by the plain form, which is the cheapest. */
const statementFor = (text: RowsText, rows: Rows): Statement => {
  const [first] = rows;
  return rows.length === 1 && first !== undefined
    ? { text: text.one, values: first }
    : { text: text.many, values: columnsOf(rows) };
};

/**
 * Over a network one statement carries all rows, a column as one array: so there is one text and one plan,
 * however many rows there are. In this process the text of one row runs repeatedly.
 */
const runRows = <Row>(
  db: Db,
  text: RowsText,
  rows: Rows,
  ending?: Ending,
): Promise<QueryResult<Row>> => {
  if (!isPostgres(db)) return run<Row>(db, text.one, rows, ending);
  const statement = statementFor(text, rows);
  return run<Row>(db, statement.text, statement.values, ending);
};

/** Reads the result for each row of values. */
export const readRows = async <Row>(db: Db, text: RowsText, rows: Rows): Promise<Row[]> => {
  const [first] = rows;
  // The text for many has no types without values: PostgreSQL would refuse it.
  if (first === undefined) return [];
  if (rows.length === 1) return runText<Row>(db, text.one, first);
  return (await runRows<Row>(db, text, rows)).rows;
};

/** Writes rows of values; returns how many it wrote. */
export const writeRows = async (
  db: Db,
  text: RowsText,
  rows: Rows,
  ending?: Ending,
): Promise<number> => Number((await runRows(db, text, rows, ending)).numAffectedRows ?? 0);

/** Rows of values, and the statement that writes them. */
export type Write<Text extends RowsText = RowsText> = {
  readonly text: Text;
  readonly rows: Rows;
};

/** Fails with a division by zero unless all of the first was written: a commit behind it is then a rollback. */
const assertWritten = 'select 1 / (case when count(*) = cast(? as bigint) then 1 else 0 end)';

const join = (first: string, following: readonly string[]): string => {
  const parts = following.map((text, index) => `following_${index} as (${text})`);
  const all = [`written as (${first} returning 1)`, ...parts];
  return `with ${all.join(', ')} ${assertWritten} from written`;
};

/** Texts of one statement, one after another, and their concatenation. */
type Joined = { text?: string; readonly further: Map<string, Joined> };

const joinedTexts: Joined = { further: new Map() };

/** Cached: looking up a new text of some thousand characters takes longer. */
const joined = (first: string, following: readonly string[]): string => {
  let node = joinedTexts;
  for (const text of [first, ...following]) {
    const known = node.further.get(text) ?? { further: new Map<string, Joined>() };
    node.further.set(text, known);
    node = known;
  }
  node.text ??= join(first, following);
  return node.text;
};

/**
 * Writes rows, and the follow-up rows only if all of those were written; returns whether they were. Over a
 * network all of it is one statement, with which the transaction fails unless all were written. It may be sent
 * together with its commit.
 */
export const writeWith = async (
  db: Db,
  first: Write,
  following: readonly Write<FollowingText>[],
  ending: Ending = {},
): Promise<boolean> => {
  const { length } = first.rows;
  const rest = following.filter(({ rows }) => rows.length > 0);
  if (!isPostgres(db) || rest.length === 0) {
    if ((await writeRows(db, first.text, first.rows)) !== length) return false;
    for (const write of rest) {
      await writeRows(db, write.text, write.rows, write === rest.at(-1) ? ending : {});
    }
    return true;
  }
  const { text, values } = statementFor(first.text, first.rows);
  const all = joined(
    text,
    rest.map((write) => write.text.following),
  );
  const more = rest.flatMap(({ rows }) => [...columnsOf(rows), length]);
  try {
    await run(db, all, [...values, ...more, length], ending);
    return true;
  } catch (error) {
    if (isIncomplete(error)) return false;
    throw error;
  }
};
