/** Serves a client's purchases over HTTP: one by its ID, or pages of them. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../../clients/auth.ts';
import type { Db } from '../../db/types.ts';
import { type FieldErrors, GatewayError } from '../../lib/errors.ts';
import { mobileRule, mustBe } from '../../lib/field-texts.ts';
import { baseUrl } from '../../lib/http/base-url.ts';
import { dropEmptyQuery, optionalText, readSpan, spanQuery } from '../../lib/http/query.ts';
import { type MobileFormat, readMobile } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../../lib/openapi/errors.ts';
import { pagingSchemas } from '../../lib/openapi/page.ts';
import { pageAddress, pageBounds, pageEnvelope, readPage, readPositive } from '../../lib/page.ts';
import type { Text } from '../../lib/text.ts';
import { states } from '../purchase.ts';
import { countPurchases, findPurchase, listPurchases, type PurchaseFilter } from './store.ts';
import { examplePurchase, PurchaseSchema, toWire } from './wire.ts';

export type InquiryDeps = {
  readonly auth: Auth;
  readonly db: Db;
  readonly publicUrl: string | undefined;
  readonly mobile: MobileFormat;
};

const PurchasePageSchema = Type.Object(
  {
    data: Type.Array(PurchaseSchema, { description: 'The purchases of the page, newest first.' }),
    ...pagingSchemas,
  },
  { title: 'PurchasePage', description: 'A page of purchases.' },
);

const exampleAddress = { path: 'https://gateway.example/api/purchases', query: '' };
const examplePaging = { total: 1, page: 1, perPage: 100 };

const examplePage = {
  data: [examplePurchase],
  ...pageEnvelope(examplePaging, exampleAddress),
};

const QuerySchema = Type.Object({
  webservice_code: optionalText(
    'Return only purchases with this tracking code.',
    examplePurchase.webservice_code,
  ),
  idempotency_key: optionalText(
    'Return only the purchase with this idempotency key.',
    examplePurchase.idempotency_key,
  ),
  state: Type.Optional(
    Type.Enum([...states], { description: 'Return only purchases in this state.' }),
  ),
  mobile: optionalText('Return only purchases for this mobile number.', examplePurchase.mobile),
  product_id: optionalText(
    'Return only purchases of this product.',
    String(examplePurchase.product_id),
  ),
  operator_id: optionalText(
    'Return only purchases of this operator.',
    String(examplePurchase.operator_id),
  ),
  ...spanQuery('purchases that began'),
  before: optionalText(
    'Cursor: the last ID of the previous page. Returns the purchases after it, without gaps or duplicates.',
    examplePurchase.id,
  ),
  page: optionalText('Page number.', '1'),
  per_page: optionalText('Purchases per page, 1 to 100.', '100'),
});

type Query = Static<typeof QuerySchema>;

const aboveZero: Text = { en: 'a whole number above 0', fa: 'عددی صحیح بزرگ‌تر از صفر' };
const ownPurchase: Text = { en: 'the ID of one of your purchases', fa: 'شناسهٔ یکی از خریدهای شما' };

/** What is wrong with a query, field by field. */
const faultsOf = (query: Query, mobile: MobileFormat): FieldErrors => ({
  ...(query.mobile === undefined || readMobile(query.mobile, mobile) !== undefined
    ? {}
    : { mobile: [mustBe('mobile', mobileRule(mobile))] }),
  ...Object.fromEntries(
    (['product_id', 'operator_id'] as const)
      .filter((name) => query[name] !== undefined && readPositive(query[name]) === undefined)
      .map((name) => [name, [mustBe(name, aboveZero)]]),
  ),
});

/** The filter of a query; throws if it is invalid. */
const readFilter = async (
  { db, mobile }: InquiryDeps,
  clientId: string,
  query: Query,
): Promise<PurchaseFilter> => {
  const span = readSpan(query);
  const errors = faultsOf(query, mobile);
  if (Object.keys(errors).length > 0) throw new GatewayError('VALIDATION_FAILED', { errors });
  const before =
    query.before === undefined ? undefined : await findPurchase(db, query.before, clientId);
  if (query.before !== undefined && before === undefined) {
    throw new GatewayError('VALIDATION_FAILED', {
      errors: { before: [mustBe('before', ownPurchase)] },
    });
  }
  return {
    clientId,
    webserviceCode: query.webservice_code,
    key: query.idempotency_key,
    state: query.state,
    mobile: readMobile(query.mobile, mobile),
    productId: readPositive(query.product_id),
    operatorId: readPositive(query.operator_id),
    ...span,
    before,
  };
};

const common = { tags: ['Purchases'], security: [{ token: [] }] };

export const inquiryRoutes =
  (deps: InquiryDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const onRequest = deps.auth.needs('purchase');

    app.get(
      '/api/purchases',
      {
        onRequest,
        preValidation: dropEmptyQuery,
        schema: {
          ...common,
          operationId: 'listPurchases',
          summary: 'List purchases',
          description: 'Returns your purchases, newest first.',
          querystring: QuerySchema,
          response: {
            200: answer(PurchasePageSchema, 'A page of purchases.', examplePage),
            ...errorResponses(...tokenErrors, 'VALIDATION_FAILED'),
          },
        },
      },
      async (request) => {
        const { query } = request;
        const filter = await readFilter(deps, request.clientId, query);
        const address = pageAddress(baseUrl(deps.publicUrl, request), request.url);
        const asked = readPage(query.page, query.per_page);
        const paging = { total: await countPurchases(deps.db, filter), ...asked };
        const { start, end } = pageBounds(paging);
        const found = await listPurchases(deps.db, filter, { offset: start, limit: end - start });
        return {
          data: found.map(toWire),
          ...pageEnvelope(paging, address),
        };
      },
    );

    app.get(
      '/api/purchases/:id',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'getPurchase',
          summary: 'Get a purchase',
          description: 'Returns one of your purchases, by the ID of the header `Purchase-Id`.',
          params: Type.Object({
            id: Type.String({
              description: 'The ID of the purchase.',
              examples: [examplePurchase.id],
            }),
          }),
          response: {
            200: answer(PurchaseSchema, 'The purchase.', examplePurchase),
            ...errorResponses(...tokenErrors, 'PURCHASE_NOT_FOUND'),
          },
        },
      },
      async (request) => {
        const purchase = await findPurchase(deps.db, request.params.id, request.clientId);
        if (purchase === undefined) throw new GatewayError('PURCHASE_NOT_FOUND');
        return toWire(purchase);
      },
    );
  };
