/** Serves what was sold over HTTP: a report, the same as CSV, and the sales of the overview. */
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import { createOneAtATime } from '../../lib/one-at-a-time.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { type Locale, preferredLocale } from '../../lib/text.ts';
import { writeXlsx } from '../../lib/xlsx.ts';
import { mostDays } from '../../purchases/sales/report/query.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { type GuardDeps, visitIn } from '../access/guard.ts';
import { mayDo } from '../access/roles.ts';
import type { Exports } from '../exports.ts';
import { csvFile, guarded, refusals, xlsxFile, xlsxType } from '../wire.ts';
import { printSales } from './csv.ts';
import { exampleSales, exampleSalesOverview } from './examples.ts';
import { readSalesQuery, salesQuery } from './query.ts';
import { periodNames, readPresent, readSalesOverview, readShown, type SalesDeps } from './sales.ts';
import { mostLines, type SalesTable, salesTable } from './table.ts';
import { reportToWire, SalesOverviewSchema, SalesSchema } from './wire.ts';

export type SalesRouteDeps = GuardDeps & {
  readonly sales: Omit<SalesDeps, 'db'>;
  readonly exports: Exports;
  readonly settings: Pick<CurrentSettings, 'current'>;
};

export const salesTag = { name: 'Sales', description: 'What was sold, in money.' };

const common = { tags: [salesTag.name] };

const mostRows = 1000;

const querystring = Type.Object(salesQuery);

const schemas = {
  get: {
    ...common,
    operationId: 'getSales',
    summary: 'Report what was sold',
    description: `Adds up sales and reversals of up to ${mostDays} business days. The sums equal the ledger to the unit, up to \`complete_to\`. Returns the ${mostRows} groups with the largest amount at most.`,
    querystring,
    response: { 200: answer(SalesSchema, 'The report.', exampleSales), ...refusals(...guarded) },
  },
  csv: {
    ...common,
    operationId: 'exportSales',
    summary: 'Export what was sold',
    description: `Exports the same report as CSV, up to ${mostLines} groups, with names in the language of \`Accept-Language\`. If there are more, the last line says so.`,
    querystring,
    response: { 200: csvFile, ...refusals(...guarded, 'EXPORT_BUSY') },
  },
  xlsx: {
    ...common,
    operationId: 'exportSalesAsXlsx',
    summary: 'Export what was sold for a spreadsheet',
    description: `Exports the same as XLSX, up to ${mostLines} groups. In Persian the sheet reads from right to left.`,
    querystring,
    response: { 200: xlsxFile, ...refusals(...guarded, 'EXPORT_BUSY') },
  },
  overview: {
    ...common,
    operationId: 'getSalesOverview',
    summary: 'Get the sales of the overview',
    description:
      'Returns what was sold today, yesterday, and in the last 7 and 30 days with today, each compared with the period before. Also the ten largest operators, products, clients and suppliers of one of these periods.',
    querystring: Type.Object({
      period: Type.Optional(
        Type.Enum([...periodNames], { description: 'The period of `top`. Default: `today`.' }),
      ),
    }),
    response: {
      200: answer(SalesOverviewSchema, 'The sales.', exampleSalesOverview),
      ...refusals(...guarded),
    },
  },
};

type FileKind = {
  readonly type: string;
  readonly name: string;
  readonly print: (table: SalesTable, locale: Locale) => AsyncIterable<string | Uint8Array>;
};

const csv: FileKind = {
  type: 'text/csv; charset=utf-8; header=present',
  name: 'sales.csv',
  print: printSales,
};

const xlsx: FileKind = {
  type: xlsxType,
  name: 'sales.xlsx',
  print: (table, locale) => writeXlsx({ ...table, rightToLeft: locale === 'fa' }),
};

const config = { adminNeeds: 'read' } as const;
const base = '/admin/api/sales';

export const salesRoutes =
  ({ db, sales, exports, settings }: SalesRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const deps: SalesDeps = { ...sales, db };
    const preValidation = dropEmptyQuery;
    // A large report is sorted in one turn, which purchases wait for.
    const inTurn = createOneAtATime();
    type Asked = FastifyRequest & { readonly query: Static<typeof querystring> };
    const seesCost = (request: FastifyRequest): boolean =>
      mayDo(visitIn(request).account.role, 'cost');
    const readFor = async (request: Asked, limit: number) => {
      const present = await readPresent(deps);
      const { compare, ...wanted } = readSalesQuery(request.query, present.today);
      const { zone } = present;
      const shown = { limit, compare, seesCost: seesCost(request), zone };
      return { ...(await inTurn(() => readShown(deps, wanted, shown))), by: wanted.by, present };
    };
    /** The same as a file. */
    const fileFor = async (
      request: Asked,
      reply: FastifyReply,
      { type, name, print }: FileKind,
    ): Promise<Readable> => {
      const { body, rest } = exports.open(visitIn(request).account.id, reply.raw);
      const { report, by, showing } = await readFor(request, mostLines);
      const { currency } = settings.current();
      const locale = preferredLocale(request.headers['accept-language']);
      const table = salesTable(report, { by, showing, locale, currency, rest });
      void reply
        .type(type)
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('vary', 'accept-language');
      return body(print(table, locale));
    };

    app.get(base, { config, preValidation, schema: schemas.get }, async (request) => {
      const { report, by, present, refused, showing } = await readFor(request, mostRows);
      return reportToWire(report, [...by], { ...present, refused }, showing);
    });

    app.get(`${base}.csv`, { config, preValidation, schema: schemas.csv }, (request, reply) =>
      fileFor(request, reply, csv),
    );

    app.get(`${base}.xlsx`, { config, preValidation, schema: schemas.xlsx }, (request, reply) =>
      fileFor(request, reply, xlsx),
    );

    app.get(
      `${base}/overview`,
      { config, preValidation, schema: schemas.overview },
      async (request) =>
        readSalesOverview(deps, request.query.period ?? 'today', seesCost(request)),
    );
  };
