/** Describes the catalogue routes of the back office and their input. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { answer, bodyOf, guarded, refusals } from '../wire.ts';
import {
  ChangedSchema,
  DigestSchema,
  exampleChanged,
  exampleId,
  exampleOne,
  examplePreview,
  examplePriceUpdate,
  exampleRows,
  exampleVersion,
  IdsSchema,
  ListQuery,
  OneSchema,
  OnSchema,
  PreviewSchema,
  PricesBody,
  RowSchema,
  VersionSchema,
} from './wire.ts';

export const catalogueTag = { tags: ['Catalogue'] };
export const changers = [...guarded, 'CATALOGUE_BROKE', 'CATALOGUE_STOPPED'] as const;

export const formatQuery = Type.Optional(
  Type.Enum(['csv', 'json'], { description: 'The form of the file.' }),
);

/** A file, however long: it goes out as a stream. */
const FileSchema = Type.Unsafe<Readable>(Type.String({ description: 'All products.' }));

const changed = answer(ChangedSchema, 'What was done.', exampleChanged);

export const schemas = {
  list: {
    ...catalogueTag,
    operationId: 'listProducts',
    summary: 'See products',
    description: 'Pages of what is sold, and of what is switched off.',
    querystring: ListQuery,
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(RowSchema, { description: 'The products of the page.' }),
          total: Type.Integer({ description: 'How many there are on all pages.' }),
          version: VersionSchema,
        }),
        'A page.',
        { data: exampleRows, total: 1, version: exampleVersion },
      ),
      ...refusals(...guarded),
    },
  },
  one: {
    ...catalogueTag,
    operationId: 'getProduct',
    summary: 'See a product',
    description: 'All its fields.',
    params: Type.Object({
      product_id: Type.String({ description: 'The product.', examples: [String(exampleId)] }),
    }),
    response: {
      200: { ...OneSchema, description: 'The product.', examples: [exampleOne] },
      ...refusals(...guarded, 'PRODUCT_NOT_FOUND'),
    },
  },
  categories: {
    ...catalogueTag,
    operationId: 'listCategories',
    summary: 'See categories',
    description: 'Those that a product stands in, by id.',
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(
            Type.Object({
              id: Type.Integer({ description: 'The category.' }),
              name: Type.String({ description: 'Its name.' }),
              products: Type.Integer({ description: 'How many products stand in it.' }),
            }),
            { description: 'All of them.' },
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
    summary: 'Get the catalogue as a file',
    description: 'All products, as an import takes them.',
    querystring: Type.Object({ format: formatQuery }),
    response: {
      200: {
        description: 'The file.',
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
    summary: 'Switch products on or off',
    description:
      'All that are named, or none. What is off stays listed with `status` 0, and buying it is refused.',
    body: bodyOf({ product_ids: IdsSchema, on: OnSchema }, { product_ids: [exampleId], on: false }),
    response: { 200: changed, ...refusals(...changers, 'PRODUCT_NOT_FOUND', 'CATALOGUE_CHANGED') },
  },
  preview: {
    ...catalogueTag,
    operationId: 'previewPrices',
    summary: 'See what a change of prices would do',
    description: 'Changes nothing.',
    body: bodyOf(PricesBody, examplePriceUpdate),
    response: {
      200: answer(PreviewSchema, 'What it would do.', examplePreview),
      ...refusals(...changers),
    },
  },
  prices: {
    ...catalogueTag,
    operationId: 'changePrices',
    summary: 'Change prices',
    description: 'Does just what the preview showed, all of it, or nothing.',
    body: bodyOf(
      { ...PricesBody, digest: DigestSchema },
      { ...examplePriceUpdate, digest: examplePreview.digest },
    ),
    response: { 200: changed, ...refusals(...changers, 'CATALOGUE_CHANGED') },
  },
};
