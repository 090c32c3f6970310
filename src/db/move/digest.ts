/** Computes the digest of a table: the same for the same rows, on either engine. */
import { createHash, hash } from 'node:crypto';
import type { Db } from '../types.ts';
import type { CarriedTable } from './plan.ts';
import { type Part, type RowValues, readRowsOf } from './rows.ts';

export type TableDigest = {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 in hex of the rows in the order of their keys, each a JSON array and a line. */
  readonly digest: string;
};

/** PostgreSQL stores no NUL: the gateway writes U+FFFD instead, and so does a move. */
export const storableRow = (row: RowValues): RowValues =>
  row.some((value) => typeof value === 'string' && value.includes('\0'))
    ? row.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value))
    : row;

// Hashing line by line would take longer than reading.
const linesAtOnce = 500;

/** Digests rows, streaming; `counted` receives how many more were read. */
export const digestOf = async (
  db: Db,
  table: CarriedTable,
  { part, counted = () => {} }: { part?: Part; counted?: (rows: number) => void } = {},
): Promise<TableDigest> => {
  const sum = createHash('sha256');
  let rows = 0;
  let lines: string[] = [];
  const flush = (): void => {
    sum.update(lines.join(''));
    rows += lines.length;
    counted(lines.length);
    lines = [];
  };
  for await (const row of readRowsOf(db, table, part)) {
    lines.push(`${JSON.stringify(storableRow(row))}\n`);
    if (lines.length === linesAtOnce) flush();
  }
  flush();
  return { table: table.name, rows, digest: sum.digest('hex') };
};

/** One digest over those of all tables. */
export const digestOfAll = (digests: readonly TableDigest[]): string =>
  hash(
    'sha256',
    digests.map(({ table, rows, digest }) => `${table} ${rows} ${digest}\n`).join(''),
    'hex',
  );
