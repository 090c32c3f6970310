/** Serves the product list and the filter. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../clients/auth.ts';
import type { BalanceOf } from '../ledger/balances.ts';
import { baseUrl } from '../lib/http/base-url.ts';
import { encodingFor } from '../lib/http/compression.ts';
import { formType, readNestedForm } from '../lib/http/form.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { sends } from '../lib/openapi/headers.ts';
import { pageAddress, readPage } from '../lib/page.ts';
import { readSince } from './changes/wire.ts';
import type { ListingQuery } from './filter.ts';
import { describeFilter } from './filter-schema.ts';
import {
  exampleChanges,
  exampleListing,
  filterBodySchema,
  ListingSchema,
  type ListQuery,
  ListQuerySchema,
  normalizeFilterBody,
  normalizeQuery,
} from './listing.ts';
import { buildChangesPage, buildPage, type PageSpec } from './pages/build.ts';
import { etagsOf, type Page, type PageCache, pageHeaders, type SentPage } from './pages/cache.ts';
import type { Snapshot } from './snapshot.ts';

export type CatalogueDeps = {
  readonly auth: Auth;
  readonly publicUrl: string | undefined;
  readonly operators: readonly { readonly id: number; readonly name: string }[];
  /** The current catalogue. */
  readonly catalogue: () => Snapshot;
  readonly pages: PageCache;
  /** What a client can spend. */
  readonly balanceOf: BalanceOf;
};

/** The first of the tags that an If-None-Match names. */
const knownTag = (
  header: string | undefined,
  tags: () => readonly string[],
): string | undefined => {
  if (header === undefined) return undefined;
  const named = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags().find((tag) => named.has(tag) || named.has('*'));
};

/** Writes the parts one after another: the rendered page is shared between requests, never copied. */
const send = (reply: FastifyReply, { parts, encoding }: SentPage): void => {
  reply.hijack();
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  reply.headers({
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  });
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.cork();
  for (const part of parts) reply.raw.write(part);
  reply.raw.end();
};

const orderOf = (query: ListQuery): ListingQuery['order'] => ({
  by: query.order ?? 'position',
  direction: query.type_order ?? 'asc',
});

/** The page of a request; `updated_since` in the body overrides the address. */
const pageOf = (
  deps: CatalogueDeps,
  wanted: PageSpec,
  inAddress: string | undefined,
  inBody?: string,
): Page => {
  const since = readSince(inBody ?? inAddress);
  if (since === undefined) return buildPage(deps.catalogue(), wanted);
  const isInAddress = inBody === undefined;
  return buildChangesPage(deps.catalogue(), { ...wanted, since, isInAddress });
};

const common = {
  tags: ['Catalogue'],
  security: [{ token: [] }],
  querystring: ListQuerySchema,
};

const hooks = (auth: Auth) => ({
  onRequest: auth.needs('catalogue'),
  preValidation: async (request: FastifyRequest): Promise<void> => {
    request.query = normalizeQuery(request.query);
    if (request.method === 'POST') request.body = normalizeFilterBody(request.body);
  },
});

const listSchema = {
  ...common,
  operationId: 'listProducts',
  summary: 'List products',
  description:
    'Lists the catalogue in pages of up to 100, including disabled products (`status` 0). Send the `ETag` of a page as `If-None-Match`: if nothing changed, you get an empty 304. To keep a copy in sync, pass `updated_since`: you get changed products and the IDs of removed ones. With `Accept-Encoding: br` or `gzip` a page has about a twentieth of its size, and its own `ETag`.',
  response: {
    200: {
      ...answer(ListingSchema, 'A page of products.', exampleListing, exampleChanges),
      ...sends('ETag'),
    },
    304: { description: 'The page has not changed.', type: 'null', ...sends('ETag') },
    ...errorResponses(...tokenErrors, 'VALIDATION_FAILED'),
  },
};

const listRoute =
  (deps: CatalogueDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const route = { ...hooks(deps.auth), schema: listSchema };
    app.get('/api/clients/products', route, async (request, reply) => {
      const balance = await deps.balanceOf(request.clientId);
      const base = baseUrl(deps.publicUrl, request);
      const { query } = request;
      const wanted = {
        query: { filter: {}, order: orderOf(query), withCategories: true },
        paging: readPage(query.page, query.per_page),
        address: pageAddress(base, request.url),
      };
      const page = pageOf(deps, wanted, query.updated_since);
      deps.pages.remember({ base, url: request.url, body: '' }, page);
      const encoding = encodingFor(request.headers['accept-encoding']);
      reply.headers(pageHeaders);
      const known = knownTag(request.headers['if-none-match'], () =>
        etagsOf(page, balance, encoding),
      );
      if (known !== undefined) return reply.header('etag', known).code(304).send(null);
      const sent = await deps.pages.answer(page, balance, encoding);
      reply.header('etag', sent.etag);
      send(reply, sent);
      return reply;
    });
  };

const filterSchema = (operatorNames: readonly string[]) => ({
  ...common,
  operationId: 'filterProducts',
  summary: 'Filter products',
  description:
    'Returns the products that match all filters, in the same format as the list. `updated_since` works as in the list.',
  body: filterBodySchema(operatorNames),
  response: {
    200: answer(ListingSchema, 'A page of products.', exampleListing),
    ...errorResponses(
      ...tokenErrors,
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'VALIDATION_FAILED',
    ),
  },
});

const filterRoute =
  (deps: CatalogueDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const operatorIds = new Map(deps.operators.map(({ name, id }) => [name, id]));
    const names = [...operatorIds.keys()];
    const route = {
      ...hooks(deps.auth),
      config: { describes: { body: describeFilter(names) } },
      schema: filterSchema(names),
    };
    app.addContentTypeParser<Buffer>(
      formType,
      { parseAs: 'buffer' },
      async (_: unknown, body: Buffer) => readNestedForm(body),
    );
    app.post('/api/filter', route, async (request, reply) => {
      const { query, body } = request;
      const { items } = body;
      const base = baseUrl(deps.publicUrl, request);
      const balance = await deps.balanceOf(request.clientId);
      const operatorId = operatorIds.get(items.operator ?? '');
      const { name, sim_card_type: simCardType, type } = items;
      const filter = { name, simCardType, type, operatorId };
      const withCategories = items.categories !== undefined;
      const paged = readPage(body.page ?? query.page, body.per_page ?? query.per_page);
      const wanted: PageSpec = {
        query: { filter, order: orderOf(query), withCategories },
        paging: items.pagination === 'false' ? 'all' : paged,
        address: pageAddress(base, request.url),
      };
      const page = pageOf(deps, wanted, query.updated_since, body.updated_since);
      // The fast path takes JSON only, and a form's text must not be mistaken for it.
      if (request.bodyText !== undefined) {
        deps.pages.remember({ base, url: request.url, body: request.bodyText }, page);
      }
      const encoding = encodingFor(request.headers['accept-encoding']);
      reply.headers(pageHeaders);
      send(reply, await deps.pages.answer(page, balance, encoding));
      return reply;
    });
  };

export const catalogueRoutes =
  (deps: CatalogueDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await listRoute(deps)(app, {});
    await app.register(filterRoute(deps));
  };
