/** Reads a statement: a client's postings in a period, with opening and closing balance. */
import type { Db } from '../db/types.ts';
import { type Entry, readEntries, readEntry, type StatementEntry } from './entries.ts';
import { type Balance, emptyAccount } from './posting.ts';
import { readAccount } from './store.ts';

/** From a time, and to before another; open-ended if one is missing. */
export type Span = { readonly from?: number; readonly to?: number };

export type Statement = {
  /** The balance before the first entry, and after the last; `seq` is the number of the entry before. */
  readonly opening: Balance;
  readonly closing: Balance;
  /** The number of entries in the period. */
  readonly count: number;
  /** Entries by their position among those, from `start` to before `end`. */
  readonly entries: (start: number, end: number) => Promise<readonly StatementEntry[]>;
};

const balanceAfter = ({ available_after, held_after, seq }: Entry): Balance => ({
  available: available_after,
  held: held_after,
  seq,
});

/**
 * The number of the last entry before a time. A client's entries are numbered without gaps in the order of
 * their times, so binary search finds it: some twenty lookups for a million, without an index that every
 * purchase would have to write. After a clock step back it is one of the matching positions.
 */
const lastBefore = async (
  db: Db,
  clientId: string,
  { before, seq }: { readonly before: number; readonly seq: number },
): Promise<number> => {
  let [low, high] = [0, seq];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const entry = await readEntry(db, clientId, middle);
    if (entry === undefined) throw new Error(`There is no posting ${middle} of ${clientId}.`);
    if (entry.at < before) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * The ledger is append-only: a statement of the existing entries needs no transaction, and its pages stay
 * consistent during writes.
 */
export const readStatement = async (db: Db, clientId: string, span: Span): Promise<Statement> => {
  const now = (await readAccount(db, clientId)) ?? emptyAccount;
  const numberBefore = (moment: number, seq: number): Promise<number> =>
    lastBefore(db, clientId, { before: moment, seq });
  const balanceAt = async (seq: number): Promise<Balance> => {
    if (seq === now.seq) return now;
    const entry = seq === 0 ? undefined : await readEntry(db, clientId, seq);
    return entry === undefined ? emptyAccount : balanceAfter(entry);
  };
  const last = span.to === undefined ? now.seq : await numberBefore(span.to, now.seq);
  const before = span.from === undefined ? 0 : await numberBefore(span.from, last);
  return {
    opening: await balanceAt(before),
    closing: await balanceAt(last),
    count: last - before,
    entries: (start, end) =>
      readEntries(db, clientId, { after: before + start, upTo: Math.min(before + end, last) }),
  };
};

// Some tens of kilobytes: a statement never holds more in memory, however long it is.
const entriesAtATime = 200;

/** All entries, read piece by piece on demand. */
export async function* streamEntries({
  count,
  entries,
}: Statement): AsyncGenerator<StatementEntry> {
  for (let start = 0; start < count; start += entriesAtATime) {
    yield* await entries(start, start + entriesAtATime);
  }
}
