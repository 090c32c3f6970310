/** Prints a statement as CSV: opening balance, entries, closing balance. */
import type { Balance } from '../../ledger/posting.ts';
import { type Statement, streamEntries } from '../../ledger/statement.ts';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import { noTurn, type Turn } from '../../lib/time-slices.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
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
  'price',
  'commission',
  'charged_amount',
] as const;

const balanceCells = (kind: 'opening' | 'closing', { available, held }: Balance): string[] => [
  '',
  '',
  kind,
  '',
  '',
  '',
  `${available}`,
  `${held}`,
  `${available + held}`,
  '',
  '',
  '',
  '',
  '',
];

// Joined, because the stream takes longer per line than the database.
const linesAtATime = 200;

type Printing = {
  /** Yields between two pieces. */
  readonly turn?: Turn;
  /** How a note is shown; unchanged for its own client. */
  readonly note?: (note: string) => string;
  readonly currency?: Currency | null;
};

export async function* printStatement(
  statement: Statement,
  { turn = noTurn, note = (text) => text, currency = null }: Printing = {},
): AsyncGenerator<string> {
  const { header, cell } = currencyColumn(currency);
  const line = (cells: readonly string[]): string => csvLine([...cells, ...cell]);
  let lines = csvLine([...columns, ...header]) + line(balanceCells('opening', statement.opening));
  let count = 0;
  for await (const entry of streamEntries(statement)) {
    const wire = entryToWire(entry);
    lines += line(
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
  yield lines + line(balanceCells('closing', statement.closing));
}
