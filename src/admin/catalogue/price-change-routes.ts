/** Serves the history of price changes in the back office over HTTP, and reverts them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { findPriceChange, listPriceChanges, readMoves } from '../../catalogue/prices/store.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { actorIn } from '../access/guard.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from '../clients/page.ts';
import { AdminError } from '../errors.ts';
import { bodyOf, exampleId, guarded, refusals } from '../wire.ts';
import {
  changeToWire,
  exampleChange,
  exampleMove,
  moveToWire,
  PriceChangeSchema,
} from './price-change-wire.ts';
import { type CatalogueAdminDeps, resultOf, showChange } from './routes.ts';
import { catalogueTag, changers } from './schemas.ts';
import { exampleVersion } from './wire.ts';
import { keptFields, movePrices, type Reverted, RevertedSchema } from './worker/answers.ts';
import { rowsShown } from './worker/jobs.ts';

const { change_id: _, version: __, ...effect } = RevertedSchema.properties;
const PreviewSchema = Type.Object(
  { ...effect, ...keptFields },
  { title: 'RevertPreview', description: 'A preview of a revert.' },
);

const exampleEffect: Static<typeof PreviewSchema> = {
  prices: 1,
  products: 1,
  kept: [],
  kept_count: 0,
};
const exampleReverted: Reverted = {
  ...exampleEffect,
  change_id: exampleVersion,
  version: exampleVersion,
};

const params = Type.Object({
  change_id: Type.String({
    maxLength: 64,
    description: 'The ID of the price change.',
    examples: [exampleVersion],
  }),
});

const schemas = {
  list: {
    ...catalogueTag,
    operationId: 'listPriceChanges',
    summary: 'List price changes',
    description: 'Returns bulk price changes and reverts, newest first.',
    querystring: Type.Object(pageQuery),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(PriceChangeSchema, { description: 'The price changes.' }),
          next: nextSchema,
        }),
        'The price changes.',
        { data: [exampleChange], next: null },
      ),
      ...refusals(...guarded),
    },
  },
  one: {
    ...catalogueTag,
    operationId: 'getPriceChange',
    summary: 'Get a price change',
    description: 'Returns a price change with the prices that it changed.',
    params,
    response: {
      200: answer(
        Type.Object({
          change: PriceChangeSchema,
          data: Type.Array(Type.Object(movePrices), {
            description: 'The first 500 prices that it changed.',
          }),
        }),
        'The price change.',
        { change: exampleChange, data: [exampleMove] },
      ),
      ...refusals(...guarded, 'PRICE_CHANGE_NOT_FOUND'),
    },
  },
  preview: {
    ...catalogueTag,
    operationId: 'previewRevert',
    summary: 'Preview a revert',
    description: 'Shows what a revert would do. Nothing is changed.',
    params,
    response: {
      200: answer(PreviewSchema, 'The preview.', exampleEffect),
      ...refusals(...changers, 'PRICE_CHANGE_NOT_FOUND'),
    },
  },
  revert: {
    ...catalogueTag,
    operationId: 'revertPrices',
    summary: 'Revert a price change',
    description:
      'Restores the prices that still are as this bulk change or revert left them. The others stay as they are.',
    params,
    body: bodyOf({ key: KeySchema }, { key: exampleId }),
    response: {
      200: answer(RevertedSchema, 'The result.', exampleReverted),
      ...refusals(
        ...changers,
        'PRICE_CHANGE_NOT_FOUND',
        'NOTHING_TO_REVERT',
        'CATALOGUE_CHANGED',
        'KEY_REUSED',
      ),
    },
  },
};

const base = '/admin/api/catalogue/price-changes';
const reading = { adminNeeds: 'read' } as const;
const changing = { adminNeeds: 'catalogue' } as const;

export const priceChangeRoutes =
  (deps: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, worker } = deps;

    app.get(base, { config: reading, schema: schemas.list }, async ({ query }) => {
      const limit = limitOf(query);
      const rows = await listPriceChanges(db, { before: query.before, most: limit + 1 });
      const { page, next } = pageOf(rows, limit);
      return { data: page.map(changeToWire), next };
    });

    app.get(
      `${base}/:change_id`,
      { config: reading, schema: schemas.one },
      async ({ params: { change_id: id } }) => {
        const found = await findPriceChange(db, id);
        if (found === undefined) throw new AdminError('PRICE_CHANGE_NOT_FOUND');
        const moves = await readMoves(db, id, rowsShown);
        return { change: changeToWire(found), data: moves.map(moveToWire) };
      },
    );

    app.post(
      `${base}/:change_id/revert/preview`,
      { config: changing, schema: schemas.preview },
      async (request) => {
        const { change_id: changeId } = request.params;
        const actor = actorIn(request);
        const done = await worker.run({ kind: 'revert', changeId, key: undefined, actor });
        return resultOf(done, 'revert').preview;
      },
    );

    app.post(
      `${base}/:change_id/revert`,
      { config: changing, schema: schemas.revert },
      async (request) => {
        const { change_id: changeId } = request.params;
        const { key } = request.body;
        const done = await worker.run({ kind: 'revert', changeId, key, actor: actorIn(request) });
        const { reverted } = resultOf(done, 'reverted');
        await showChange(deps);
        return reverted;
      },
    );
  };
