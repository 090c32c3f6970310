/** Serves a client's own commissions over HTTP. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { productTypes } from '../catalogue/product.ts';
import type { Auth } from '../clients/auth.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import { baseUrl } from '../lib/http/base-url.ts';
import { dropEmptyQuery, optionalText } from '../lib/http/query.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { pagingSchemas } from '../lib/openapi/page.ts';
import { pageAddress, pageBounds, pageEnvelope, readPage } from '../lib/page.ts';
import { entriesFor } from './choose.ts';
import type { LivePrices } from './live.ts';
import type { EntryTerms } from './price-list.ts';

export type CommissionDeps = {
  readonly auth: Auth;
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly publicUrl: string | undefined;
  readonly prices: Pick<LivePrices, 'book'>;
};

const orNull = <T extends ReturnType<typeof Type.Integer | typeof Type.String>>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

export const CommissionSchema = Type.Object(
  {
    product_id: orNull(Type.Integer(), 'For this product; null for any.'),
    category_id: orNull(Type.Integer(), 'For products of this category; null for any.'),
    operator_id: orNull(Type.Integer(), 'For products of this operator; null for any.'),
    type: Type.Union([Type.Enum([...productTypes]), Type.Null()], {
      description: 'For products of this type; null for any.',
    }),
    percent: orNull(
      Type.String(),
      'The percentage of the price, as a decimal; null if it is an amount.',
    ),
    amount: orNull(Type.Integer(), 'The amount for each purchase; null if it is a percentage.'),
  },
  { title: 'Commission', description: 'What you get of the price of some products.' },
);

const toWire = (entry: EntryTerms): Static<typeof CommissionSchema> => ({
  product_id: entry.productId,
  category_id: entry.categoryId,
  operator_id: entry.operatorId,
  type: entry.productType,
  percent: entry.commission.kind === 'percent' ? entry.commission.percent : null,
  amount: entry.commission.kind === 'fixed' ? entry.commission.amount : null,
});

const PageSchema = Type.Object(
  {
    data: Type.Array(CommissionSchema, {
      description: 'The commissions. The first that fits a product decides.',
    }),
    ...pagingSchemas,
  },
  { title: 'CommissionPage', description: 'A page of commissions.' },
);

const example: Static<typeof PageSchema> = {
  data: [
    {
      product_id: null,
      category_id: null,
      operator_id: 2,
      type: 'cell_internet',
      percent: '4',
      amount: null,
    },
  ],
  ...pageEnvelope(
    { total: 1, page: 1, perPage: 100 },
    { path: 'https://gateway.example/api/commissions', query: '' },
  ),
};

const description =
  'Returns the commissions in force now. You pay the price less the commission of the first entry that fits, at least 1. A percentage is rounded down to a whole unit. Where a supplier costs more, you pay its cost, but never more than the price. Validate a purchase to get what it would charge.';

export const commissionRoutes =
  (deps: CommissionDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/commissions',
      {
        onRequest: deps.auth.needs('purchase'),
        preValidation: dropEmptyQuery,
        schema: {
          tags: ['Account'],
          security: [{ token: [] }],
          operationId: 'listCommissions',
          summary: 'List your commissions',
          description,
          querystring: Type.Object({
            page: optionalText('Page number.', '1'),
            per_page: optionalText('Commissions per page, 1 to 100.', '100'),
          }),
          response: {
            200: answer(PageSchema, 'A page of commissions.', example),
            ...errorResponses(...tokenErrors, 'VALIDATION_FAILED'),
          },
        },
      },
      async (request) => {
        const { query, clientId } = request;
        const moment = await deps.databaseTime(deps.db);
        const entries = entriesFor(deps.prices.book(), clientId, moment);
        const address = pageAddress(baseUrl(deps.publicUrl, request), request.url);
        const paging = { total: entries.length, ...readPage(query.page, query.per_page) };
        const { start, end } = pageBounds(paging);
        return {
          data: entries.slice(start, end).map(toWire),
          ...pageEnvelope(paging, address),
        };
      },
    );
  };
