/** Serves webhook endpoints: create, read, update, delete, and rotate secrets. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  endpointOf,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts';
import { listEndpoints } from './store.ts';
import {
  BelowSchema,
  EndpointSchema,
  EventsSchema,
  endpointToWire,
  exampleEndpoint,
  exampleSecret,
  NewEndpointSchema,
  UrlSchema,
} from './wire.ts';

export type WebhookRouteDeps = { readonly auth: Auth; readonly webhooks: EndpointDeps };

const closed = { additionalProperties: false };

const DescriptionSchema = Type.String({ maxLength: 255, description: 'Your own note.' });

const { url, events, description, balance_below } = exampleEndpoint;
const exampleRequest = { url, events, description, balance_below };

const NewBody = Type.Object(
  {
    url: UrlSchema,
    events: EventsSchema,
    description: Type.Optional(DescriptionSchema),
    balance_below: Type.Optional(BelowSchema),
  },
  {
    ...closed,
    examples: [exampleRequest],
  },
);

const ChangeBody = Type.Object(
  {
    url: Type.Optional(UrlSchema),
    events: Type.Optional(EventsSchema),
    description: Type.Optional(DescriptionSchema),
    balance_below: Type.Optional(BelowSchema),
    status: Type.Optional(
      Type.Enum(['active', 'disabled'], {
        description: '`active`: messages that were waiting are sent.',
      }),
    ),
  },
  { ...closed, examples: [{ ...exampleRequest, status: 'active' }] },
);

const hourMs = 3_600_000;

const RotateBody = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'For how many hours messages are signed with both secrets.',
      }),
    ),
  },
  { ...closed, examples: [{ overlap_hours: 24 }] },
);

export const idParams = {
  webhook_id: Type.String({
    description: 'The ID of the endpoint.',
    examples: [exampleEndpoint.id],
  }),
};

export const webhookCommon = { tags: ['Webhooks'], security: [{ token: [] }] };

const newExample = { ...exampleEndpoint, secret: exampleSecret };
const written = errorResponses(
  ...tokenErrors,
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
);
const found = errorResponses(...tokenErrors, 'WEBHOOK_NOT_FOUND');
const foundAndWritten = { ...found, ...written };

const schemas = {
  list: {
    ...webhookCommon,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns all your endpoints, oldest first, without their secrets.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(EndpointSchema, { description: 'Your endpoints.' }) }),
        'Your endpoints.',
        { data: [exampleEndpoint] },
      ),
      ...errorResponses(...tokenErrors),
    },
  },
  create: {
    ...webhookCommon,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Registers an endpoint. From then on Simgate POSTs events to it, by the Standard Webhooks specification. Store the `secret` of the response: you need it to verify signatures.',
    body: NewBody,
    response: {
      201: answer(NewEndpointSchema, 'The new endpoint.', newExample),
      ...written,
    },
  },
  get: {
    ...webhookCommon,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Returns one of your endpoints, without its secret.',
    params: Type.Object(idParams),
    response: {
      200: answer(EndpointSchema, 'The endpoint.', exampleEndpoint),
      ...found,
    },
  },
  change: {
    ...webhookCommon,
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: 'Updates the fields that you send.',
    params: Type.Object(idParams),
    body: ChangeBody,
    response: {
      200: answer(EndpointSchema, 'The endpoint.', exampleEndpoint),
      ...foundAndWritten,
    },
  },
  rotate: {
    ...webhookCommon,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret',
    description:
      'Creates a new secret. Until the overlap ends, messages are signed with both secrets, so you can switch without losing any.',
    params: Type.Object(idParams),
    body: RotateBody,
    response: {
      200: answer(NewEndpointSchema, 'The endpoint with its new secret.', newExample),
      ...foundAndWritten,
    },
  },
  remove: {
    ...webhookCommon,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description:
      'Deletes the endpoint with its history. Messages that are still waiting are not sent.',
    params: Type.Object(idParams),
    response: { 204: { ...Type.Null(), description: 'The endpoint was deleted.' }, ...found },
  },
};

/** An empty body stands for an object without fields. */
const allowNoBody = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {};
};

export const webhookRoutes =
  ({ auth, webhooks: deps }: WebhookRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const onRequest = auth.needs('webhooks');

    app.get('/api/webhooks', { onRequest, schema: schemas.list }, async ({ clientId }) => ({
      data: (await listEndpoints(deps.db, clientId)).map(endpointToWire),
    }));

    app.post('/api/webhooks', { onRequest, schema: schemas.create }, async (request, reply) => {
      const { url, events, description = '', balance_below: balanceBelow = null } = request.body;
      const wanted = { url, events, description, balanceBelow };
      const { endpoint, secret } = await createEndpoint(deps, request.clientId, wanted);
      return reply.code(201).send({ ...endpointToWire(endpoint), secret });
    });

    app.get('/api/webhooks/:webhook_id', { onRequest, schema: schemas.get }, async (request) =>
      endpointToWire(await endpointOf(deps.db, request.clientId, request.params.webhook_id)),
    );

    app.patch(
      '/api/webhooks/:webhook_id',
      { onRequest, schema: schemas.change },
      async (request) => {
        const { balance_below: balanceBelow, ...change } = request.body;
        const wanted = { ...change, ...(balanceBelow === undefined ? {} : { balanceBelow }) };
        const { clientId, params } = request;
        return endpointToWire(await updateEndpoint(deps, clientId, params.webhook_id, wanted));
      },
    );

    const rotating = { onRequest, preValidation: allowNoBody, schema: schemas.rotate };
    app.post('/api/webhooks/:webhook_id/secret', rotating, async (request) => {
      const hours = request.body.overlap_hours ?? 24;
      const { clientId, params } = request;
      const { endpoint, secret } = await rotateSecret(
        deps,
        clientId,
        params.webhook_id,
        hours * hourMs,
      );
      return { ...endpointToWire(endpoint), secret };
    });

    app.delete(
      '/api/webhooks/:webhook_id',
      { onRequest, schema: schemas.remove },
      async (request, reply) => {
        await deleteEndpoint(deps, request.clientId, request.params.webhook_id);
        return reply.code(204).send(null);
      },
    );
  };
