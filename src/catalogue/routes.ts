/** Owns the catalogue's HTTP: the product list and the filter. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../clients/auth.ts';
import type { BalanceOf } from '../ledger/balances.ts';
import { baseUrl } from '../lib/base-url.ts';
import { errorResponses, tokenErrors } from '../lib/error-schema.ts';
import {
  type PageAddress,
  type PageRequest,
  pageAddress,
  pageBounds,
  pageLinks,
  pageMeta,
  readPage,
} from '../lib/page.ts';
import type { Filter } from './filter.ts';
import {
  exampleListing,
  filterBodySchema,
  ListingSchema,
  type ListQuery,
  ListQuerySchema,
  tidyFilterBody,
  tidyQuery,
} from './listing.ts';
import { type Page, type PageAnswer, type Pages, pageAnswer } from './pages.ts';
import type { ListingQuery, Snapshot } from './snapshot.ts';

export type CatalogueDeps = {
  readonly auth: Auth;
  readonly publicUrl: string | undefined;
  readonly operators: readonly { readonly id: number; readonly name: string }[];
  /** The catalogue as it is now. */
  readonly catalogue: () => Snapshot;
  readonly pages: Pages;
  /** What a client may spend now. */
  readonly balanceOf: BalanceOf;
};

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

type Sent = Pick<PageAnswer, 'head' | 'data' | 'tail'>;

/** Writes the parts one after another: the rendered page is shared between requests, never copied. */
const send = (reply: FastifyReply, { head, data, tail }: Sent): void => {
  reply.hijack();
  const length = Buffer.byteLength(head) + data.length + Buffer.byteLength(tail);
  reply.headers({ 'content-type': 'application/json; charset=utf-8', 'content-length': length });
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.cork();
  reply.raw.write(head);
  reply.raw.write(data);
  reply.raw.end(tail);
};

const orderOf = (query: ListQuery): ListingQuery['order'] => ({
  by: query.order ?? 'position',
  direction: query.type_order ?? 'asc',
});

const pageOf = (
  snapshot: Snapshot,
  query: ListingQuery,
  asked: PageRequest | 'all',
  address: PageAddress,
): Page => {
  const listing = snapshot.list(query);
  const { total } = listing;
  const paging =
    asked === 'all' ? { total, page: 1, perPage: Math.max(total, 1) } : { total, ...asked };
  const { start, end } = pageBounds(paging);
  const links = JSON.stringify(pageLinks(paging, address));
  const meta = JSON.stringify(pageMeta(paging, address));
  return {
    version: snapshot.version,
    address,
    data: () => listing.data(start, end),
    tail: `,"links":${links},"meta":${meta},"balance":`,
  };
};

const caching = 'private, no-cache';

const common = {
  tags: ['Catalogue'],
  security: [{ token: [] }],
  querystring: ListQuerySchema,
};

const listed = {
  200: { ...ListingSchema, description: 'A page of products.', examples: [exampleListing] },
};

const hooks = (auth: Auth) => ({
  onRequest: auth.needs('catalogue'),
  preValidation: async (request: FastifyRequest): Promise<void> => {
    request.query = tidyQuery(request.query);
    if (request.method === 'POST') request.body = tidyFilterBody(request.body);
  },
});

const listSchema = {
  ...common,
  operationId: 'listProducts',
  summary: 'List products',
  description:
    'The whole catalogue in pages of up to 100. Products that are switched off (`status` 0) are listed too. The answer carries an `ETag`: send it back as `If-None-Match`, and an unchanged page costs you an empty 304.',
  response: {
    ...listed,
    304: { description: 'Nothing has changed since.', type: 'null' },
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
      const selected = { filter: {}, order: orderOf(query), withCategories: true };
      const asked = readPage(query.page, query.per_page);
      const page = pageOf(deps.catalogue(), selected, asked, pageAddress(base, request.url));
      deps.pages.remember({ base, url: request.url, body: '' }, page);
      const answer = pageAnswer(page, balance);
      reply.headers({ 'cache-control': caching, etag: answer.etag });
      if (matches(request.headers['if-none-match'], answer.etag)) return reply.code(304).send(null);
      send(reply, answer);
      return reply;
    });
  };

const filterSchema = (operatorNames: readonly string[]) => ({
  ...common,
  operationId: 'filterProducts',
  summary: 'Filter products',
  description: 'The products that fit all filters, in the same envelope as the list.',
  body: filterBodySchema(operatorNames),
  response: {
    ...listed,
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
    const route = { ...hooks(deps.auth), schema: filterSchema([...operatorIds.keys()]) };
    app.post('/api/filter', route, async (request, reply) => {
      const { query, body } = request;
      const { items } = body;
      const base = baseUrl(deps.publicUrl, request);
      const balance = await deps.balanceOf(request.clientId);
      const operatorId = operatorIds.get(items.operator ?? '');
      const filter: Filter = {
        ...(items.name === undefined ? {} : { name: items.name }),
        ...(items.sim_card_type === undefined ? {} : { simCardType: items.sim_card_type }),
        ...(items.type === undefined ? {} : { type: items.type }),
        ...(operatorId === undefined ? {} : { operatorId }),
      };
      const withCategories = items.categories !== undefined;
      const selected = { filter, order: orderOf(query), withCategories };
      const paged = readPage(body.page ?? query.page, body.per_page ?? query.per_page);
      const asked = items.pagination === 'false' ? 'all' : paged;
      const page = pageOf(deps.catalogue(), selected, asked, pageAddress(base, request.url));
      deps.pages.remember({ base, url: request.url, body: request.bodyText }, page);
      reply.header('cache-control', caching);
      send(reply, pageAnswer(page, balance));
      return reply;
    });
  };

export const catalogueRoutes =
  (deps: CatalogueDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(listRoute(deps));
    await app.register(filterRoute(deps));
  };
