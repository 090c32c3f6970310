/** Defines the commands that make, list, show and credit invoices. */
import { bill, credit } from '../../admin/invoices/actions.ts';
import { invoiceToWire, listedToWire, noteToWire } from '../../admin/invoices/wire.ts';
import { createDatabaseTime } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import { printInvoice } from '../../invoices/csv.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { findMonth } from '../../invoices/make.ts';
import { listInvoices, readCreditNotes, readInvoice, readLines } from '../../invoices/store.ts';
import { systemClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { readPositive } from '../../lib/page.ts';
import { readSettings } from '../../settings/settings.ts';
import { auditedOn, byOption, runAudited } from '../audited.ts';
import {
  type Command,
  InvalidUsage,
  integerOption,
  operand,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';

const databaseTime = createDatabaseTime(systemClock);

const rowOf = ({ number, month, clientName, sums, total, tax }: Invoice) => ({
  number,
  month: month.name,
  client: clientName,
  sold: sums.sold,
  reversed: sums.reversed,
  total,
  tax,
});

const columns = {
  NUMBER: 'number',
  MONTH: 'month',
  CLIENT: 'client',
  SOLD: 'sold',
  REVERSED: 'reversed',
  TOTAL: 'total',
  TAX: 'tax',
} as const;

const listed = (invoices: readonly Invoice[]): string =>
  invoices.length === 0 ? 'There are no invoices.' : table(columns, invoices.map(rowOf));

const findInvoice = async (db: Db, text: string): Promise<Invoice> => {
  const number = readPositive(text);
  if (number === undefined) throw new InvalidUsage(`NUMBER must be positive, not "${text}".`);
  const invoice = await readInvoice(db, number);
  if (invoice === undefined) throw new UsageError(`There is no invoice ${number}.`);
  return invoice;
};

const invoiceCreate: Command = {
  name: 'invoice create',
  summary:
    'Make the invoices of a month that has ended: once for each client that bought something.',
  options: {
    month: { value: 'MONTH', about: 'The month, such as 2026-01 or 1404-11.' },
    client: { value: 'CLIENT', about: 'Only for the client with this ID.' },
    ...byOption,
  },
  run: async (args) => {
    const wanted = textOption(args, 'month') ?? '';
    const clientId = textOption(args, 'client') ?? null;
    const done = await withDatabase(async (deps) => {
      const { db } = deps;
      const month = findMonth(await readSettings(db), wanted);
      if (month === undefined || month.endsAt > (await databaseTime(db))) {
        throw new InvalidUsage(`--month must be a month that has ended, not "${wanted}".`);
      }
      return bill({ db, databaseTime, run: auditedOn(deps, args) }, month, clientId);
    });
    const { made, existed, outOfOrder } = done;
    return {
      ok: outOfOrder.length === 0,
      data: {
        made: made.map((invoice) => listedToWire(invoice, [])),
        existed: existed.length,
        out_of_order: outOfOrder,
      },
      text: [
        listed(made),
        `New: ${made.length}. Made before: ${existed.length}.`,
        ...outOfOrder.map(
          (id) => `Client ${id}: bill its earlier months first, or its later one is billed.`,
        ),
      ].join('\n'),
    };
  },
};

const invoiceList: Command = {
  name: 'invoice list',
  summary: 'List the invoices, newest first.',
  options: {
    month: { value: 'MONTH', about: 'Only those of this month.' },
    client: { value: 'CLIENT', about: 'Only those of the client with this ID.' },
    limit: { value: 'COUNT', about: 'How many (default: 50).' },
  },
  run: async (args) => {
    const [month, clientId] = [textOption(args, 'month'), textOption(args, 'client')];
    const limit = integerOption(args, 'limit', { most: 10_000, otherwise: 50 });
    const filter = {
      ...(month === undefined ? {} : { month }),
      ...(clientId === undefined ? {} : { clientId }),
      limit,
    };
    const { invoices, notes } = await withDatabase(async ({ db }) => {
      const found = await listInvoices(db, filter);
      return {
        invoices: found,
        notes: await readCreditNotes(
          db,
          found.map((one) => one.number),
        ),
      };
    });
    return {
      data: invoices.map((invoice) =>
        listedToWire(
          invoice,
          notes.filter(({ invoiceNumber }) => invoiceNumber === invoice.number),
        ),
      ),
      text: listed(invoices),
    };
  },
};

const invoiceShow: Command = {
  name: 'invoice show',
  summary: 'Show an invoice with its lines and credit notes.',
  operands: ['NUMBER'],
  options: { csv: { about: 'Print it as CSV.' } },
  run: async (args) => {
    const { invoice, lines, notes } = await withDatabase(async ({ db }) => {
      const found = await findInvoice(db, operand(args, 0));
      return {
        invoice: found,
        lines: await readLines(db, found.number),
        notes: await readCreditNotes(db, [found.number]),
      };
    });
    const data = invoiceToWire(invoice, lines, notes, (text) => text);
    if (args.options.get('csv') === true) {
      return { data, text: printInvoice(invoice, lines, { locale: 'en' }).trimEnd() };
    }
    const products = lines.map(({ productId, names, sold, charged, reversedAmount }) => ({
      product: names.name_en ?? names.name ?? productId,
      sold,
      charged,
      reversed: reversedAmount,
    }));
    return {
      data,
      text: [
        listed([invoice]),
        table(
          { PRODUCT: 'product', SOLD: 'sold', CHARGED: 'charged', REVERSED: 'reversed' },
          products,
        ),
        ...(notes.length === 0
          ? []
          : [
              table(
                { 'CREDIT NOTE': 'number', AMOUNT: 'amount', REASON: 'reason' },
                notes.map(({ number, amount, reason }) => ({ number, amount, reason })),
              ),
            ]),
      ].join('\n\n'),
    };
  },
};

const invoiceCredit: Command = {
  name: 'invoice credit',
  summary: 'Make a credit note: give an amount of an invoice back to the client.',
  operands: ['NUMBER'],
  options: {
    amount: { value: 'AMOUNT', about: 'At most what is left of the total.' },
    reason: { value: 'TEXT', about: 'The reason; the client sees it in its statement.' },
    ...byOption,
  },
  run: async (args) => {
    const amount = readAmount(textOption(args, 'amount') ?? '', '--amount');
    const reason = textOption(args, 'reason') ?? '';
    const note = await runAudited(args, async (acting) =>
      credit(acting, await findInvoice(acting.db, operand(args, 0)), { amount, reason }),
    );
    if (note === undefined) {
      throw new UsageError('The invoice has less left than that. Nothing was changed.');
    }
    return { data: noteToWire(note), text: `Credit note ${note.number}: ${note.amount}.` };
  },
};

export const invoiceCommands: readonly Command[] = [
  invoiceCreate,
  invoiceList,
  invoiceShow,
  invoiceCredit,
];
