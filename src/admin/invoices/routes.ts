/** Serves invoices over HTTP: list, make, show, export, and credit. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { longestReason, shortestReason } from '../../clients/money.ts';
import { findClient } from '../../clients/store.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { printInvoice } from '../../invoices/csv.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { findMonth, finishedMonths } from '../../invoices/make.ts';
import {
  type InvoiceFilter,
  listInvoices,
  readCreditNotes,
  readInvoice,
  readLines,
} from '../../invoices/store.ts';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { readPositive } from '../../lib/page.ts';
import { preferredLocale } from '../../lib/text.ts';
import { readSettings } from '../../settings/settings.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { type ActDeps, actOnce, fieldFault, runAction } from '../clients/act.ts';
import { limitOf, pageQuery } from '../clients/page.ts';
import { AdminError } from '../errors.ts';
import { maskFor } from '../mask.ts';
import { bodyOf, csvFile, exampleId, guarded, orNull, refusals, textOrNull } from '../wire.ts';
import { bill, credit } from './actions.ts';
import {
  exampleInvoice,
  exampleListed,
  exampleMonth,
  exampleNote,
  InvoiceSchema,
  invoiceToWire,
  ListedSchema,
  listedToWire,
  MonthSchema,
  monthToWire,
  NoteSchema,
  noteToWire,
} from './wire.ts';

export type InvoiceRouteDeps = ActDeps & {
  readonly pricing: { readonly databaseTime: DatabaseTime };
  readonly mobile: MobileFormat;
};

export const invoicesTag = { name: 'Invoices', description: 'What clients bought, by month.' };
const tags = [invoicesTag.name];

const params = Type.Object({
  number: Type.String({ description: 'The number of the invoice.', examples: ['12'] }),
});
const ofInvoice = [...guarded, 'INVOICE_NOT_FOUND'] as const;

const schemas = {
  months: {
    tags,
    operationId: 'listBilledMonths',
    summary: 'List the months that can be billed',
    description: 'Returns the last twelve months that have ended, in the calendar of the settings.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(MonthSchema, { description: 'The newest first.' }) }),
        'The months.',
        { data: [exampleMonth] },
      ),
      ...refusals(...guarded),
    },
  },
  list: {
    tags,
    operationId: 'listInvoices',
    summary: 'List the invoices',
    description: 'Returns invoices, newest first.',
    querystring: Type.Object({
      client_id: Type.Optional(Type.String({ description: 'Only those of this client.' })),
      month: Type.Optional(Type.String({ description: 'Only those of this month.' })),
      ...pageQuery,
    }),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(ListedSchema, { description: 'The invoices of the page.' }),
          next: textOrNull('Send it as `before` for the next page; null on the last page.'),
        }),
        'A page of invoices.',
        { data: [exampleListed], next: null },
      ),
      ...refusals(...guarded),
    },
  },
  make: {
    tags,
    operationId: 'makeInvoices',
    summary: 'Make the invoices of a month',
    description:
      'Makes one invoice for each client that bought something in the month. Asking again makes none twice. Months of a client are billed in their order.',
    body: bodyOf(
      {
        month: Type.String({ description: 'A month that has ended.' }),
        client_id: orNull(Type.String(), 'Only for this client; null for all.'),
      },
      { month: '2026-01', client_id: null },
    ),
    response: {
      200: answer(
        Type.Object({
          made: Type.Array(ListedSchema, { description: 'The new ones.' }),
          existed: Type.Integer({ description: 'How many there were before.' }),
          out_of_order: Type.Array(Type.String(), {
            description: 'Clients whose earlier month has no invoice, or whose later month has.',
          }),
        }),
        'What was done.',
        { made: [exampleListed], existed: 3, out_of_order: [exampleId] },
      ),
      ...refusals(...guarded, 'CLIENT_NOT_FOUND'),
    },
  },
  show: {
    tags,
    operationId: 'getInvoice',
    summary: 'Get an invoice',
    description: 'Returns an invoice with its lines and credit notes.',
    params,
    response: {
      200: answer(InvoiceSchema, 'The invoice.', exampleInvoice),
      ...refusals(...ofInvoice),
    },
  },
  csv: {
    tags,
    operationId: 'exportInvoice',
    summary: 'Export an invoice',
    description: 'Returns the lines of an invoice as CSV, and its total as the last one.',
    params,
    response: { 200: csvFile, ...refusals(...ofInvoice) },
  },
  credit: {
    tags,
    operationId: 'creditInvoice',
    summary: 'Make a credit note',
    description:
      'Gives an amount of the invoice back to the client, once per key: its balance is corrected in the same transaction. The invoice stays as it is.',
    params,
    body: bodyOf(
      {
        key: KeySchema,
        amount: Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'At most what is left of the total.',
        }),
        reason: Type.String({
          minLength: shortestReason,
          maxLength: longestReason,
          description: 'The reason. The client sees it in its statement.',
        }),
      },
      { key: exampleId, amount: 40_000, reason: 'a wrong price' },
    ),
    response: {
      201: answer(NoteSchema, 'The credit note.', exampleNote),
      ...refusals(...ofInvoice, 'KEY_REUSED'),
    },
  },
};

const base = '/admin/api/invoices';
const one = `${base}/:number`;
const reading = { config: { adminNeeds: 'read' } } as const;
const billing = { config: { adminNeeds: 'money' } } as const;

const monthsShown = 12;

const findInvoice = async (db: Db, { number }: { readonly number: string }): Promise<Invoice> => {
  const invoice = await readInvoice(db, readPositive(number) ?? 0);
  if (invoice === undefined) throw new AdminError('INVOICE_NOT_FOUND');
  return invoice;
};

const readRoutes =
  ({ db, pricing, mobile }: InvoiceRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${base}/months`, { ...reading, schema: schemas.months }, async () => {
      const now = await pricing.databaseTime(db);
      return { data: finishedMonths(await readSettings(db), now, monthsShown).map(monthToWire) };
    });

    app.get(
      base,
      { ...reading, preValidation: dropEmptyQuery, schema: schemas.list },
      async ({ query }) => {
        const { client_id: clientId, month, before } = query;
        const limit = limitOf(query);
        const filter: InvoiceFilter = {
          ...(clientId === undefined ? {} : { clientId }),
          ...(month === undefined ? {} : { month }),
          ...(before === undefined ? {} : { before: readPositive(before) ?? 0 }),
          limit: limit + 1,
        };
        const found = await listInvoices(db, filter);
        const page = found.slice(0, limit);
        const numbers = page.map(({ number }) => number);
        const notes = Map.groupBy(
          await readCreditNotes(db, numbers),
          ({ invoiceNumber }) => invoiceNumber,
        );
        return {
          data: page.map((invoice) => listedToWire(invoice, notes.get(invoice.number) ?? [])),
          next: found.length > limit ? String(page.at(-1)?.number) : null,
        };
      },
    );

    app.get(one, { ...reading, schema: schemas.show }, async (request) => {
      const invoice = await findInvoice(db, request.params);
      const { number } = invoice;
      const [lines, notes] = [await readLines(db, number), await readCreditNotes(db, [number])];
      return invoiceToWire(invoice, lines, notes, maskFor(visitIn(request).account.role, mobile));
    });

    app.get(`${one}/lines.csv`, { ...reading, schema: schemas.csv }, async (request, reply) => {
      const invoice = await findInvoice(db, request.params);
      const locale = preferredLocale(request.headers['accept-language']);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="invoice-${invoice.number}.csv"`)
        .header('vary', 'accept-language')
        .send(
          Readable.from([printInvoice(invoice, await readLines(db, invoice.number), { locale })]),
        );
    });
  };

export const invoiceRoutes =
  (deps: InvoiceRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, pricing } = deps;
    const { databaseTime } = pricing;
    await readRoutes(deps)(app, {});

    app.post(base, { ...billing, schema: schemas.make }, async (request) => {
      const { client_id: clientId, ...wanted } = request.body;
      const month = findMonth(await readSettings(db), wanted.month);
      if (month === undefined || month.endsAt > (await databaseTime(db))) {
        throw fieldFault('month', {
          en: 'month must be one that has ended, such as 2026-01.',
          fa: '`month` باید ماهی باشد که تمام شده است، مانند `2026-01`.',
        });
      }
      if (clientId !== null && (await findClient(db, clientId)) === undefined) {
        throw new AdminError('CLIENT_NOT_FOUND');
      }
      const actor = actorIn(request);
      const run = <T>(work: Parameters<typeof runAction<T>>[2]): Promise<T> =>
        runAction(deps, actor, work);
      const done = await bill({ db, databaseTime, run }, month, clientId);
      return {
        made: done.made.map((invoice) => listedToWire(invoice, [])),
        existed: done.existed.length,
        out_of_order: [...done.outOfOrder],
      };
    });

    app.post(
      `${one}/credit-notes`,
      { ...billing, schema: schemas.credit },
      async (request, reply) => {
        const { key, amount, ...body } = request.body;
        const invoice = await findInvoice(db, request.params);
        const input = { invoice: invoice.number, amount, reason: body.reason.trim() };
        const { answer: note } = await actOnce(
          deps,
          actorIn(request),
          { key, action: 'invoice credit', input },
          {
            answers: NoteSchema,
            work: async (acting) => {
              const made = await credit(acting, invoice, input);
              if (made !== undefined) return made;
              throw fieldFault('amount', {
                en: 'amount must be at most what is left of the invoice.',
                fa: '`amount` باید حداکثر باقی‌ماندهٔ فاکتور باشد.',
              });
            },
            answerOf: noteToWire,
          },
        );
        return reply.code(201).send(note);
      },
    );
  };
