/** Prints a report of what was sold as CSV. */
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import type { Cell, SalesTable } from './table.ts';

// Names are not ours, and a spreadsheet would evaluate those that begin with a sign.
const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? escapeFormula(cell) : `${cell ?? ''}`;

export async function* printSales({ titles, batches }: SalesTable): AsyncGenerator<string> {
  yield csvLine(titles);
  for await (const rows of batches) {
    yield rows.map((cells) => csvLine(cells.map(textOf))).join('');
  }
}
