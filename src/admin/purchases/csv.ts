/** Exports search results as CSV, read page by page as the file is fetched. */
import type { Db } from '../../db/types.ts';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import type { Fact } from '../../purchases/facts/facts.ts';
import { shownWords } from '../../purchases/facts/words.ts';
import { disputeIn, reasonIn } from '../../purchases/rows.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
import type { Outgoing } from '../exports.ts';
import type { Filter } from './filter.ts';
import { search } from './search.ts';
import type { FoundRow } from './store.ts';
import { maskOf, type Names, rowToWire } from './wire.ts';

/** As many as a spreadsheet handles easily and a person would look at. */
export const mostRows = 100_000;

// Some tens of kilobytes: a file never holds more in memory, however long it is.
const rowsAtATime = 500;

const columns = [
  'id',
  'began_at',
  'settled_at',
  'state',
  'client_id',
  'client',
  'product_id',
  'product',
  'operator_id',
  'mobile',
  'amount',
  'charged_amount',
  'webservice_code',
  'idempotency_key',
  'reason',
  'disputed',
  'answer_status',
  'test',
] as const;

const lineOf = (found: FoundRow, names: Names, more: readonly string[]): string => {
  const { client, product, ...row } = rowToWire(found, names);
  const mask = maskOf(found, names);
  const wordsOf = (fact: Fact | null): string => (fact === null ? '' : mask(shownWords(fact)));
  const cells = {
    ...row,
    // The file is read elsewhere, where nothing translates codes.
    reason: wordsOf(reasonIn(found)),
    disputed: wordsOf(disputeIn(found)),
    client_id: client.id,
    client: client.name,
    test: client.test,
    product_id: product.id,
    product: product.name,
  };
  // The texts are not ours, and a spreadsheet would evaluate those that begin with a sign.
  return csvLine([...columns.map((name) => escapeFormula(`${cells[name] ?? ''}`)), ...more]);
};

const lastLine = `only the newest ${mostRows} are here: ask for less at a time`;

type Printing = Pick<Outgoing, 'gone' | 'rest'> & {
  readonly names: Names;
  readonly most?: number;
  readonly currency?: Currency | null;
};

/** A search that finds nothing has no filter. */
export async function* printPurchases(
  db: Db,
  filter: Filter | undefined,
  { names, gone, rest, most = mostRows, currency = null }: Printing,
): AsyncGenerator<string> {
  const { header, cell } = currencyColumn(currency);
  yield csvLine([...columns, ...header]);
  if (filter === undefined) return;
  let before: string | undefined;
  for (let left = most; left > 0; ) {
    // Flushes, and yields to other work, before more is read.
    await rest();
    const limit = Math.min(rowsAtATime, left);
    const { rows, next } = await search(db, filter, { before, limit, piece: 'file', turn: rest });
    left -= rows.length;
    // A rare match gives many pieces without a line, in which a reader's leaving goes unnoticed.
    if (gone()) return;
    if (rows.length > 0) yield rows.map((row) => lineOf(row, names, cell)).join('');
    if (next === null) return;
    before = next;
  }
  yield csvLine([lastLine, ...[...columns.slice(1), ...header].map(() => '')]);
}
