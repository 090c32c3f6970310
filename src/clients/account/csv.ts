/** Prints a statement as CSV: opening balance, entries, closing balance. */
import type { Account } from '../../ledger/posting.ts';
import { type Statement, streamEntries } from '../../ledger/statement.ts';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import { noTurn, type Turn } from '../../lib/time-slices.ts';
import { entryToWire } from './wire.ts';

const columns = [
  'number',
  'at',
  'kind',
  'amount',
  'from',
  'to',
  'available',
  'held',
  'balance',
  'purchase_id',
  'note',
] as const;

const balanceLine = (kind: 'opening' | 'closing', { available, held }: Account): string =>
  csvLine(['', '', kind, '', '', '', `${available}`, `${held}`, `${available + held}`, '', '']);

// Joined, because the stream takes longer per line than the database.
const linesAtATime = 200;

type Printing = {
  /** Yields between two pieces. */
  readonly turn?: Turn;
  /** How a note is shown; unchanged for its own client. */
  readonly note?: (note: string) => string;
};

export async function* printStatement(
  statement: Statement,
  { turn = noTurn, note = (text) => text }: Printing = {},
): AsyncGenerator<string> {
  let lines = csvLine(columns) + balanceLine('opening', statement.opening);
  let count = 0;
  for await (const entry of streamEntries(statement)) {
    const wire = entryToWire(entry);
    lines += csvLine(
      columns.map((name) =>
        name === 'note' ? escapeFormula(note(wire.note ?? '')) : `${wire[name] ?? ''}`,
      ),
    );
    count += 1;
    if (count % linesAtATime > 0) continue;
    yield lines;
    lines = '';
    await turn();
  }
  yield lines + balanceLine('closing', statement.closing);
}
