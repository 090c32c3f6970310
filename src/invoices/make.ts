/** Makes invoices: one for each client and finished month, of what its postings sold and reversed. */
import type { DatabaseTime, Db } from '../db/types.ts';
import { readStatement } from '../ledger/statement.ts';
import { type BusinessDay, daysIn } from '../lib/business-day.ts';
import type { Day } from '../lib/calendar-day.ts';
import { type Month, monthOn, readMonth } from '../lib/calendar-month.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { addSums, type Invoice, type Line, noSums, type Range, taxIn, totalOf } from './invoice.ts';
import { readProductNames, readSums } from './range.ts';
import {
  insertInvoice,
  lockNumbers,
  readBuyer,
  readInvoiceOf,
  readLastInvoice,
  writeLastNumber,
} from './store.ts';

const dayMs = 86_400_000;

/** When a day begins by the clocks of a zone; a day that they skip begins with the next. */
const beginningOf = (day: Day, timeZone: string): number => {
  const dayAt = daysIn(timeZone);
  let found: BusinessDay = dayAt(day * dayMs);
  while (found.date < day) found = dayAt(found.ends);
  while (found.date > day && dayAt(found.begins - 1).date >= day) found = dayAt(found.begins - 1);
  return found.begins;
};

/** A month as the business has it. */
export type BilledMonth = Month & { readonly beginsAt: number; readonly endsAt: number };

const billed = (month: Month, timeZone: string): BilledMonth => ({
  ...month,
  beginsAt: beginningOf(month.first, timeZone),
  endsAt: beginningOf(month.next, timeZone),
});

/** The month of a name; undefined if there is none. */
export const findMonth = (
  { invoices, timeZone }: Pick<Settings, 'invoices' | 'timeZone'>,
  name: string,
): BilledMonth | undefined => {
  const month = readMonth(invoices.calendar, name);
  return month === undefined ? undefined : billed(month, timeZone);
};

/** The last months that have ended, the newest first. */
export const finishedMonths = (
  { invoices, timeZone }: Pick<Settings, 'invoices' | 'timeZone'>,
  now: number,
  count: number,
): readonly BilledMonth[] => {
  const months: BilledMonth[] = [];
  let day = monthOn(invoices.calendar, daysIn(timeZone)(now).date).first - 1;
  while (months.length < count) {
    const month = monthOn(invoices.calendar, day);
    months.push(billed(month, timeZone));
    day = month.first - 1;
  }
  return months;
};

/** What an invoice would say, without its number. */
type Draft = {
  readonly invoice: Omit<Invoice, 'number' | 'createdAt'>;
  readonly lines: readonly Line[];
  /** The number of the client's invoice before it. */
  readonly follows: number | undefined;
};

export type Made =
  | { readonly outcome: 'made' | 'existed'; readonly invoice: Invoice }
  /** Nothing was sold or reversed. */
  | { readonly outcome: 'nothing' }
  /** An earlier month has no invoice, or a later one has. */
  | { readonly outcome: 'out_of_order' };

type Billed = { readonly id: string; readonly name: string };

/** The number of a client's last posting before a moment. */
const seqBefore = async (db: Db, clientId: string, moment: number): Promise<number> =>
  (await readStatement(db, clientId, { to: moment })).closing.seq;

// A query reads no more postings at a time: it holds up the thread that sells from a file.
const postingsAtOnce = 20_000;

const readRange = async (db: Db, clientId: string, range: Range): Promise<readonly Line[]> => {
  const byProduct = new Map<number, Line>();
  for (let after = range.after; after < range.through; after += postingsAtOnce) {
    const through = Math.min(after + postingsAtOnce, range.through);
    for (const { productId, ...sums } of await readSums(db, clientId, { after, through })) {
      const known = byProduct.get(productId) ?? noSums;
      const names = { name: null, name_en: null };
      byProduct.set(productId, { ...addSums(known, sums), productId, names });
    }
  }
  const names = await readProductNames(db, [...byProduct.keys()]);
  return [...byProduct.values()]
    .map((line) => ({ ...line, names: names.get(line.productId) ?? line.names }))
    .toSorted((one, other) => one.productId - other.productId);
};

// A month and the next one end and begin at the same moment, unless the time zone changed meanwhile.
const longestGapMs = 2 * dayMs;

/** Where the month's range begins; undefined if its turn has not come, or has passed. */
const beginningSeq = async (
  db: Db,
  clientId: string,
  month: BilledMonth,
  last: Invoice | undefined,
): Promise<number | undefined> => {
  const before = await seqBefore(db, clientId, month.beginsAt);
  if (last === undefined) return before;
  if (last.endsAt >= month.endsAt) return undefined;
  const { through } = last.range;
  if (before <= through || month.beginsAt - last.endsAt <= longestGapMs) return through;
  const unbilled = await readRange(db, clientId, { after: through, through: before });
  return unbilled.length === 0 ? through : undefined;
};

const draftOf = async (
  db: Db,
  client: Billed,
  month: BilledMonth,
  last: Invoice | undefined,
): Promise<Draft | 'nothing' | 'out_of_order'> => {
  const settings = await readSettings(db);
  const after = await beginningSeq(db, client.id, month, last);
  if (after === undefined) return 'out_of_order';
  const through = Math.max(after, await seqBefore(db, client.id, month.endsAt));
  const lines = await readRange(db, client.id, { after, through });
  if (lines.length === 0) return 'nothing';
  const sums = lines.reduce<Line | typeof noSums>((sum, line) => addSums(sum, line), noSums);
  const { invoices: terms, companyName, currency, timeZone } = settings;
  const total = totalOf(sums);
  return {
    follows: last?.number,
    lines,
    invoice: {
      clientId: client.id,
      clientName: client.name,
      month: { calendar: month.calendar, name: month.name },
      beginsAt: month.beginsAt,
      endsAt: month.endsAt,
      timeZone,
      range: { after, through },
      sums: addSums(sums, noSums),
      total,
      taxPercent: terms.taxPercent,
      tax: taxIn(total, terms.taxPercent),
      seller: {
        name: terms.sellerName === '' ? companyName : terms.sellerName,
        number: terms.sellerNumber,
        address: terms.sellerAddress,
      },
      buyer: await readBuyer(db, client),
      currency,
    },
  };
};

export type MakeDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** Runs the work in one transaction. `written` belongs in it. */
  readonly transact: <T>(work: (db: Db, written: Written) => Promise<T>) => Promise<T>;
};

/** Called in the transaction of each new invoice, such as for the audit log. */
type Written = (invoice: Invoice) => Promise<void>;

/** Undefined if another invoice of the client was made since the draft. */
const writeDraft = async (
  db: Db,
  { invoice: drafted, lines, follows }: Draft,
  { now, written }: { readonly now: number; readonly written: Written },
): Promise<Made | undefined> => {
  // Others that make one wait here, so that each number is given once.
  const number = (await lockNumbers(db, 'invoice')) + 1;
  if ((await readLastInvoice(db, drafted.clientId))?.number !== follows) return undefined;
  const invoice: Invoice = { ...drafted, number, createdAt: now };
  await insertInvoice(db, invoice, lines);
  await writeLastNumber(db, 'invoice', number);
  await written(invoice);
  return { outcome: 'made', invoice };
};

/** Makes the invoice of a client for a month that has ended; once, however often it is asked for. */
export const makeInvoice = async (
  deps: MakeDeps,
  client: Billed,
  month: BilledMonth,
): Promise<Made> => {
  const { db, databaseTime, transact } = deps;
  for (;;) {
    // Before it is looked for: one that is made in between is then not taken for a later month's.
    const last = await readLastInvoice(db, client.id);
    const existing = await readInvoiceOf(db, client.id, month);
    if (existing !== undefined) return { outcome: 'existed', invoice: existing };
    // Read before the transaction: a month of postings would hold up all who write.
    const draft = await draftOf(db, client, month, last);
    if (typeof draft === 'string') return { outcome: draft };
    const now = await databaseTime(db);
    const made = await transact((db, written) => writeDraft(db, draft, { now, written }));
    if (made !== undefined) return made;
  }
};
