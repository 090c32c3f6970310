/** Serves the creation, change and removal of suppliers in the back office over HTTP. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { namePattern, nameSchema, SupplierSchema } from '../../config/sections/operators.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { preferredLocale } from '../../lib/text.ts';
import { actorIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { actOnce } from '../clients/act.ts';
import { bodyOf, exampleId, guarded, nothing, orNull, refusals } from '../wire.ts';
import { type OperatorAdminDeps, operatorAt } from './change.ts';
import { changeSupplier, createSupplier, removeSupplier } from './suppliers.ts';
import { exampleOperator, OperatorSchema, operatorToWire } from './wire.ts';

const { names } = SupplierSchema.properties;

const exampleSupplier = {
  ...exampleOperator,
  id: 500,
  kind: 'supplier' as const,
  defined_in: 'console' as const,
  name: 'second_supplier',
  names: { en: 'Second supplier', fa: 'تأمین‌کنندهٔ دوم' },
  suspended: null,
  health: 'up' as const,
};

const GroupSchema = orNull(
  Type.String({ pattern: namePattern }),
  'Its group: a purchase is ordered from one of a group only. Null: none.',
);

const NewNames = Type.Object(names.properties, {
  additionalProperties: false,
  description: 'The name that people read, in both languages.',
});

const CreatedSchema = Type.Object({ id: Type.Integer({ description: 'Its number.' }) });

const suppliers = { tags: ['Operators'] };
const ofOne = [...guarded, 'OPERATOR_NOT_FOUND', 'SUPPLIER_IN_FILE'] as const;
const params = Type.Object({
  operator_id: Type.String({ description: 'The ID of the supplier.', examples: ['500'] }),
});
const oneSupplier = answer(OperatorSchema, 'The supplier.', exampleSupplier);

const schemas = {
  create: {
    ...suppliers,
    operationId: 'createSupplier',
    summary: 'Create a supplier',
    description:
      'Adds a supplier in all processes, without a restart. It has no connector yet: choose one with its settings (`updateOperatorSettings`), and add a route. Without a route it gets no orders.',
    body: bodyOf(
      {
        key: KeySchema,
        id: Type.Optional(
          Type.Integer({
            minimum: 100,
            maximum: 999,
            description: 'Its number. Without one, the gateway takes a free one from 500 on.',
          }),
        ),
        name: nameSchema('The name in `/callbacks/{name}` and in metrics. It cannot be changed.'),
        names: NewNames,
        group: Type.Optional(GroupSchema),
      },
      {
        key: exampleId,
        name: 'second_supplier',
        names: { en: 'Second supplier', fa: 'تأمین‌کنندهٔ دوم' },
      },
    ),
    response: { 201: oneSupplier, ...refusals(...guarded, 'KEY_REUSED', 'OPERATOR_NOT_FOUND') },
  },
  change: {
    ...suppliers,
    operationId: 'changeSupplier',
    summary: 'Change a supplier',
    description: 'Changes its names or its group. What is left out stays.',
    params,
    body: bodyOf(
      { names: Type.Optional(NewNames), group: Type.Optional(GroupSchema) },
      { group: 'north' },
    ),
    response: { 200: oneSupplier, ...refusals(...ofOne) },
  },
  remove: {
    ...suppliers,
    operationId: 'removeSupplier',
    summary: 'Remove a supplier',
    description:
      'Removes a supplier that no route ever named. Suspend any other: its purchases still need it. No other supplier gets its number.',
    params,
    response: {
      204: nothing('It was removed.'),
      ...refusals(...ofOne, 'SUPPLIER_IN_USE'),
    },
  },
};

/** What follows may hold secrets. */
const config = { adminNeeds: 'settings', adminFresh: true } as const;
const base = '/admin/api/suppliers';
const one = `${base}/:operator_id`;

export const supplierRoutes =
  (deps: OperatorAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const shown = (id: number, language: string | undefined) =>
      operatorToWire(operatorAt(deps, String(id)), deps.operators, preferredLocale(language));

    app.post(base, { config, schema: schemas.create }, async (request, reply) => {
      const { key, ...input } = request.body;
      const { answer } = await actOnce(
        deps,
        actorIn(request),
        { key, action: 'supplier create', input },
        {
          answers: CreatedSchema,
          work: (acting) => createSupplier(deps, acting, input),
          answerOf: (created) => created,
        },
      );
      await afterCommit(deps.operators.live.reload);
      return reply.code(201).send(shown(answer.id, request.headers['accept-language']));
    });

    app.patch(one, { config, schema: schemas.change }, async (request) => {
      const { id } = operatorAt(deps, request.params.operator_id);
      await changeSupplier(deps, actorIn(request), id, request.body);
      return shown(id, request.headers['accept-language']);
    });

    app.delete(one, { config, schema: schemas.remove }, async (request, reply) => {
      const { id } = operatorAt(deps, request.params.operator_id);
      await removeSupplier(deps, actorIn(request), id);
      return reply.code(204).send(null);
    });
  };
