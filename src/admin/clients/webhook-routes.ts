/** Serves clients' webhooks over HTTP: lists endpoints and messages, enables, disables and replays. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { formatTime } from '../../lib/time.ts';
import { readAttempts } from '../../webhooks/delivery/attempt.ts';
import { disabledBy } from '../../webhooks/endpoints.ts';
import { eventsOf, eventTypes } from '../../webhooks/event.ts';
import {
  type EndpointState,
  listMessages,
  mostCounted,
  readEndpointStates,
} from '../../webhooks/history/store.ts';
import { type EndpointRow, listEndpoints, type MessageRow } from '../../webhooks/store.ts';
import { nextAttemptAt } from '../../webhooks/wire.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import type { Role } from '../access/roles.ts';
import { afterCommit } from '../audit/audit.ts';
import { maskFor } from '../mask.ts';
import {
  bodyOf,
  exampleId,
  exampleTime,
  orNull,
  refusals,
  textOrNull,
  timeOrNull,
} from '../wire.ts';
import type { ClientsDeps } from './act.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from './page.ts';
import { changing, clientParam, common, ofClient, one, reading } from './routes.ts';
import {
  assertClient,
  endpointOfClient,
  endpointUrlFor,
  replayMessage,
  setEndpointStatus,
} from './webhooks.ts';

const upTo = `counted up to ${mostCounted}`;

const EndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the endpoint.' }),
    url: Type.String({
      description:
        'The URL. Credentials and query values are masked for roles that cannot change endpoints.',
    }),
    description: Type.String({ description: "The client's own note." }),
    events: Type.Array(Type.Enum([...eventTypes]), { description: 'The events that it receives.' }),
    status: Type.Enum(['active', 'disabled'], { description: '`disabled`: nothing is sent.' }),
    disabled_by: orNull(
      Type.Enum(['client', 'gone', 'gateway']),
      'Who disabled it. `client`: the client. `gone`: it responded 410. `gateway`: the back office. Null if it is active.',
    ),
    created_at: Type.String({ description: 'When it was created.' }),
    waiting: Type.Integer({ description: `How many messages are waiting, ${upTo}.` }),
    failed: Type.Integer({ description: `How many messages failed, ${upTo}.` }),
    delivered_last_at: textOrNull(
      `When a message was last delivered; null if none of the newest ${mostCounted} was.`,
    ),
  },
  { title: 'Webhook', description: 'A webhook endpoint of a client.' },
);

const exampleEndpoint: Static<typeof EndpointSchema> = {
  id: exampleId,
  url: 'https://shop.example/hooks/simgate',
  description: 'the shop',
  events: ['purchase.succeeded', 'purchase.failed'],
  status: 'active',
  disabled_by: null,
  created_at: exampleTime,
  waiting: 0,
  failed: 2,
  delivered_last_at: exampleTime,
};

const states = ['waiting', 'delivered', 'failed'] as const;

const MessageSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the message, as in the header `webhook-id`.' }),
    type: Type.String({ description: 'The event.' }),
    state: Type.Enum([...states], { description: 'The state. `failed`: all attempts failed.' }),
    attempts: Type.Integer({ description: 'How many attempts there were.' }),
    created_at: Type.String({ description: 'When the event happened.' }),
    ended_at: textOrNull('When it was delivered or failed; null while it is waiting.'),
    due_at: textOrNull('When the next attempt is due; null if there is none.'),
    last_status: orNull(
      Type.Integer(),
      'The HTTP status of the last attempt; null if there was no response.',
    ),
  },
  { title: 'WebhookMessage', description: 'A message for an endpoint.' },
);

const exampleMessage: Static<typeof MessageSchema> = {
  id: `msg_${exampleId}`,
  type: 'purchase.succeeded',
  state: 'failed',
  attempts: 10,
  created_at: exampleTime,
  ended_at: exampleTime,
  due_at: null,
  last_status: 500,
};

const endpointParams = {
  ...clientParam,
  endpoint_id: Type.String({ description: 'The ID of the endpoint.', examples: [exampleId] }),
};

const messageParams = {
  ...endpointParams,
  message_id: Type.String({ description: 'The ID of the message.', examples: [exampleMessage.id] }),
};

const ofEndpoint = [...ofClient, 'ENDPOINT_NOT_FOUND'] as const;

const schemas = {
  list: {
    ...common,
    operationId: 'listClientWebhooks',
    summary: "List a client's webhooks",
    description:
      'Returns the endpoints of a client, oldest first, with their delivery status and without secrets.',
    params: Type.Object(clientParam),
    response: {
      200: answer(
        Type.Object({ data: Type.Array(EndpointSchema, { description: 'The endpoints.' }) }),
        'The endpoints.',
        { data: [exampleEndpoint] },
      ),
      ...refusals(...ofClient),
    },
  },
  messages: {
    ...common,
    operationId: 'listClientMessages',
    summary: 'List messages of a webhook',
    description: 'Returns messages, newest first, without their content.',
    params: Type.Object(endpointParams),
    querystring: Type.Object({
      state: Type.Optional(
        Type.Enum([...states], { description: 'Return only messages in this state.' }),
      ),
      ...pageQuery,
    }),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(MessageSchema, { description: 'The messages of the page.' }),
          next: nextSchema,
        }),
        'A page of messages.',
        { data: [exampleMessage], next: null },
      ),
      ...refusals(...ofEndpoint),
    },
  },
  replay: {
    ...common,
    operationId: 'replayClientMessage',
    summary: 'Resend a message',
    description:
      'Sends a message again, whether it was delivered or not. If the attempt fails, it is retried on the usual schedule.',
    params: Type.Object(messageParams),
    response: {
      202: answer(MessageSchema, 'The message is queued.', exampleMessage),
      ...refusals(...ofEndpoint, 'MESSAGE_NOT_FOUND'),
    },
  },
  change: {
    ...common,
    operationId: 'updateClientWebhook',
    summary: 'Enable or disable a webhook',
    description:
      'Events that happen while it is disabled are not sent later. Messages that were waiting are sent when it is enabled. The client can enable it too.',
    params: Type.Object(endpointParams),
    body: bodyOf(
      { status: Type.Enum(['active', 'disabled'], { description: 'The new status.' }) },
      { status: 'disabled' },
    ),
    response: {
      200: answer(EndpointSchema, 'The endpoint.', exampleEndpoint),
      ...refusals(...ofEndpoint),
    },
  },
};

const endpointToWire = (
  row: EndpointRow,
  standing: EndpointState | undefined,
  { role, mobile }: { readonly role: Role; readonly mobile: MobileFormat },
): Static<typeof EndpointSchema> => ({
  id: row.id,
  url: endpointUrlFor(role, row.url),
  description: maskFor(role, mobile)(row.description),
  events: eventsOf(row),
  status: row.status === 'active' ? 'active' : 'disabled',
  disabled_by: disabledBy(row),
  created_at: formatTime(row.created_at),
  waiting: standing?.waiting ?? 0,
  failed: standing?.failed ?? 0,
  delivered_last_at: timeOrNull(standing?.delivered_at ?? null),
});

const messageToWire = (row: MessageRow): Static<typeof MessageSchema> => ({
  id: row.id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  created_at: formatTime(row.created_at),
  ended_at: timeOrNull(row.ended_at),
  due_at: nextAttemptAt(row),
  last_status: readAttempts(row.tried).at(-1)?.status ?? null,
});

export const webhookRoutes =
  (deps: ClientsDeps & { readonly mobile: MobileFormat }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, mobile } = deps;
    const endpoints = `${one}/webhooks`;
    const endpoint = `${endpoints}/:endpoint_id`;

    app.get(endpoints, { config: reading, schema: schemas.list }, async (request) => {
      const { client_id: id } = request.params;
      await assertClient(db, id);
      const rows = await listEndpoints(db, id);
      const standings = new Map((await readEndpointStates(db, id)).map((each) => [each.id, each]));
      const seeing = { role: visitIn(request).account.role, mobile };
      return { data: rows.map((row) => endpointToWire(row, standings.get(row.id), seeing)) };
    });

    const messages = { config: reading, preValidation: dropEmptyQuery, schema: schemas.messages };
    app.get(`${endpoint}/messages`, messages, async ({ params, query }) => {
      const { id: endpointId } = await endpointOfClient(db, params.client_id, params.endpoint_id);
      const limit = limitOf(query);
      const { state, before } = query;
      const filter = { endpointId, state, before };
      const rows = await listMessages(db, filter, { offset: 0, limit: limit + 1 });
      const { page, next } = pageOf(rows, limit);
      return { data: page.map(messageToWire), next };
    });

    app.post(
      `${endpoint}/messages/:message_id/replay`,
      { config: changing, schema: schemas.replay },
      async (request, reply) => {
        const { client_id: clientId, endpoint_id: endpointId, message_id: id } = request.params;
        const which = { clientId, endpointId, id };
        const message = await replayMessage(deps, actorIn(request), which);
        return reply.code(202).send(messageToWire(message));
      },
    );

    app.patch(endpoint, { config: changing, schema: schemas.change }, async (request) => {
      const { client_id: clientId, endpoint_id: id } = request.params;
      const { status } = request.body;
      const row = await setEndpointStatus(deps, actorIn(request), { clientId, id }, status);
      const standings = await afterCommit(() => readEndpointStates(db, clientId));
      return endpointToWire(
        row,
        standings.find((each) => each.id === id),
        { role: visitIn(request).account.role, mobile },
      );
    });
  };
