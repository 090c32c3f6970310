/** Describes invoices and credit notes as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { creditable } from '../../invoices/credit.ts';
import {
  type CreditNote,
  type Invoice,
  type Line,
  type Sums,
  totalOf,
} from '../../invoices/invoice.ts';
import type { BilledMonth } from '../../invoices/make.ts';
import { calendars } from '../../lib/calendar-month.ts';
import { recordOf } from '../../lib/record.ts';
import { formatTime } from '../../lib/time.ts';
import { CurrencyOrNull, currencyToWire, exampleCurrency } from '../../settings/wire.ts';
import type { Mask } from '../mask.ts';
import { exampleId, exampleTime, textOrNull } from '../wire.ts';

const sums = {
  sold: Type.Integer({ description: 'How many purchases succeeded.' }),
  price: Type.Integer({ description: 'Their prices, added up.' }),
  commission: Type.Integer({ description: 'What the client got of these.' }),
  charged: Type.Integer({ description: 'What they charged.' }),
  reversed: Type.Integer({ description: 'How many purchases were reversed.' }),
  reversed_amount: Type.Integer({ description: 'What these gave back.' }),
  total: Type.Integer({
    description: '`charged` less `reversed_amount`; below zero if more was reversed than sold.',
  }),
};

const sumsToWire = (of: Sums) => ({
  sold: of.sold,
  price: of.price,
  commission: of.price - of.charged,
  charged: of.charged,
  reversed: of.reversed,
  reversed_amount: of.reversedAmount,
  total: totalOf(of),
});

const exampleSums = {
  sold: 120,
  price: 5_000_000,
  commission: 200_000,
  charged: 4_800_000,
  reversed: 1,
  reversed_amount: 40_000,
  total: 4_760_000,
};

const month = {
  month: Type.String({ description: 'The month, such as `2026-01` or `1404-11`.' }),
  calendar: Type.Enum([...calendars], { description: 'The calendar of the month.' }),
  begins_at: Type.String({ description: 'When the month begins.' }),
  ends_at: Type.String({ description: 'When the next month begins.' }),
};

const listed = {
  number: Type.Integer({
    description: 'The number: all invoices are numbered from 1 without gaps.',
  }),
  client: Type.Object(
    {
      id: Type.String({ description: 'The ID of the client.' }),
      name: Type.String({ description: 'Its name as it was then.' }),
    },
    { description: 'The client.' },
  ),
  ...month,
  created_at: Type.String({ description: 'When it was made.' }),
  ...sums,
  tax_percent: Type.String({ description: 'The tax in percent; `0` for none.' }),
  tax: Type.Integer({ description: 'The tax that `total` includes.' }),
  credited: Type.Integer({ description: 'What credit notes have given back.' }),
  currency: CurrencyOrNull,
};

export const ListedSchema = Type.Object(listed, {
  title: 'Invoice',
  description: 'What a client bought in a month.',
});

const LineSchema = Type.Object(
  {
    product: Type.Object(
      {
        id: Type.Integer({ description: 'The ID of the product; 0 if it is not known.' }),
        name: textOrNull('Its name as it was then; null if it is not known.'),
        name_en: textOrNull('The name in Latin script; null if there is none.'),
      },
      { description: 'The product.' },
    ),
    ...sums,
  },
  { title: 'InvoiceLine', description: 'What was bought of a product.' },
);

export const NoteSchema = Type.Object(
  {
    number: Type.Integer({
      description: 'The number: all credit notes are numbered from 1 without gaps.',
    }),
    amount: Type.Integer({ description: 'What it gives back.' }),
    tax: Type.Integer({ description: 'The tax that the amount includes.' }),
    reason: Type.String({ description: 'Why.' }),
    created_at: Type.String({ description: 'When it was made.' }),
    seq: Type.Integer({ description: 'The number of its entry in the statement.' }),
  },
  { title: 'CreditNote', description: 'Corrects an invoice.' },
);

const partyOf = (description: string) =>
  Type.Object(
    {
      name: Type.String({ description: 'The name.' }),
      number: Type.String({ description: 'The number for taxes.' }),
      address: Type.String({ description: 'The address.' }),
    },
    { description },
  );

export const InvoiceSchema = Type.Object(
  {
    ...listed,
    after_seq: Type.Integer({ description: 'The number of the last entry before it.' }),
    through_seq: Type.Integer({ description: 'The number of its last entry.' }),
    time_zone: Type.String({ description: 'The time zone of the month.' }),
    seller: partyOf('Who sold, as it was then.'),
    buyer: partyOf(
      'Who bought, as it was then. Number and address may be empty, and mobile numbers are masked for roles that cannot see them.',
    ),
    lines: Type.Array(LineSchema, { description: 'By product.' }),
    credit_notes: Type.Array(NoteSchema, { description: 'Its credit notes.' }),
    creditable: Type.Integer({ description: 'What credit notes can still give back.' }),
  },
  { title: 'InvoiceWithLines', description: 'An invoice with its lines and credit notes.' },
);

export const MonthSchema = Type.Object(month, {
  title: 'BilledMonth',
  description: 'A month that has ended.',
});

export const monthToWire = (of: BilledMonth): Static<typeof MonthSchema> => ({
  month: of.name,
  calendar: of.calendar,
  begins_at: formatTime(of.beginsAt),
  ends_at: formatTime(of.endsAt),
});

export const exampleMonth: Static<typeof MonthSchema> = {
  month: '2026-01',
  calendar: 'gregorian',
  begins_at: '2026-01-01T00:00:00.000000Z',
  ends_at: '2026-02-01T00:00:00.000000Z',
};

export const exampleListed: Static<typeof ListedSchema> = {
  number: 12,
  client: { id: exampleId, name: 'A shop' },
  ...exampleMonth,
  created_at: exampleTime,
  ...exampleSums,
  tax_percent: '10',
  tax: 432_727,
  credited: 0,
  currency: exampleCurrency,
};

export const exampleNote: Static<typeof NoteSchema> = {
  number: 1,
  amount: 40_000,
  tax: 3636,
  reason: 'a wrong price',
  created_at: exampleTime,
  seq: 4711,
};

export const exampleInvoice: Static<typeof InvoiceSchema> = {
  ...exampleListed,
  after_seq: 240,
  through_seq: 482,
  time_zone: 'UTC',
  seller: { name: 'Example Mobile Ltd.', number: '4711', address: '1 Example Street' },
  buyer: { name: 'Example Shop Ltd.', number: '10320894478', address: '12 Example Street' },
  lines: [
    {
      product: { id: 2008, name: 'بسته ۱ گیگابایت یک‌ماهه', name_en: '1 GB for a month' },
      ...exampleSums,
    },
  ],
  credit_notes: [],
  creditable: 4_760_000,
};

const creditedOf = (notes: readonly CreditNote[]): number =>
  notes.reduce((sum, { amount }) => sum + amount, 0);

export const listedToWire = (
  invoice: Invoice,
  notes: readonly CreditNote[],
): Static<typeof ListedSchema> => ({
  number: invoice.number,
  client: { id: invoice.clientId, name: invoice.clientName },
  month: invoice.month.name,
  calendar: invoice.month.calendar,
  begins_at: formatTime(invoice.beginsAt),
  ends_at: formatTime(invoice.endsAt),
  created_at: formatTime(invoice.createdAt),
  ...sumsToWire(invoice.sums),
  tax_percent: invoice.taxPercent,
  tax: invoice.tax,
  credited: creditedOf(notes),
  currency: currencyToWire(invoice.currency),
});

export const noteToWire = (note: CreditNote): Static<typeof NoteSchema> => ({
  number: note.number,
  amount: note.amount,
  tax: note.tax,
  reason: note.reason,
  created_at: formatTime(note.createdAt),
  seq: note.postingSeq,
});

export const invoiceToWire = (
  invoice: Invoice,
  lines: readonly Line[],
  notes: readonly CreditNote[],
  mask: Mask,
): Static<typeof InvoiceSchema> => ({
  ...listedToWire(invoice, notes),
  after_seq: invoice.range.after,
  through_seq: invoice.range.through,
  time_zone: invoice.timeZone,
  seller: invoice.seller,
  buyer: recordOf(['name', 'number', 'address'] as const, (field) => mask(invoice.buyer[field])),
  lines: lines.map((line) => ({
    product: { id: line.productId, ...line.names },
    ...sumsToWire(line),
  })),
  credit_notes: notes.map(noteToWire),
  creditable: creditable(invoice, notes),
});
