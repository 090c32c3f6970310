/** Creates and changes single products in the back office over HTTP, and serves their price history. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listProductChanges } from '../../catalogue/prices/store.ts';
import { ProductSchema } from '../../catalogue/product.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { readPositive } from '../../lib/page.ts';
import { actorIn } from '../access/guard.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from '../clients/page.ts';
import { AdminError } from '../errors.ts';
import { bodyOf, closed, exampleId as exampleKey, guarded, orNull, refusals } from '../wire.ts';
import {
  exampleProductPrices,
  ProductPricesSchema,
  productChangeToWire,
} from './price-change-wire.ts';
import { type CatalogueAdminDeps, resultOf, showChange } from './routes.ts';
import { catalogueTag, changers, productParams } from './schemas.ts';
import { exampleId, exampleOne, exampleVersion, RevisionSchema } from './wire.ts';
import { SavedSchema } from './worker/answers.ts';
import type { EditJob } from './worker/messages.ts';

const {
  id: _____,
  created_at: _,
  updated_at: __,
  categories: ___,
  profile_id: ____,
  ...others
} = ProductSchema.properties;

/** What people set; a product lacks what is null. */
const editable = {
  ...others,
  profile_id: orNull(Type.String(), 'Sent to the operator with each purchase; null for none.'),
  category_ids: Type.Array(Type.Integer(), {
    maxItems: 100,
    description: 'The categories, by ID. They exist already: an import creates new ones.',
  }),
};

const FieldsSchema = Type.Partial(Type.Object(editable), {
  ...closed,
  title: 'ProductFields',
  description:
    'The fields to set. A new product needs `name`, `price`, `type`, `sim_card_type` and `operator_id`. Other fields of an existing product stay as they are.',
});

const saved = answer(SavedSchema, 'The result.', { id: exampleId, version: exampleVersion });

const schemas = {
  create: {
    ...catalogueTag,
    operationId: 'createProduct',
    summary: 'Create a product',
    description: 'Creates a product. Its fields are validated like a line of an import.',
    body: bodyOf(
      {
        id: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The ID. Without it, the next free one.' }),
        ),
        fields: FieldsSchema,
        key: KeySchema,
      },
      {
        fields: {
          name: exampleOne.name,
          price: exampleOne.price,
          type: exampleOne.type,
          sim_card_type: exampleOne.sim_card_type,
          operator_id: exampleOne.operator_id,
        },
        key: exampleKey,
      },
    ),
    response: {
      201: saved,
      ...refusals(...changers, 'PRODUCT_EXISTS', 'CATALOGUE_CHANGED', 'KEY_REUSED'),
    },
  },
  update: {
    ...catalogueTag,
    operationId: 'updateProduct',
    summary: 'Change a product',
    description:
      'Changes some fields of a product. It is refused if the product has changed since you loaded it.',
    params: productParams,
    body: bodyOf(
      { fields: FieldsSchema, revision: RevisionSchema, key: KeySchema },
      { fields: { price: 441_000 }, revision: exampleOne.revision, key: exampleKey },
    ),
    response: {
      200: saved,
      ...refusals(
        ...changers,
        'PRODUCT_NOT_FOUND',
        'PRODUCT_CHANGED',
        'CATALOGUE_CHANGED',
        'KEY_REUSED',
      ),
    },
  },
  prices: {
    ...catalogueTag,
    operationId: 'listProductPrices',
    summary: 'List the price changes of a product',
    description:
      'Returns the price history of a product, newest first. It has no entry for the first price.',
    params: productParams,
    querystring: Type.Object(pageQuery),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(ProductPricesSchema, { description: 'The price changes.' }),
          next: nextSchema,
        }),
        'The price changes.',
        { data: [exampleProductPrices], next: null },
      ),
      ...refusals(...guarded, 'PRODUCT_NOT_FOUND'),
    },
  },
};

const base = '/admin/api/catalogue/products';
const changing = { adminNeeds: 'catalogue' } as const;

const idOf = (text: string): number => {
  const id = readPositive(text);
  if (id === undefined) throw new AdminError('PRODUCT_NOT_FOUND');
  return id;
};

export const productRoutes =
  (deps: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const edit = async (job: Omit<EditJob, 'kind'>) => {
      const { saved } = resultOf(await deps.worker.run({ kind: 'edit', ...job }), 'saved');
      await showChange(deps);
      return saved;
    };

    app.post(base, { config: changing, schema: schemas.create }, async (request, reply) => {
      const actor = actorIn(request);
      const { id, fields, key } = request.body;
      const all = id === undefined ? fields : { ...fields, id };
      return reply.code(201).send(await edit({ loaded: undefined, fields: all, key, actor }));
    });

    app.patch(
      `${base}/:product_id`,
      { config: changing, schema: schemas.update },
      async (request) => {
        const { revision, ...body } = request.body;
        const loaded = { id: idOf(request.params.product_id), revision };
        return edit({ loaded, ...body, actor: actorIn(request) });
      },
    );

    app.get(
      `${base}/:product_id/prices`,
      { config: { adminNeeds: 'read' }, schema: schemas.prices },
      async ({ params, query }) => {
        const limit = limitOf(query);
        const id = idOf(params.product_id);
        const rows = await listProductChanges(deps.db, id, {
          before: query.before,
          most: limit + 1,
        });
        // Of a removed product, its history is still shown.
        if (rows.length === 0 && deps.snapshot().product(id) === undefined) {
          throw new AdminError('PRODUCT_NOT_FOUND');
        }
        const { page, next } = pageOf(rows, limit);
        return { data: page.map(productChangeToWire), next };
      },
    );
  };
