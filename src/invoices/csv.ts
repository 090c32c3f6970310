/** Prints an invoice as CSV: a line for each product, and the total. */
import { csvLine, escapeFormula } from '../lib/csv.ts';
import type { Locale } from '../lib/text.ts';
import { type Currency, currencyColumn } from '../settings/currency.ts';
import { type Invoice, type Line, type Sums, totalOf } from './invoice.ts';

const titles = [
  'invoice',
  'client_id',
  'month',
  'product_id',
  'product',
  'sold',
  'price',
  'commission',
  'charged',
  'reversed',
  'reversed_amount',
  'total',
  'tax_percent',
  'tax',
] as const;

const sumCells = (sums: Sums): readonly string[] =>
  [
    sums.sold,
    sums.price,
    sums.price - sums.charged,
    sums.charged,
    sums.reversed,
    sums.reversedAmount,
    totalOf(sums),
  ].map(String);

/** The tax is that of the total, in its line alone. */
export const printInvoice = (
  invoice: Invoice,
  lines: readonly Line[],
  { locale }: { readonly locale: Locale },
): string => {
  const currency: Currency | null = invoice.currency;
  const { header, cell } = currencyColumn(currency);
  const about = [String(invoice.number), invoice.clientId, invoice.month.name];
  const nameOf = ({ names: { name, name_en } }: Line): string =>
    escapeFormula((locale === 'fa' ? name : (name_en ?? name)) ?? '');
  return [
    csvLine([...titles, ...header]),
    ...lines.map((line) =>
      csvLine([...about, String(line.productId), nameOf(line), ...sumCells(line), '', '', ...cell]),
    ),
    csvLine([
      ...about,
      '',
      '',
      ...sumCells(invoice.sums),
      invoice.taxPercent,
      String(invoice.tax),
      ...cell,
    ]),
  ].join('');
};
