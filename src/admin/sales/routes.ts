/** Serves what was sold over HTTP: a report, the same as CSV, and the sales of the overview. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import { createOneAtATime } from '../../lib/one-at-a-time.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { preferredLocale } from '../../lib/text.ts';
import { mostDays } from '../../purchases/sales/report/query.ts';
import { readReport } from '../../purchases/sales/report/report.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { type GuardDeps, visitIn } from '../access/guard.ts';
import type { Exports } from '../exports.ts';
import { csvFile, guarded, refusals } from '../wire.ts';
import { mostLines, printSales } from './csv.ts';
import { readSalesQuery, salesQuery } from './query.ts';
import { periodNames, readNames, readPresent, readSalesOverview, type SalesDeps } from './sales.ts';
import {
  exampleSales,
  exampleSalesOverview,
  reportToWire,
  SalesOverviewSchema,
  SalesSchema,
} from './wire.ts';

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
  overview: {
    ...common,
    operationId: 'getSalesOverview',
    summary: 'Get the sales of the overview',
    description:
      'Returns what was sold today, yesterday, and in the last 7 and 30 days with today, each compared with the period before. Also the ten largest operators, products and clients of one of these periods.',
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

const config = { adminNeeds: 'read' } as const;
const base = '/admin/api/sales';

export const salesRoutes =
  ({ db, sales, exports, settings }: SalesRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const deps: SalesDeps = { ...sales, db };
    const preValidation = dropEmptyQuery;
    // A large report is sorted in one turn, which purchases wait for.
    const inTurn = createOneAtATime();
    const report = async (query: Static<typeof querystring>, limit: number) => {
      const present = await readPresent(deps);
      const { compare, ...wanted } = readSalesQuery(query, present.today);
      const found = await inTurn(() => readReport(db, wanted, { limit, compare }));
      return { found, by: wanted.by, present, names: await readNames(deps) };
    };

    app.get(base, { config, preValidation, schema: schemas.get }, async ({ query }) => {
      const { found, by, present, names } = await report(query, mostRows);
      return reportToWire(found, [...by], { ...present, names });
    });

    app.get(
      `${base}.csv`,
      { config, preValidation, schema: schemas.csv },
      async (request, reply) => {
        const { body, rest } = exports.open(visitIn(request).account.id, reply.raw);
        const { found, by, names } = await report(request.query, mostLines);
        const { currency } = settings.current();
        const locale = preferredLocale(request.headers['accept-language']);
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="sales.csv"')
          .header('vary', 'accept-language')
          .send(body(printSales(found, { by, names, locale, currency, rest })));
      },
    );

    app.get(
      `${base}/overview`,
      { config, preValidation, schema: schemas.overview },
      async ({ query }) => readSalesOverview(deps, query.period ?? 'today'),
    );
  };
