/** Serves clients' webhooks over HTTP: lists endpoints and messages, enables, disables and replays. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Db } from '../../db/types.ts';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { readAttempts } from '../../webhooks/delivery/attempt.ts';
import { healthOf } from '../../webhooks/delivery/health.ts';
import {
  findMessage,
  listMessages,
  readEndpointStates,
  readTried,
} from '../../webhooks/history/store.ts';
import { listEndpoints } from '../../webhooks/store.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { bodyOf, exampleId, refusals } from '../wire.ts';
import type { ClientsDeps } from './act.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from './page.ts';
import { changing, clientParam, common, ofClient, one, reading } from './routes.ts';
import {
  EndpointSchema,
  endpointToWire,
  exampleEndpoint,
  exampleMessage,
  exampleMessageDetail,
  MessageDetailSchema,
  MessageSchema,
  messageDetailToWire,
  messageStates,
  messageToWire,
  type Standing,
} from './webhook-wire.ts';
import { assertClient, endpointOfClient, replayMessage, setEndpointStatus } from './webhooks.ts';

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
        Type.Enum([...messageStates], { description: 'Return only messages in this state.' }),
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
  message: {
    ...common,
    operationId: 'getClientMessage',
    summary: 'Get a message of a webhook',
    description: 'Returns a message with its attempts and its body.',
    params: Type.Object(messageParams),
    response: {
      200: answer(MessageDetailSchema, 'The message.', exampleMessageDetail),
      ...refusals(...ofEndpoint, 'MESSAGE_NOT_FOUND'),
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
      202: answer(MessageSchema, 'The message is queued.'),
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
      200: answer(EndpointSchema, 'The endpoint.'),
      ...refusals(...ofEndpoint),
    },
  },
};

/** How each endpoint of a client is doing. */
const readStandings = async (
  db: Db,
  clientId: string,
  endpointIds: readonly string[],
): Promise<(id: string) => Standing> => {
  const counts = new Map((await readEndpointStates(db, clientId)).map((each) => [each.id, each]));
  const attempts = new Map<string, Standing['health']>();
  for (const id of endpointIds) {
    attempts.set(id, healthOf((await readTried(db, id)).flatMap(readAttempts)));
  }
  return (id) => ({ counts: counts.get(id), health: attempts.get(id) ?? healthOf([]) });
};

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
      const ids = rows.map((row) => row.id);
      const standingOf = await readStandings(db, id, ids);
      const seeing = { role: visitIn(request).account.role, mobile };
      return { data: rows.map((row) => endpointToWire(row, standingOf(row.id), seeing)) };
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

    const message = `${endpoint}/messages/:message_id`;
    app.get(message, { config: reading, schema: schemas.message }, async ({ params }) => {
      const { id } = await endpointOfClient(db, params.client_id, params.endpoint_id);
      const found = await findMessage(db, id, params.message_id);
      if (found === undefined) throw new AdminError('MESSAGE_NOT_FOUND');
      return messageDetailToWire(found, mobile);
    });

    app.post(
      `${message}/replay`,
      { config: changing, schema: schemas.replay },
      async (request, reply) => {
        const { client_id: clientId, endpoint_id: endpointId, message_id: id } = request.params;
        const which = { clientId, endpointId, id };
        const replayed = await replayMessage(deps, actorIn(request), which);
        return reply.code(202).send(messageToWire(replayed));
      },
    );

    app.patch(endpoint, { config: changing, schema: schemas.change }, async (request) => {
      const { client_id: clientId, endpoint_id: id } = request.params;
      const { status } = request.body;
      const row = await setEndpointStatus(deps, actorIn(request), { clientId, id }, status);
      const standingOf = await afterCommit(() => readStandings(db, clientId, [id]));
      return endpointToWire(row, standingOf(id), {
        role: visitIn(request).account.role,
        mobile,
      });
    });
  };
