/** Serves the message history: messages with their attempts, and replays. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Auth } from '../../clients/auth.ts';
import { GatewayError } from '../../lib/errors.ts';
import { baseUrl } from '../../lib/http/base-url.ts';
import { dropEmptyQuery, optionalText, readTimeField } from '../../lib/http/query.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../../lib/openapi/errors.ts';
import { pagingSchemas } from '../../lib/openapi/page.ts';
import { pageAddress, pageBounds, pageEnvelope, readPage } from '../../lib/page.ts';
import { formatTime } from '../../lib/time.ts';
import { type EndpointDeps, endpointOf, replayMessage, replaySince } from '../endpoints.ts';
import { eventTypes } from '../event.ts';
import { idParams, webhookCommon } from '../routes.ts';
import { exampleMessage, MessageSchema, messageToWire } from '../wire.ts';
import { countMessages, findMessage, listMessages } from './store.ts';

export type HistoryRouteDeps = {
  readonly auth: Auth;
  readonly publicUrl: string | undefined;
  readonly webhooks: EndpointDeps;
  /** Called when a message of an endpoint is due. */
  readonly wakeWebhooks: (endpointIds: Iterable<string>) => void;
};

const QuerySchema = Type.Object({
  state: Type.Optional(
    Type.Enum(['waiting', 'delivered', 'failed'], {
      description: 'Return only messages in this state.',
    }),
  ),
  type: Type.Optional(
    Type.Enum([...eventTypes], { description: 'Return only messages of this event.' }),
  ),
  before: optionalText(
    'Cursor: the last ID of the previous page. Returns the messages after it, without gaps or duplicates.',
    exampleMessage.id,
  ),
  page: optionalText('Page number.', '1'),
  per_page: optionalText('Messages per page, 1 to 100.', '100'),
});

const PageSchema = Type.Object(
  {
    data: Type.Array(MessageSchema, { description: 'The messages of the page, newest first.' }),
    ...pagingSchemas,
  },
  { title: 'WebhookMessagePage', description: 'A page of messages.' },
);

const messageParams = {
  ...idParams,
  message_id: Type.String({ description: 'The ID of the message.', examples: [exampleMessage.id] }),
};

const exampleAddress = { path: 'https://gateway.example/api/webhooks/019a/messages', query: '' };
const examplePaging = { total: 1, page: 1, perPage: 100 };
const examplePage = {
  data: [exampleMessage],
  ...pageEnvelope(examplePaging, exampleAddress),
};

const found = errorResponses(...tokenErrors, 'WEBHOOK_NOT_FOUND');
const foundAndValid = errorResponses(...tokenErrors, 'WEBHOOK_NOT_FOUND', 'VALIDATION_FAILED');

const schemas = {
  list: {
    ...webhookCommon,
    operationId: 'listWebhookMessages',
    summary: 'List messages of a webhook',
    description:
      'Returns the messages of an endpoint with their attempts, newest first. Messages are kept for some weeks.',
    params: Type.Object(idParams),
    querystring: QuerySchema,
    response: {
      200: answer(PageSchema, 'A page of messages.', examplePage),
      ...foundAndValid,
    },
  },
  get: {
    ...webhookCommon,
    operationId: 'getWebhookMessage',
    summary: 'Get a message of a webhook',
    description: 'Returns one message with its attempts.',
    params: Type.Object(messageParams),
    response: {
      200: answer(MessageSchema, 'The message.', exampleMessage),
      ...found,
    },
  },
  replayOne: {
    ...webhookCommon,
    operationId: 'replayWebhookMessage',
    summary: 'Resend a message',
    description:
      'Sends a message again with the same ID, whether it was delivered or not. If the attempt fails, it is retried on the usual schedule.',
    params: Type.Object(messageParams),
    response: {
      202: answer(MessageSchema, 'The message is queued.', exampleMessage),
      ...found,
    },
  },
  replayAll: {
    ...webhookCommon,
    operationId: 'replayFailedMessages',
    summary: 'Resend failed messages',
    description: 'Sends all failed messages since a time again.',
    params: Type.Object(idParams),
    body: Type.Object(
      { since: Type.String({ description: 'A date (00:00 UTC), or a date and time.' }) },
      { additionalProperties: false, examples: [{ since: '2026-01-31' }] },
    ),
    response: {
      202: answer(
        Type.Object({
          since: Type.String({ description: 'The time from which messages are sent.' }),
          messages: Type.Integer({ description: 'How many messages are queued.' }),
        }),
        'The messages are queued.',
        { since: '2026-01-31T00:00:00.000000Z', messages: 12 },
      ),
      ...errorResponses(
        ...tokenErrors,
        'WEBHOOK_NOT_FOUND',
        'VALIDATION_FAILED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ),
    },
  },
};

const readMessage = async ({ db }: EndpointDeps, endpointId: string, id: string) => {
  const message = await findMessage(db, endpointId, id);
  if (message === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND');
  return messageToWire(message);
};

const one = '/api/webhooks/:webhook_id/messages/:message_id';

export const historyRoutes =
  ({ auth, publicUrl, webhooks: deps }: HistoryRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const onRequest = auth.needs('webhooks');
    const { db } = deps;

    const listing = { onRequest, preValidation: dropEmptyQuery, schema: schemas.list };
    app.get('/api/webhooks/:webhook_id/messages', listing, async (request) => {
      const { query, clientId } = request;
      const { id: endpointId } = await endpointOf(db, clientId, request.params.webhook_id);
      const { state, type, before } = query;
      const filter = { endpointId, state, type, before };
      const address = pageAddress(baseUrl(publicUrl, request), request.url);
      const asked = readPage(query.page, query.per_page);
      const paging = { total: await countMessages(db, filter), ...asked };
      const { start, end } = pageBounds(paging);
      const rows = await listMessages(db, filter, { offset: start, limit: end - start });
      return {
        data: rows.map(messageToWire),
        ...pageEnvelope(paging, address),
      };
    });

    app.get(one, { onRequest, schema: schemas.get }, async ({ clientId, params }) => {
      await endpointOf(db, clientId, params.webhook_id);
      return readMessage(deps, params.webhook_id, params.message_id);
    });
  };

export const replayRoutes =
  ({ auth, webhooks: deps, wakeWebhooks }: HistoryRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const onRequest = auth.needs('webhooks');

    app.post(
      `${one}/replay`,
      { onRequest, schema: schemas.replayOne },
      async ({ clientId, params }, reply) => {
        const { webhook_id: endpointId, message_id: id } = params;
        await deps.retryLocked(() => replayMessage(deps.db, clientId, { endpointId, id }));
        const message = await readMessage(deps, endpointId, id);
        wakeWebhooks([endpointId]);
        return reply.code(202).send(message);
      },
    );

    app.post(
      '/api/webhooks/:webhook_id/replay',
      { onRequest, schema: schemas.replayAll },
      async ({ clientId, params, body }, reply) => {
        const since = readTimeField('since', body.since);
        const endpointId = params.webhook_id;
        const messages = await replaySince(deps, clientId, { endpointId, since });
        wakeWebhooks([endpointId]);
        return reply.code(202).send({ since: formatTime(since), messages });
      },
    );
  };
