/** Runs the SQL of invoices and credit notes, and gives out their numbers. */
import { sqlOf } from '../db/engine.ts';
import { insertRows, runText, writeRows } from '../db/statement.ts';
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { isRecord } from '../lib/record.ts';
import { readCurrency } from '../settings/currency.ts';
import type { CreditNote, Invoice, Line, Party, ProductNames, Sums } from './invoice.ts';
import { type SumRow, sumsIn } from './range.ts';

const sumsRow = (sums: Sums): SumRow => ({
  sold: sums.sold,
  price: sums.price,
  charged: sums.charged,
  reversed: sums.reversed,
  reversed_amount: sums.reversedAmount,
});

/** Within a transaction: other invoices and credit notes wait until it ends. Returns the last number. */
export const lockNumbers = async (
  db: Db,
  kind: Tables['invoice_numbers']['kind'],
): Promise<number> => {
  const text = `select last from invoice_numbers where kind = ?${sqlOf(db).lockRows}`;
  const [row] = await runText<{ last: number }>(db, text, [kind]);
  if (row === undefined) throw new Error(`There are no numbers for ${kind}.`);
  return row.last;
};

/** The last number of each kind, without a lock. */
export const readLastNumbers = async (
  db: Db,
): Promise<Record<'invoice' | 'credit_note', number>> => {
  const rows = await db.selectFrom('invoice_numbers').select(['kind', 'last']).execute();
  const lastOf = (kind: 'invoice' | 'credit_note'): number =>
    rows.find((row) => row.kind === kind)?.last ?? 0;
  return { invoice: lastOf('invoice'), credit_note: lastOf('credit_note') };
};

export const writeLastNumber = async (
  db: Db,
  kind: Tables['invoice_numbers']['kind'],
  last: number,
): Promise<void> => {
  await db.updateTable('invoice_numbers').set({ last }).where('kind', '=', kind).execute();
};

/** What was stored as JSON by this file. */
const jsonText = (text: string, name: string): string => {
  const value: unknown = JSON.parse(text);
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
};

const namesIn = (text: string): ProductNames => ({
  name: jsonText(text, 'name') || null,
  name_en: jsonText(text, 'name_en') || null,
});

/** Invoices from before billing details have the client's name alone. */
const partyIn = (text: string): Party => ({
  name: jsonText(text, 'name'),
  number: jsonText(text, 'number'),
  address: jsonText(text, 'address'),
});

const invoiceColumns = columnsOf('invoices');
const lineColumns = columnsOf('invoice_lines');
const noteColumns = columnsOf('credit_notes');

const invoiceIn = (row: Tables['invoices']): Invoice => ({
  number: row.number,
  clientId: row.client_id,
  clientName: jsonText(row.buyer, 'client') || jsonText(row.buyer, 'name'),
  month: { calendar: row.calendar, name: row.month },
  beginsAt: row.begins_at,
  endsAt: row.ends_at,
  timeZone: row.time_zone,
  range: { after: row.after_seq, through: row.through_seq },
  sums: sumsIn(row),
  total: row.total,
  taxPercent: row.tax_percent,
  tax: row.tax,
  seller: partyIn(row.seller),
  buyer: partyIn(row.buyer),
  currency: row.currency === null ? null : readCurrency(row.currency),
  createdAt: row.created_at,
});

const noteIn = (row: Tables['credit_notes']): CreditNote => ({
  number: row.number,
  invoiceNumber: row.invoice_number,
  clientId: row.client_id,
  amount: row.amount,
  tax: row.tax,
  reason: row.reason,
  postingSeq: row.posting_seq,
  createdAt: row.created_at,
});

/** Who is billed for a client, as it is known now. */
export const readBuyer = async (
  db: Db,
  client: { readonly id: string; readonly name: string },
): Promise<Party> => {
  const known = await db
    .selectFrom('client_contacts')
    .select(['legal_name', 'tax_number', 'address'])
    .where('client_id', '=', client.id)
    .executeTakeFirst();
  return {
    name: known?.legal_name || client.name,
    number: known?.tax_number ?? '',
    address: known?.address ?? '',
  };
};

const insertLinesText = insertRows('invoice_lines');

export const insertInvoice = async (
  db: Db,
  invoice: Invoice,
  lines: readonly Line[],
): Promise<void> => {
  const { sums, month, range, clientName, seller, buyer, currency } = invoice;
  await db
    .insertInto('invoices')
    .values({
      number: invoice.number,
      client_id: invoice.clientId,
      calendar: month.calendar,
      month: month.name,
      begins_at: invoice.beginsAt,
      ends_at: invoice.endsAt,
      time_zone: invoice.timeZone,
      after_seq: range.after,
      through_seq: range.through,
      ...sumsRow(sums),
      total: invoice.total,
      tax_percent: invoice.taxPercent,
      tax: invoice.tax,
      seller: JSON.stringify(seller),
      buyer: JSON.stringify({ ...buyer, client: clientName }),
      currency: currency && JSON.stringify(currency),
      created_at: invoice.createdAt,
    })
    .execute();
  const rows = lines.map((line): Tables['invoice_lines'] => ({
    number: invoice.number,
    product_id: line.productId,
    names: JSON.stringify(line.names),
    ...sumsRow(line),
  }));
  await writeRows(
    db,
    insertLinesText,
    rows.map((row) => lineColumns.map((column) => row[column])),
  );
};

export const insertCreditNote = async (db: Db, note: CreditNote): Promise<void> => {
  await db
    .insertInto('credit_notes')
    .values({
      number: note.number,
      invoice_number: note.invoiceNumber,
      client_id: note.clientId,
      amount: note.amount,
      tax: note.tax,
      reason: note.reason,
      posting_seq: note.postingSeq,
      created_at: note.createdAt,
    })
    .execute();
};

/** The invoice of a client that ends last. */
export const readLastInvoice = async (db: Db, clientId: string): Promise<Invoice | undefined> => {
  const row = await db
    .selectFrom('invoices')
    .select(invoiceColumns)
    .where('client_id', '=', clientId)
    .orderBy('after_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : invoiceIn(row);
};

export const readInvoiceOf = async (
  db: Db,
  clientId: string,
  { calendar, name }: Invoice['month'],
): Promise<Invoice | undefined> => {
  const row = await db
    .selectFrom('invoices')
    .select(invoiceColumns)
    .where('client_id', '=', clientId)
    .where('calendar', '=', calendar)
    .where('month', '=', name)
    .executeTakeFirst();
  return row === undefined ? undefined : invoiceIn(row);
};

export const readInvoice = async (db: Db, number: number): Promise<Invoice | undefined> => {
  const row = await db
    .selectFrom('invoices')
    .select(invoiceColumns)
    .where('number', '=', number)
    .executeTakeFirst();
  return row === undefined ? undefined : invoiceIn(row);
};

/** The lines of an invoice, by the IDs of their products. */
export const readLines = async (db: Db, number: number): Promise<readonly Line[]> => {
  const rows = await db
    .selectFrom('invoice_lines')
    .select(lineColumns)
    .where('number', '=', number)
    .orderBy('product_id')
    .execute();
  return rows.map((row) => ({
    ...sumsIn(row),
    productId: row.product_id,
    names: namesIn(row.names),
  }));
};

export const readCreditNotes = async (
  db: Db,
  of: readonly number[] | 'all',
): Promise<readonly CreditNote[]> => {
  if (of.length === 0) return [];
  let query = db.selectFrom('credit_notes').select(noteColumns);
  if (of !== 'all') query = query.where('invoice_number', 'in', of);
  return (await query.orderBy('number').execute()).map(noteIn);
};

export type InvoiceFilter = {
  readonly clientId?: string;
  readonly month?: string;
  /** Only numbers below this. */
  readonly before?: number;
  readonly limit: number;
};

/** The newest first. */
export const listInvoices = async (
  db: Db,
  { clientId, month, before, limit }: InvoiceFilter,
): Promise<readonly Invoice[]> => {
  let query = db.selectFrom('invoices').select(invoiceColumns);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (month !== undefined) query = query.where('month', '=', month);
  if (before !== undefined) query = query.where('number', '<', before);
  const rows = await query.orderBy('number', 'desc').limit(limit).execute();
  return rows.map(invoiceIn);
};

/** The clients that are billed: test clients buy nothing. */
export const listBilledClients = async (
  db: Db,
): Promise<readonly { readonly id: string; readonly name: string }[]> =>
  db.selectFrom('clients').select(['id', 'name']).where('test', '=', 0).orderBy('id').execute();
