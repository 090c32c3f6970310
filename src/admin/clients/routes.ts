/** Serves clients over HTTP: creates and changes them, and sets their rules. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { readRules } from '../../clients/rules/store.ts';
import { findWithMoney, listTokens } from '../../clients/store.ts';
import { dropEmptyQuery, readSpan, spanQuery } from '../../lib/http/query.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { idLowerBound } from '../../lib/random.ts';
import { actorIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { AdminError } from '../errors.ts';
import { bodyOf, exampleId, guarded, refusals } from '../wire.ts';
import { actOnce, type ClientsDeps, runAction } from './act.ts';
import { createClient, updateClient, updateRules } from './actions.ts';
import { countOutcomes, mostOutcomes } from './store.ts';
import { assertClient } from './webhooks.ts';
import {
  clientToWire,
  type Detail,
  DetailSchema,
  exampleDetail,
  exampleRules,
  exampleRulesVersion,
  exampleSecret,
  NameSchema,
  RulesSchema,
  rulesFromWire,
  rulesToWire,
  StatusSchema,
  TestSchema,
  tokenToWire,
  versionOfRules,
} from './wire.ts';

export const common = { tags: ['Clients'] };
export const ofClient = [...guarded, 'CLIENT_NOT_FOUND'] as const;
export const base = '/admin/api/clients';
export const one = `${base}/:client_id`;
export const clientParam = {
  client_id: Type.String({ description: 'The ID of the client.', examples: [exampleId] }),
};
export const reading = { adminNeeds: 'read' } as const;
export const changing = { adminNeeds: 'clients' } as const;
/** For what gives a token, which spends the client's money. */
export const grave = { ...changing, adminFresh: true } as const;

/** What is stored under a key: a token is shown once, and stored nowhere. */
const CreatedSchema = Type.Object({ id: Type.String(), name: Type.String() });

/** Its example is with `getClient`. */
const changed = answer(DetailSchema, 'The client.');

const schemas = {
  get: {
    ...common,
    operationId: 'getClient',
    summary: 'Get a client',
    description:
      'Returns a client with its rules, its spending today, and its tokens without their secrets.',
    params: Type.Object(clientParam),
    response: { 200: answer(DetailSchema, 'The client.', exampleDetail), ...refusals(...ofClient) },
  },
  outcomes: {
    ...common,
    operationId: 'countClientOutcomes',
    summary: "Count a client's purchases without a sale",
    description: `Counts purchases that began in a period and failed or were refused, each up to ${mostOutcomes}. What was sold is in the sales report.`,
    params: Type.Object(clientParam),
    querystring: Type.Object(spanQuery('purchases')),
    response: {
      200: answer(
        Type.Object({
          failed: Type.Integer({ description: 'Purchases that the operator did not deliver.' }),
          refused: Type.Integer({ description: 'Purchases that were never ordered.' }),
        }),
        'The counts.',
        { failed: 3, refused: 12 },
      ),
      ...refusals(...ofClient),
    },
  },
  create: {
    ...common,
    operationId: 'createClient',
    summary: 'Create a client',
    description:
      'Creates a client with a balance of 0 and a token with all scopes. A retry with the same key gets 409 `ALREADY_DONE`, which names the client: the token is shown only once.',
    body: bodyOf(
      { name: NameSchema, test: Type.Optional(TestSchema), key: KeySchema },
      { name: 'My reseller', key: '6f1e0c52-93d4-4b7a-8e25-c0a1b2d3e4f5' },
    ),
    response: {
      201: answer(
        Type.Object({
          client: DetailSchema,
          token: Type.String({
            description: 'Its first token. It is shown only in this response.',
          }),
        }),
        'The client.',
        { client: exampleDetail, token: exampleSecret },
      ),
      ...refusals(...guarded, 'KEY_REUSED', 'ALREADY_DONE'),
    },
  },
  change: {
    ...common,
    operationId: 'updateClient',
    summary: 'Update a client',
    description: 'Updates the fields that you send. A suspension takes effect within a second.',
    params: Type.Object(clientParam),
    body: bodyOf(
      { name: Type.Optional(NameSchema), status: Type.Optional(StatusSchema) },
      { name: 'My reseller', status: 'suspended' },
    ),
    response: { 200: changed, ...refusals(...ofClient) },
  },
  rules: {
    ...common,
    operationId: 'setClientRules',
    summary: "Update a client's rules",
    description:
      'Replaces all rules. They apply within a second. If the rules have changed since you loaded them, nothing is changed: 409 `SETTINGS_CHANGED`.',
    params: Type.Object(clientParam),
    body: bodyOf(
      {
        ...RulesSchema.properties,
        version: Type.String({
          maxLength: 64,
          description: 'The `rules_version` that you loaded.',
        }),
      },
      { ...exampleRules, version: exampleRulesVersion },
    ),
    response: {
      200: changed,
      ...refusals(...ofClient, 'SETTINGS_CHANGED'),
    },
  },
};

const readDetail = async ({ db, clock, clients }: ClientsDeps, id: string): Promise<Detail> => {
  const client = await findWithMoney(db, id);
  if (client === undefined) throw new AdminError('CLIENT_NOT_FOUND');
  const rules = await readRules(db, id);
  const { spent } = await clients.dayOf(id);
  const tokens = await listTokens(db, id);
  return {
    ...clientToWire(client, await clients.lowBelow()),
    rules: rulesToWire(rules),
    rules_version: versionOfRules(rules),
    day: { spent, limit: rules.dailyLimit },
    tokens: tokens.map((token) => tokenToWire(token, clock.now())),
  };
};

export const clientRoutes =
  (deps: ClientsDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(one, { config: reading, schema: schemas.get }, ({ params }) =>
      readDetail(deps, params.client_id),
    );

    const counting = { config: reading, preValidation: dropEmptyQuery, schema: schemas.outcomes };
    app.get(`${one}/outcomes`, counting, async ({ params, query }) => {
      await assertClient(deps.db, params.client_id);
      const { from = 0, to = deps.clock.now() } = readSpan(query);
      return countOutcomes(deps.db, params.client_id, {
        from: idLowerBound(Math.max(0, from)),
        to: idLowerBound(Math.max(0, to)),
      });
    });

    app.post(base, { config: grave, schema: schemas.create }, async (request, reply) => {
      const { name: given, test = false } = request.body;
      const input = { name: given.trim(), ...(test ? { test } : {}) };
      const asked = { key: request.body.key, action: 'client create', input } as const;
      const { answer, made } = await actOnce(deps, actorIn(request), asked, {
        answers: CreatedSchema,
        work: (acting) => createClient(acting, input),
        answerOf: ({ id }) => ({ id, name: input.name }),
      });
      const { id, name } = answer;
      if (made === undefined) {
        throw new AdminError('ALREADY_DONE', {
          message: {
            en: `This was done before: client ${id} is "${name}". Nothing was done now. Its token was shown once; if you do not have it, rotate it.`,
            fa: `این کار پیش‌تر انجام شده است: مشتری ${id} «${name}» است. اکنون کاری انجام نشد. توکن آن یک بار نمایش داده شد؛ اگر آن را ندارید، توکن را تعویض کنید.`,
          },
        });
      }
      const client = await afterCommit(() => readDetail(deps, id), {
        en: `Client ${id} was created, but could not be read again, and its token is not shown. Do not create it again: rotate its token.`,
        fa: `مشتری ${id} ساخته شد، ولی دوباره خوانده نشد و توکن آن نمایش داده نمی‌شود. آن را دوباره نسازید؛ توکنش را تعویض کنید.`,
      });
      return reply.code(201).send({ client, token: made.token.token });
    });

    app.patch(one, { config: changing, schema: schemas.change }, async (request) => {
      const { client_id: id } = request.params;
      await runAction(deps, actorIn(request), (acting) => updateClient(acting, id, request.body));
      return afterCommit(() => readDetail(deps, id));
    });

    app.put(`${one}/rules`, { config: changing, schema: schemas.rules }, async (request) => {
      const { client_id: id } = request.params;
      const { version, ...wire } = request.body;
      const rules = rulesFromWire(wire, deps.clients.operatorIds);
      await runAction(deps, actorIn(request), (acting) => updateRules(acting, id, rules, version));
      return afterCommit(() => readDetail(deps, id));
    });
  };
