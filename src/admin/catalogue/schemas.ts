/** Describes the catalogue routes of the back office and their input. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { bodyOf, guarded, refusals } from '../wire.ts';
import {
  examplePreview,
  examplePriced,
  examplePriceUpdate,
  PreviewSchema,
  PricedSchema,
  PricesBody,
} from './price-wire.ts';
import {
  ChangedSchema,
  DigestSchema,
  exampleChanged,
  exampleId,
  exampleOne,
  exampleRows,
  exampleVersion,
  IdsSchema,
  ListQuery,
  OneSchema,
  OnSchema,
  RowSchema,
  VersionSchema,
  ViewQuery,
} from './wire.ts';

export const catalogueTag = { tags: ['Catalogue'] };
export const changers = [...guarded, 'CATALOGUE_BROKE', 'CATALOGUE_STOPPED'] as const;

export const formatQuery = Type.Optional(
  Type.Enum(['csv', 'json'], { description: 'The format of the file.' }),
);

export const productParams = Type.Object({
  product_id: Type.String({
    description: 'The ID of the product.',
    examples: [String(exampleId)],
  }),
});

/** A file, however long: it goes out as a stream. */
const FileSchema = Type.Unsafe<Readable>(Type.String({ description: 'The products.' }));

const changed = answer(ChangedSchema, 'The result.', exampleChanged);

export const schemas = {
  list: {
    ...catalogueTag,
    operationId: 'listProducts',
    summary: 'List products',
    description: 'Returns pages of products, including disabled ones.',
    querystring: ListQuery,
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(RowSchema, { description: 'The products of the page.' }),
          total: Type.Integer({ description: 'Number of products on all pages.' }),
          version: VersionSchema,
        }),
        'A page of products.',
        { data: exampleRows, total: 1, version: exampleVersion },
      ),
      ...refusals(...guarded),
    },
  },
  one: {
    ...catalogueTag,
    operationId: 'getProduct',
    summary: 'Get a product',
    description: 'Returns a product with all its fields.',
    params: productParams,
    response: {
      200: answer(OneSchema, 'The product.', exampleOne),
      ...refusals(...guarded, 'PRODUCT_NOT_FOUND'),
    },
  },
  categories: {
    ...catalogueTag,
    operationId: 'listCategories',
    summary: 'List categories',
    description: 'Returns the categories that have products, sorted by ID.',
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(
            Type.Object({
              id: Type.Integer({ description: 'The ID of the category.' }),
              name: Type.String({ description: 'The name of the category.' }),
              products: Type.Integer({ description: 'How many products it has.' }),
            }),
            { description: 'The categories.' },
          ),
        }),
        'The categories.',
        { data: [{ id: 3, name: 'Monthly packages', products: 1 }] },
      ),
      ...refusals(...guarded),
    },
  },
  export: {
    ...catalogueTag,
    operationId: 'exportCatalogue',
    summary: 'Export the catalogue',
    description:
      'Exports the products that match the filters, by default all, in the format of an import.',
    querystring: Type.Object({ format: formatQuery, ...ViewQuery }),
    response: {
      200: {
        description: 'The catalogue as a file.',
        content: {
          'text/csv': { schema: FileSchema },
          'application/json': { schema: FileSchema },
        },
      },
      ...refusals(...guarded, 'EXPORT_BUSY'),
    },
  },
  switch: {
    ...catalogueTag,
    operationId: 'switchProducts',
    summary: 'Enable or disable products',
    description:
      'Updates all these products, or none. A disabled product stays listed with `status` 0 and cannot be bought.',
    body: bodyOf({ product_ids: IdsSchema, on: OnSchema }, { product_ids: [exampleId], on: false }),
    response: { 200: changed, ...refusals(...changers, 'PRODUCT_NOT_FOUND', 'CATALOGUE_CHANGED') },
  },
  preview: {
    ...catalogueTag,
    operationId: 'previewPrices',
    summary: 'Preview a price change',
    description: 'Shows what a price change would do. Nothing is changed.',
    body: bodyOf(PricesBody, examplePriceUpdate),
    response: {
      200: answer(PreviewSchema, 'The preview.', examplePreview),
      ...refusals(...changers),
    },
  },
  prices: {
    ...catalogueTag,
    operationId: 'updatePrices',
    summary: 'Change prices',
    description: 'Makes exactly the change of the preview, or none.',
    body: bodyOf(
      { ...PricesBody, digest: DigestSchema },
      { ...examplePriceUpdate, digest: examplePreview.digest },
    ),
    response: {
      200: answer(PricedSchema, 'The result.', examplePriced),
      ...refusals(...changers, 'CATALOGUE_CHANGED'),
    },
  },
};
