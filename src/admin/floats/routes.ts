/** Serves suppliers' floats over HTTP: what lies there, and the record of top-ups and corrections. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { DatabaseTime } from '../../db/types.ts';
import { answer } from '../../lib/openapi/answer.ts';
import type { Operator } from '../../operators/registry.ts';
import { readChainAtOnce } from '../../purchases/floats/chain-store.ts';
import type { Floats } from '../../purchases/floats/live.ts';
import {
  emptyBooks,
  listEntries,
  readBalances,
  readBooksAtOnce,
} from '../../purchases/floats/store.ts';
import { actorIn } from '../access/guard.ts';
import type { ActDeps } from '../clients/act.ts';
import { limitOf, pageQuery } from '../clients/page.ts';
import { type OperatorAdminDeps, operatorAt } from '../operators/change.ts';
import { guarded, refusals, textOrNull } from '../wire.ts';
import { recordOnce } from './actions.ts';
import { chainFields, chainToWire, exampleChain } from './chain-wire.ts';
import {
  EntrySchema,
  entryToWire,
  exampleEntry,
  exampleFloat,
  FloatSchema,
  floatToWire,
  RecordBody,
} from './wire.ts';

export type FloatDeps = ActDeps &
  OperatorAdminDeps & { readonly floats: Floats; readonly databaseTime: DatabaseTime };

const floats = { tags: ['Operators'] };
const ofOne = [...guarded, 'OPERATOR_NOT_FOUND'] as const;
const params = Type.Object({
  operator_id: Type.String({ description: 'The ID of the operator or supplier.', examples: ['3'] }),
});

const OneSchema = Type.Object(
  {
    float: FloatSchema,
    ...chainFields,
    data: Type.Array(EntrySchema, { description: 'What people recorded, newest first.' }),
    next: textOrNull('Send it as `before` for the next page; null on the last one.'),
  },
  { title: 'FloatPage', description: 'A float, and a page of its entries.' },
);

const schemas = {
  list: {
    ...floats,
    operationId: 'listFloats',
    summary: 'List the floats of all suppliers',
    description: 'Returns what lies at each operator and supplier, sorted by ID.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(FloatSchema, { description: 'All of them.' }) }),
        'The floats.',
        { data: [exampleFloat] },
      ),
      ...refusals(...guarded),
    },
  },
  get: {
    ...floats,
    operationId: 'getFloat',
    summary: 'Get the float of a supplier',
    description: 'Returns what lies at an operator or supplier, with the record of entries.',
    params,
    querystring: Type.Object(pageQuery),
    response: {
      200: answer(OneSchema, 'The float.', {
        float: exampleFloat,
        ...exampleChain,
        data: [exampleEntry],
        next: null,
      }),
      ...refusals(...ofOne),
    },
  },
  record: {
    ...floats,
    operationId: 'recordFloatEntry',
    summary: 'Record a top-up or a correction',
    description:
      'Records money that was sent to a supplier, or corrects its float, once per key. From the first entry on the float is watched, and its routes are passed over while it is empty.',
    params,
    body: RecordBody,
    response: {
      201: answer(EntrySchema, 'The entry.', exampleEntry),
      ...refusals(...ofOne, 'KEY_REUSED'),
    },
  },
};

const readBefore = (text: string | undefined): number =>
  text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;

export const floatRoutes =
  (deps: FloatDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const one = '/admin/api/operators/:operator_id/float';
    const reading = { adminNeeds: 'cost' } as const;
    const readAll = async () => ({
      books: await readBooksAtOnce(deps.db, await deps.databaseTime(deps.db)),
      told: await readBalances(deps.db),
    });
    const shown = (supplier: Operator, { books, told }: Awaited<ReturnType<typeof readAll>>) => {
      const { id } = supplier;
      return floatToWire(supplier, books.get(id) ?? emptyBooks(id), told.get(id));
    };

    app.get('/admin/api/floats', { config: reading, schema: schemas.list }, async () => {
      const all = await readAll();
      const suppliers = deps.operators.registry.all.filter(({ id }) => id > 0);
      return {
        data: suppliers.toSorted((a, b) => a.id - b.id).map((supplier) => shown(supplier, all)),
      };
    });

    app.get(one, { config: reading, schema: schemas.get }, async ({ params, query }) => {
      const supplier = operatorAt(deps, params.operator_id);
      const limit = limitOf(query);
      const page = { before: readBefore(query.before), limit: limit + 1 };
      const entries = await listEntries(deps.db, supplier.id, page);
      const rows = entries.slice(0, limit);
      return {
        float: shown(supplier, await readAll()),
        ...chainToWire(
          await readChainAtOnce(deps.db, supplier.id, await deps.databaseTime(deps.db)),
        ),
        data: rows.map(entryToWire),
        next: entries.length > limit ? String(rows.at(-1)?.number ?? '') : null,
      };
    });

    const recording = { config: { adminNeeds: 'float' }, schema: schemas.record } as const;
    app.post(`${one}/entries`, recording, async (request, reply) => {
      const { params, body } = request;
      const { id: supplierId } = operatorAt(deps, params.operator_id);
      const wanted = { supplierId, ...body, reference: body.reference ?? '' };
      return reply.code(201).send(await recordOnce(deps, actorIn(request), wanted));
    });
  };
