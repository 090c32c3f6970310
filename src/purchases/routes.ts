/** Serves purchases over HTTP: buying on both paths, by every accepted method and encoding. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { noRules } from '../clients/rules/rules.ts';
import { GatewayError } from '../lib/errors.ts';
import { exampleMobile } from '../lib/mobile.ts';
import { answer } from '../lib/openapi/answer.ts';
import { purchaseResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { sends } from '../lib/openapi/headers.ts';
import type { Buying, BuyResult } from './buy.ts';
import { type CheckRouteDeps, checkRoute } from './check/routes.ts';
import type { PurchasePath } from './decide.ts';
import { readBody } from './request/encodings.ts';
import { readFields } from './request/fields.ts';
import { readKey } from './request/key.ts';
import { type ExampleFields, errorsOf, fieldsSchema, rawFields } from './request/schema.ts';

export type PurchaseRouteDeps = CheckRouteDeps & {
  readonly buying: Buying;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes that buy, before their body is read. */
    idempotencyKey: string;
  }
  interface FastifyContextConfig {
    /** Whether the route itself knows what to answer during shutdown. */
    answersWhileDraining?: boolean;
  }
}

export const purchaseUrls = {
  package: '/api/top-up/package',
  'top-up': '/api/top-up',
} as const satisfies Readonly<Record<PurchasePath, string>>;

/** A client that retries sooner only waits longer. */
const retryAfterSeconds = 5;

const pending = (purchaseId: string, status: number): GatewayError =>
  new GatewayError('TRANSACTION_PENDING', {
    status,
    headers: { 'retry-after': String(retryAfterSeconds), 'purchase-id': purchaseId },
  });

export type BuyAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answer to a purchase; throws the error for a pending one. */
export const answerOf = (result: BuyResult, { pendingStatus } = noRules): BuyAnswer => {
  if (result.kind === 'pending') throw pending(result.purchaseId, pendingStatus);
  const { purchaseId, replayed, answer } = result;
  const headers = { 'purchase-id': purchaseId };
  return {
    ...answer,
    headers: replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
  };
};

const sendResult = (reply: FastifyReply, answer: BuyAnswer): FastifyReply => {
  const { status, headers, body } = answer;
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
};

const BoughtSchema = Type.Object(
  { message: Type.String({ description: 'A confirmation, for a person to read.' }) },
  { title: 'PurchaseConfirmation', description: 'The purchase succeeded.' },
);

const ofPurchase = sends('Purchase-Id', 'Idempotent-Replayed');

/** Under these statuses a purchase is recorded, or still pending. */
const headersBy: Readonly<Record<string, ReturnType<typeof sends>>> = {
  202: sends('Purchase-Id', 'Retry-After'),
  402: ofPurchase,
  404: ofPurchase,
  409: sends('Purchase-Id', 'Idempotent-Replayed', 'Retry-After'),
  422: ofPurchase,
};

const responsesOn = (path: PurchasePath) => {
  const errors = purchaseResponses(...tokenErrors, ...errorsOf(path));
  return {
    200: {
      ...answer(BoughtSchema, 'The purchase succeeded.', {
        message: 'The purchase was successful.',
      }),
      ...ofPurchase,
    },
    ...Object.fromEntries(
      Object.entries(errors).map(([status, error]) => [
        status,
        {
          ...error,
          ...headersBy[status],
        },
      ]),
    ),
  };
};

const description = `Charges your balance and orders from the operator. Send the fields as a form, as multipart, as JSON or in the query.

Send a new unique \`Idempotency-Key\` with each purchase. If you are unsure of the outcome, send the same request with the same key again: it is bought once, and you get the original response.

The gateway can restrict your purchases: allowed products, a daily limit, protection against duplicates, and 409 instead of 202 for pending purchases. \`GET /api/account\` returns your rules.`;

const byGet =
  'Buys with the fields in the query, or in a body. It is for existing clients that buy with GET. Use POST instead.';

const schemaOf = (
  deps: PurchaseRouteDeps,
  path: PurchasePath,
  method: 'get' | 'post',
  example: ExampleFields,
) => {
  const fields = fieldsSchema(deps.rules, path, example);
  const consumes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'];
  return {
    operationId: `buy${path === 'package' ? 'Package' : 'TopUp'}${method === 'get' ? 'ByGet' : ''}`,
    tags: ['Purchases'],
    security: [{ token: [] }],
    summary: `${path === 'package' ? 'Buy a package or a personal offer' : 'Buy a top-up'}${method === 'get' ? ' by GET' : ''}`,
    description: method === 'get' ? byGet : description,
    headers: Type.Object({
      'Idempotency-Key': Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'A unique key for this purchase: 1 to 255 visible ASCII characters.',
        examples: ['d9f6f0a4-order-1001'],
      }),
    }),
    ...(method === 'get'
      ? { querystring: fields, deprecated: true }
      : { body: { ...fields, examples: [example] }, consumes }),
    response: responsesOn(path),
  };
};

/** From the demo catalogue, so that it works in the interactive documentation. */
const exampleOf = ({ rules }: PurchaseRouteDeps, path: PurchasePath): ExampleFields => ({
  ...(path === 'package'
    ? { product_id: 2008, price: 418_000 }
    : { product_id: 2201, price: 100_000 }),
  mobile: exampleMobile(rules.mobile),
  webservice_code: 'order-1001',
});

const route =
  (deps: PurchaseRouteDeps, path: PurchasePath, url: string): FastifyPluginAsync =>
  async (app) => {
    const example = exampleOf(deps, path);
    const onRequest = [
      deps.auth.needs('purchase'),
      async (request: FastifyRequest): Promise<void> => {
        request.idempotencyKey = readKey(request.raw.rawHeaders);
      },
    ];
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const fields = readFields(await rawFields(request, deps.bodyBytes), path, deps.rules);
      const { clientId, clientRules: rules, clientTest: test, id: requestId, trace } = request;
      const { idempotencyKey: key } = request;
      const result = await deps.buying.buy({
        clientId,
        key,
        requestId,
        trace,
        fields,
        rules,
        test,
      });
      return sendResult(reply, answerOf(result, rules));
    };
    for (const method of ['get', 'post'] as const) {
      app.route({
        method,
        url,
        onRequest,
        exposeHeadRoute: false,
        config: { answersWhileDraining: true },
        // Fields come in any encoding, so they are read by `readFields`; the schema describes them.
        validatorCompiler: () => () => true,
        schema: schemaOf(deps, path, method, example),
        handler,
      });
    }
  };

/** Both paths and the validation; their request bodies are read here and nowhere else. */
export const purchaseRoutes =
  (deps: PurchaseRouteDeps): FastifyPluginAsync =>
  async (app) => {
    app.decorateRequest('idempotencyKey', '');
    app.removeAllContentTypeParsers();
    app.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) =>
        readBody(body, request.headers['content-type'] ?? ''),
    );
    await route(deps, 'package', purchaseUrls.package)(app, {});
    await route(deps, 'top-up', purchaseUrls['top-up'])(app, {});
    await checkRoute(deps, exampleOf(deps, 'package'))(app, {});
  };
