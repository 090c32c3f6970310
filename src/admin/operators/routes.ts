/** Serves operators in the back office over HTTP: status, settings and suspension. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { preferredLocale } from '../../lib/text.ts';
import { FaultsSchema, noLocalFaults } from '../../operators/simulator/local-faults.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { maskFor } from '../mask.ts';
import { bodyOf, closed, guarded, refusals } from '../wire.ts';
import {
  assertSimulated,
  type OperatorAdminDeps,
  operatorAt,
  removeSettings,
  updateFaults,
  updateSettings,
} from './change.ts';
import { resume, suspend, trust } from './suspension.ts';
import { testConnection } from './test-connection.ts';
import {
  ConnectorSchema,
  connectorToWire,
  exampleListed,
  exampleOperator,
  faultsToWire,
  type Listed,
  ListedSchema,
  listedToWire,
  OperatorSchema,
  operatorToWire,
  ShownFaults,
} from './wire.ts';

const operators = { tags: ['Operators'] };
const ofOne = [...guarded, 'OPERATOR_NOT_FOUND'] as const;
const stored = ['SETTINGS_CHANGED', 'SECRETS_KEY_MISSING', 'SETTINGS_REFUSED'] as const;
const params = Type.Object({
  operator_id: Type.String({ description: 'The ID of the operator or supplier.', examples: ['3'] }),
});
const reasoned = (example: string) =>
  bodyOf(
    { reason: Type.String({ minLength: 3, maxLength: 500, description: 'The reason.' }) },
    { reason: example },
  );
const oneOperator = answer(OperatorSchema, 'The operator.', exampleOperator);
const oneListed = answer(ListedSchema, 'The operator.', exampleListed);
const faults = answer(ShownFaults, 'The faults.', noLocalFaults);

const schemas = {
  list: {
    ...operators,
    operationId: 'listOperators',
    summary: 'List operators',
    description: 'Returns all operators and suppliers, sorted by ID.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(ListedSchema, { description: 'All of them.' }) }),
        'The operators.',
        { data: [exampleListed] },
      ),
      ...refusals(...guarded),
    },
  },
  get: {
    ...operators,
    operationId: 'getOperator',
    summary: 'Get an operator',
    description: 'Returns the operator with its settings and their schema.',
    params,
    response: { 200: oneOperator, ...refusals(...ofOne) },
  },
  connectors: {
    ...operators,
    operationId: 'listOperatorConnectors',
    summary: 'List the connectors that an operator can have',
    description:
      'Returns the connectors that were loaded at the start: those built in, and those that the configuration file names. With `NODE_ENV=production`, the simulator is listed only where the file names it.',
    params,
    response: {
      200: answer(
        Type.Object({ data: Type.Array(ConnectorSchema, { description: 'The connectors.' }) }),
        'The connectors.',
        { data: [{ name: 'http', schema: exampleOperator.schema, simulator: false }] },
      ),
      ...refusals(...ofOne),
    },
  },
  settings: {
    ...operators,
    operationId: 'updateOperatorSettings',
    summary: 'Update the settings of an operator',
    description:
      'Replaces all settings of the operator. A secret that is left out or sent as `***` is kept; null removes it. If the settings send requests to another address, no secret is kept: 422 `SECRETS_NEEDED` names those to send again in `errors`. They are stored encrypted, and take effect here at once and in other processes within a second; requests in flight finish with the old settings.',
    params,
    body: bodyOf(
      {
        connector: Type.Optional(
          Type.String({
            maxLength: 64,
            description:
              'The name of a connector of the list, to choose another. Its secrets must be sent.',
          }),
        ),
        settings: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The values, by the names in `schema`.',
        }),
        version: Type.String({
          maxLength: 64,
          description: 'The `version` of the settings that you loaded.',
        }),
      },
      {
        settings: { baseUrl: 'https://operator.example/v1', token: '***' },
        version: exampleOperator.version,
      },
    ),
    response: { 200: oneOperator, ...refusals(...ofOne, ...stored, 'SECRETS_NEEDED') },
  },
  remove: {
    ...operators,
    operationId: 'removeOperatorSettings',
    summary: 'Reset the settings of an operator',
    description:
      'Deletes the settings of the console, so that those of the configuration file apply.',
    params,
    response: { 200: oneOperator, ...refusals(...ofOne, 'SETTINGS_CHANGED', 'SETTINGS_REFUSED') },
  },
  check: {
    ...operators,
    operationId: 'checkOperator',
    summary: 'Test the connection to an operator',
    description: 'Inquires about an order that was never sent. Nothing is changed.',
    params,
    response: {
      200: answer(
        Type.Object({
          ok: Type.Boolean({ description: 'Whether the connection works.' }),
          words: Type.String({ description: 'The result, for a person to read.' }),
        }),
        'The result.',
        { ok: true, words: 'It answered, and knows no such order, as it should be.' },
      ),
      ...refusals(...ofOne),
    },
  },
  suspend: {
    ...operators,
    operationId: 'suspendOperator',
    summary: 'Suspend an operator',
    description:
      'New purchases are refused with 503 `OPERATOR_UNAVAILABLE`. Open purchases are still processed.',
    params,
    body: reasoned('they move to another system'),
    response: { 200: oneListed, ...refusals(...ofOne) },
  },
  resume: {
    ...operators,
    operationId: 'resumeOperator',
    summary: 'Resume an operator',
    description: 'Ends the suspension.',
    params,
    response: { 200: oneListed, ...refusals(...ofOne) },
  },
  trust: {
    ...operators,
    operationId: 'trustOperator',
    summary: 'Trust an operator again',
    description: 'Forgets the promises that it broke, so that purchases move on from it again.',
    params,
    body: reasoned('they corrected their inquiries'),
    response: { 200: oneListed, ...refusals(...ofOne) },
  },
  faults: {
    ...operators,
    operationId: 'getOperatorFaults',
    summary: 'Get the faults of a simulated operator',
    description: 'Returns fault rates from 0 to 1, which apply on top of the test numbers.',
    params,
    response: { 200: faults, ...refusals(...ofOne, 'NOT_SIMULATED') },
  },
  updateFaults: {
    ...operators,
    operationId: 'updateOperatorFaults',
    summary: 'Update the faults of a simulated operator',
    description: 'Replaces all faults. A field that is left out takes its default.',
    params,
    body: { ...Type.Partial(FaultsSchema, closed), examples: [{ loseAnswers: 0.1, errors: 0.05 }] },
    response: { 200: faults, ...refusals(...ofOne, 'NOT_SIMULATED', ...stored) },
  },
};

const reading = { adminNeeds: 'read' } as const;
const selling = { adminNeeds: 'catalogue' } as const;
const setting = { adminNeeds: 'settings' } as const;
/** For what may hold secrets. */
const grave = { adminNeeds: 'settings', adminFresh: true } as const;
const base = '/admin/api/operators';
const one = `${base}/:operator_id`;

const localeOf = ({ headers }: FastifyRequest) => preferredLocale(headers['accept-language']);

/** What a person decides about an operator: whether it sells, and whether its word counts. */
const decisionRoutes =
  (deps: OperatorAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const found = (params: { operator_id: string }) => operatorAt(deps, params.operator_id);
    const shown = (request: FastifyRequest, params: { operator_id: string }) =>
      listedToWire(found(params), deps.operators, localeOf(request));

    const suspending = { config: selling, schema: schemas.suspend };
    app.post(`${one}/suspension`, suspending, async (request) => {
      const { params, body } = request;
      await suspend(deps, actorIn(request), found(params), body.reason);
      return shown(request, params);
    });

    const resuming = { config: selling, schema: schemas.resume };
    app.delete(`${one}/suspension`, resuming, async (request) => {
      await resume(deps, actorIn(request), found(request.params));
      return shown(request, request.params);
    });

    const trusting = { config: selling, schema: schemas.trust };
    app.post(`${one}/trust`, trusting, async (request) => {
      const { params, body } = request;
      await trust(deps, actorIn(request), found(params), body.reason);
      return shown(request, params);
    });
  };

export const operatorAdminRoutes =
  (deps: OperatorAdminDeps & { readonly mobile: MobileFormat }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const parts = deps.operators;
    await decisionRoutes(deps)(app, {});
    /** The reason for the suspension, as the caller may read it. */
    const shownTo = <T extends Listed>(request: FastifyRequest, operator: T): T => {
      const { suspended } = operator;
      if (suspended === null) return operator;
      const mask = maskFor(visitIn(request).account.role, deps.mobile);
      return { ...operator, suspended: { ...suspended, reason: mask(suspended.reason) } };
    };
    const found = (params: { operator_id: string }) => operatorAt(deps, params.operator_id);

    app.get(base, { config: reading, schema: schemas.list }, async (request) => ({
      data: [...parts.registry.all, ...parts.registry.unconnected]
        .toSorted((one, other) => one.id - other.id)
        .map((operator) => shownTo(request, listedToWire(operator, parts, localeOf(request)))),
    }));

    app.get(one, { config: reading, schema: schemas.get }, async (request) =>
      shownTo(request, operatorToWire(found(request.params), parts, localeOf(request))),
    );

    const choices = { config: setting, schema: schemas.connectors };
    app.get(`${one}/connectors`, choices, async ({ params }) => ({
      data: (await parts.live.choices(found(params).id)).map(connectorToWire),
    }));

    const settings = { config: grave, schema: schemas.settings };
    app.put(`${one}/settings`, settings, async (request) => {
      await updateSettings(deps, actorIn(request), found(request.params), request.body);
      return operatorToWire(found(request.params), parts, localeOf(request));
    });

    const remove = { config: grave, schema: schemas.remove };
    app.delete(`${one}/settings`, remove, async (request) => {
      await removeSettings(deps, actorIn(request), found(request.params));
      return operatorToWire(found(request.params), parts, localeOf(request));
    });

    const check = { config: setting, schema: schemas.check };
    app.post(`${one}/check`, check, async (request, reply) => {
      const { ok, words } = await testConnection(deps, found(request.params));
      reply.header('vary', 'accept-language');
      return { ok, words: words[localeOf(request)] };
    });

    app.get(`${one}/faults`, { config: setting, schema: schemas.faults }, async ({ params }) => {
      assertSimulated(found(params));
      return faultsToWire(found(params), parts);
    });

    const changing = { config: setting, schema: schemas.updateFaults };
    app.put(`${one}/faults`, changing, async (request) => {
      await updateFaults(deps, actorIn(request), found(request.params), request.body);
      return faultsToWire(found(request.params), parts);
    });
  };
