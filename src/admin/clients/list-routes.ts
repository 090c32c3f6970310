/** Serves the list of clients over HTTP: sorted pages with their totals, and the same list as CSV. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import {
  type ClientFilter,
  type ClientPage,
  clientSorts,
  searchClients,
  sumClients,
} from '../../clients/store.ts';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import { answer } from '../../lib/openapi/answer.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { visitIn } from '../access/guard.ts';
import type { Exports } from '../exports.ts';
import { csvFile, guarded, refusals } from '../wire.ts';
import type { ClientsDeps } from './act.ts';
import { mostClients, printClients } from './csv.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from './page.ts';
import { base, common, reading } from './routes.ts';
import { ClientSchema, clientToWire, exampleClient, StatusSchema } from './wire.ts';

const filterQuery = {
  search: Type.Optional(
    Type.String({ maxLength: 255, description: 'Part of the name, or the ID.' }),
  ),
  status: Type.Optional(StatusSchema),
  low: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true`: only clients with a low balance.' }),
  ),
  test: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Only test clients, or only others.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...clientSorts], { description: 'What to sort by. Default: `created`.' }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'The direction. Default: `desc`.' }),
  ),
};

const FilterSchema = Type.Object(filterQuery);

const TotalsSchema = Type.Object(
  {
    clients: Type.Integer({ description: 'How many there are.' }),
    available: Type.Integer({ description: 'What they can spend together.' }),
    held: Type.Integer({ description: 'What is held for their purchases.' }),
  },
  { description: 'All clients that match, on every page.' },
);

const schemas = {
  list: {
    ...common,
    operationId: 'listClients',
    summary: 'List clients',
    description: 'Returns clients, newest first unless you sort them.',
    querystring: Type.Object({ ...filterQuery, ...pageQuery }),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(ClientSchema, { description: 'The clients of the page.' }),
          totals: TotalsSchema,
          next: nextSchema,
        }),
        'A page of clients.',
        {
          data: [exampleClient],
          totals: { clients: 1, available: exampleClient.available, held: exampleClient.held },
          next: null,
        },
      ),
      ...refusals(...guarded),
    },
  },
  csv: {
    ...common,
    operationId: 'exportClients',
    summary: 'Export clients',
    description: `Exports the same list as CSV, up to ${mostClients} clients.`,
    querystring: FilterSchema,
    response: { 200: csvFile, ...refusals(...guarded, 'EXPORT_BUSY') },
  },
};

type Query = Static<typeof FilterSchema>;

const orderOf = ({ sort, order }: Query): Pick<ClientPage, 'sort' | 'descending'> => ({
  sort: sort ?? 'created',
  descending: order !== 'asc',
});

export const clientListRoutes =
  (
    deps: ClientsDeps & {
      readonly exports: Exports;
      readonly settings: Pick<CurrentSettings, 'current'>;
    },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clients, exports, settings } = deps;
    const config = reading;
    const preValidation = dropEmptyQuery;
    const filterOf = ({ search, status, low, test }: Query, lowBelow: number): ClientFilter => ({
      search,
      status,
      ...(test === undefined ? {} : { test: test === 'true' }),
      // The balance of a test client is never low.
      ...(low === 'true' ? { spendableBelow: lowBelow, test: false } : {}),
    });

    app.get(base, { config, preValidation, schema: schemas.list }, async ({ query }) => {
      const limit = limitOf(query);
      const lowBelow = await clients.lowBelow();
      const filter = filterOf(query, lowBelow);
      const wanted = { ...orderOf(query), after: query.before, limit: limit + 1 };
      const { page, next } = pageOf(await searchClients(db, filter, wanted), limit);
      const totals = await sumClients(db, filter);
      return { data: page.map((client) => clientToWire(client, lowBelow)), totals, next };
    });

    app.get(
      `${base}.csv`,
      { config, preValidation, schema: schemas.csv },
      async (request, reply) => {
        const { body, rest } = exports.open(visitIn(request).account.id, reply.raw);
        const lowBelow = await clients.lowBelow();
        const filter = filterOf(request.query, lowBelow);
        const read = (after: string | undefined, limit: number) =>
          searchClients(db, filter, { ...orderOf(request.query), after, limit });
        const { currency } = settings.current();
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="clients.csv"')
          .send(body(printClients(read, { lowBelow, currency, rest })));
      },
    );
  };
