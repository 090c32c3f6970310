/** Prints a list of clients as CSV. */
import type { ClientWithMoney } from '../../clients/store.ts';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import type { Turn } from '../../lib/time-slices.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
import { clientToWire } from './wire.ts';

/** As many as a spreadsheet handles easily and a person would look at. */
export const mostClients = 100_000;

const linesAtATime = 500;

const titles = [
  'id',
  'name',
  'status',
  'available',
  'held',
  'low',
  'created_at',
  'test',
  'credit_limit',
  'credit_used',
] as const;

type Printing = {
  readonly lowBelow: number;
  readonly currency: Currency | null;
  /** Awaited between two pieces. */
  readonly rest: Turn;
};

export async function* printClients(
  read: (after: string | undefined, limit: number) => Promise<readonly ClientWithMoney[]>,
  { lowBelow, currency, rest }: Printing,
): AsyncGenerator<string> {
  const { header, cell } = currencyColumn(currency);
  yield csvLine([...titles, ...header]);
  const print = (row: ClientWithMoney): string => {
    const client = clientToWire(row, lowBelow);
    // Names are not ours, and a spreadsheet would evaluate those that begin with a sign.
    const texts = { ...client, name: escapeFormula(client.name) };
    return csvLine([...titles.map((title) => String(texts[title])), ...cell]);
  };
  let after: string | undefined;
  for (let printed = 0; printed < mostClients; printed += linesAtATime) {
    await rest();
    const rows = await read(after, linesAtATime);
    yield rows.map(print).join('');
    if (rows.length < linesAtATime) return;
    after = rows.at(-1)?.id;
  }
}
