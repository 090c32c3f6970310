/** Verifies that invoices say what the postings of their ranges do, and that these neither overlap nor leave gaps. */
import { runText } from '../db/statement.ts';
import type { Db } from '../db/types.ts';
import { readAccount } from '../ledger/store.ts';
import type { CreditNote, Invoice, Sums } from './invoice.ts';
import { listInvoices, readCreditNotes, readLastNumbers, readLines } from './store.ts';

export type InvoiceProblem = { readonly client?: string; readonly problem: string };

export type InvoiceVerification = {
  readonly invoices: number;
  readonly problems: readonly InvoiceProblem[];
};

type Movement = {
  readonly kind: 'capture' | 'reverse';
  readonly amount: number;
  readonly product: number;
  readonly price: number;
};

const movementsText = `select postings.kind as kind, postings.amount as amount,
    coalesce(purchases.product_id, 0) as product, coalesce(purchases.amount, postings.amount) as price
  from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = postings.purchase_id
  where postings.client_id = ? and postings.seq > ? and postings.seq <= ?
    and postings.kind in ('capture', 'reverse') and coalesce(purchases.supplier_id, 1) > 0`;

const written = ({ sold, price, charged, reversed, reversedAmount }: Sums): string =>
  [sold, price, charged, reversed, reversedAmount].join(' ');

// The sums of an invoice as a whole.
const all = 'all';
const atOnce = 20_000;

/** Adds up posting by posting, without the code that made the invoice. */
const sumsOfRange = async (
  db: Db,
  { clientId, range }: Pick<Invoice, 'clientId' | 'range'>,
): Promise<ReadonlyMap<number | typeof all, number[]>> => {
  const sums = new Map<number | typeof all, number[]>();
  const add = (key: number | typeof all, parts: readonly number[]): void => {
    const known = sums.get(key) ?? [0, 0, 0, 0, 0];
    sums.set(
      key,
      known.map((sum, index) => sum + (parts[index] ?? 0)),
    );
  };
  for (let after = range.after; after < range.through; after += atOnce) {
    const values = [clientId, after, Math.min(after + atOnce, range.through)];
    for (const { kind, amount, product, price } of await runText<Movement>(
      db,
      movementsText,
      values,
    )) {
      const parts = kind === 'capture' ? [1, price, amount, 0, 0] : [0, 0, 0, 1, amount];
      add(product, parts);
      add(all, parts);
    }
  }
  return sums;
};

/** The tax within an amount by another formula: what is left without it, in exact decimals. */
const isTaxOf = (amount: number, percent: string, tax: number): boolean => {
  const rate = BigInt(Math.round(Number(percent) * 10_000));
  // |amount * rate / (100 % + rate) - tax| is at most a half.
  const off = BigInt(amount) * rate - BigInt(tax) * (1_000_000n + rate);
  return 2n * (off < 0n ? -off : off) <= 1_000_000n + rate;
};

const verifyOne = async (
  db: Db,
  invoice: Invoice,
  notes: readonly CreditNote[],
): Promise<readonly string[]> => {
  const { number, sums, total, tax, taxPercent } = invoice;
  const posted = await sumsOfRange(db, invoice);
  const lines = await readLines(db, number);
  const problems: string[] = [];
  if (written(sums) !== posted.get(all)?.join(' '))
    problems.push(`Invoice ${number} has not the sums of its postings.`);
  if (lines.length !== posted.size - 1)
    problems.push(`Invoice ${number} has ${lines.length} lines for ${posted.size - 1} products.`);
  for (const line of lines) {
    if (written(line) !== posted.get(line.productId)?.join(' '))
      problems.push(`Invoice ${number} differs from its postings for product ${line.productId}.`);
  }
  if (total !== sums.charged - sums.reversedAmount || !isTaxOf(total, taxPercent, tax))
    problems.push(`Invoice ${number} has a wrong total or tax.`);
  const credited = notes.reduce((sum, { amount }) => sum + amount, 0);
  if (credited > Math.max(0, total))
    problems.push(`Credit notes give back more than the total of invoice ${number}.`);
  return problems;
};

const findCorrection = async (db: Db, { clientId, postingSeq }: CreditNote) =>
  db
    .selectFrom('postings')
    .select(['kind', 'amount', 'to_account'])
    .where('client_id', '=', clientId)
    .where('seq', '=', postingSeq)
    .executeTakeFirst();

const verifyNotes = async (
  db: Db,
  notes: readonly CreditNote[],
  invoices: ReadonlyMap<number, Invoice>,
): Promise<readonly InvoiceProblem[]> => {
  const problems: InvoiceProblem[] = [];
  for (const note of notes) {
    const invoice = invoices.get(note.invoiceNumber);
    const posting = await findCorrection(db, note);
    const isPosted =
      posting?.kind === 'correction' &&
      posting.amount === note.amount &&
      posting.to_account === 'available';
    const isOf =
      invoice?.clientId === note.clientId && isTaxOf(note.amount, invoice.taxPercent, note.tax);
    if (isPosted && isOf) continue;
    problems.push({
      client: note.clientId,
      problem: `Credit note ${note.number} does not match its invoice or its posting.`,
    });
  }
  return problems;
};

/** Ranges in the order of their beginnings: each begins where the one before ends. */
const verifyRanges = (invoices: readonly Invoice[], lastSeq: number): readonly string[] => {
  const ordered = invoices.toSorted((one, other) => one.range.after - other.range.after);
  return ordered.flatMap(({ number, range }, index) => {
    const before = ordered[index - 1];
    const isNext = before === undefined || before.range.through === range.after;
    const isWithin = range.after < range.through && range.through <= lastSeq;
    return [
      ...(isNext ? [] : [`Invoice ${number} does not begin where invoice ${before.number} ends.`]),
      ...(isWithin ? [] : [`Invoice ${number} covers postings that there are not.`]),
    ];
  });
};

/** Numbers from 1 to the last one that was given. */
const verifyNumbers = (kind: string, numbers: readonly number[], last: number) =>
  numbers.length === last && numbers.every((number) => number >= 1 && number <= last)
    ? []
    : [{ problem: `The numbers of ${kind} are not those from 1 to ${last}.` }];

// All that there are, a month each.
const most = Number.MAX_SAFE_INTEGER;

export const verifyInvoices = async (db: Db): Promise<InvoiceVerification> => {
  const invoices = await listInvoices(db, { limit: most });
  const notes = await readCreditNotes(db, 'all');
  const notesOf = Map.groupBy(notes, ({ invoiceNumber }) => invoiceNumber);
  const last = await readLastNumbers(db);
  const problems: InvoiceProblem[] = [
    ...verifyNumbers(
      'invoices',
      invoices.map(({ number }) => number),
      last.invoice,
    ),
    ...verifyNumbers(
      'credit notes',
      notes.map(({ number }) => number),
      last.credit_note,
    ),
  ];
  for (const [client, own] of Map.groupBy(invoices, ({ clientId }) => clientId)) {
    const found = [...verifyRanges(own, (await readAccount(db, client))?.seq ?? 0)];
    for (const invoice of own) {
      found.push(...(await verifyOne(db, invoice, notesOf.get(invoice.number) ?? [])));
    }
    problems.push(...found.map((problem) => ({ client, problem })));
  }
  const byNumber = new Map(invoices.map((invoice) => [invoice.number, invoice]));
  return {
    invoices: invoices.length,
    problems: [...problems, ...(await verifyNotes(db, notes, byNumber))],
  };
};
