/** Describes the operations on price lists for the OpenAPI document. */
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { KeySchema } from '../audit/idempotency.ts';
import {
  bodyOf,
  closed,
  csvFile,
  exampleId,
  exampleTime,
  guarded,
  nothing,
  refusals,
  textOrNull,
} from '../wire.ts';
import { PreviewSchema } from './preview-wire.ts';
import {
  AssignedSchema,
  counts,
  DatedSchema,
  ExplainedSchema,
  exampleCounts,
  exampleDated,
  exampleEntry,
  exampleList,
  exampleShown,
  exampleTerms,
  ListSchema,
  optionalTime,
  ShownSchema,
  scopeFields,
  termFields,
} from './wire.ts';

const tags = ['Price lists'];
export const pricesTag = { name: 'Price lists', description: 'What clients pay.' };

const listParam = {
  price_list_id: Type.String({ description: 'The ID of the list.', examples: ['2'] }),
};
const params = Type.Object(listParam);
const clientParams = Type.Object({
  client_id: Type.String({ description: 'The ID of the client.', examples: [exampleId] }),
});

const version = Type.String({ description: 'The version of all price lists, from the preview.' });

// Some ten thousand entries have half a megabyte.
const longestFile = 8 * 1024 * 1024;
export const fileBytes = longestFile + 64 * 1024;

const file = {
  csv: Type.String({
    maxLength: longestFile,
    description: 'The file as text, with all entries that the list has from then on.',
  }),
  valid_from: optionalTime,
};
const exampleFile = { csv: 'operator_id,commission\n2,4%\n', valid_from: null };
const exampleVersion = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
const exampleSums = {
  sold: 120,
  price: 5_000_000,
  charged_before: 4_900_000,
  charged_after: 4_800_000,
};
const at = Type.Optional(Type.String({ description: 'At this time; now if left out.' }));

export const schemas = {
  list: {
    tags,
    operationId: 'listPriceLists',
    summary: 'List the price lists',
    description:
      'Returns every list with its versions. A client is in the default one unless assigned to another.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(ListSchema, { description: 'The lists, by their IDs.' }) }),
        'The lists.',
        { data: [exampleList] },
      ),
      ...refusals(...guarded),
    },
  },
  show: {
    tags,
    operationId: 'getPriceList',
    summary: 'Get a price list',
    description: 'Returns the list with the entries in force at a time.',
    params,
    querystring: Type.Object({ at }),
    response: {
      200: answer(ShownSchema, 'The list.', exampleShown),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  create: {
    tags,
    operationId: 'createPriceList',
    summary: 'Create a price list',
    description: 'It has no entries yet, so its parent applies.',
    body: bodyOf({ key: KeySchema, ...termFields }, { key: exampleId, ...exampleTerms }),
    response: {
      201: answer(ListSchema, 'The list.', exampleList),
      ...refusals(...guarded, 'KEY_REUSED'),
    },
  },
  change: {
    tags,
    operationId: 'changePriceList',
    summary: 'Change a price list',
    description: 'Changes the terms that you send, from the next purchase on.',
    params,
    body: Type.Partial(Type.Object(termFields), { ...closed, examples: [{ name: 'Partners' }] }),
    response: {
      200: answer(ListSchema, 'The list.', exampleList),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  remove: {
    tags,
    operationId: 'removePriceList',
    summary: 'Remove a price list',
    description:
      'Only a list without clients that is no parent can be removed, and never the default one.',
    params,
    response: {
      204: nothing('It is removed.'),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  setEntry: {
    tags,
    operationId: 'setPriceEntry',
    summary: 'Set one entry of a price list',
    description:
      'Writes a version in which this entry is added, changed or removed, and the others are as they are then. A version that begins later stays as it is.',
    params,
    body: bodyOf(
      {
        ...scopeFields,
        commission: textOrNull('`4%` or an amount such as `500`; null removes the entry.'),
        valid_from: optionalTime,
      },
      { ...exampleEntry, valid_from: exampleTime },
    ),
    response: {
      200: answer(DatedSchema, 'What was done.', exampleDated),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  removeVersion: {
    tags,
    operationId: 'removePriceListVersion',
    summary: 'Remove a version that has not begun',
    description: 'The version before stays in force.',
    params: Type.Object({
      ...listParam,
      number: Type.String({ description: 'The number of the version.', examples: ['2'] }),
    }),
    response: {
      204: nothing('It is removed.'),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  csv: {
    tags,
    operationId: 'exportPriceList',
    summary: 'Export the entries of a price list',
    description: 'Returns the entries in force at a time as CSV, in the form of an import.',
    params,
    querystring: Type.Object({ at }),
    response: { 200: csvFile, ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND') },
  },
  preview: {
    tags,
    operationId: 'previewPriceListImport',
    summary: 'Preview an import of entries',
    description:
      'Shows what an import would do, also to the purchases of the last 30 days, and every problem by its line. Changes nothing.',
    params,
    body: bodyOf(file, exampleFile),
    response: {
      200: answer(PreviewSchema, 'The preview.', {
        ...exampleCounts,
        valid_from: exampleTime,
        problems: [],
        diff: [{ kind: 'added', before: null, after: exampleEntry }],
        last_days: exampleSums,
        clients: [{ client_id: exampleId, ...exampleSums }],
        version: exampleVersion,
      }),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND'),
    },
  },
  import: {
    tags,
    operationId: 'importPriceList',
    summary: 'Import the entries of a price list',
    description: 'Makes the change of a preview in one transaction, or none.',
    params,
    body: bodyOf({ ...file, version }, { ...exampleFile, version: exampleVersion }),
    response: {
      200: answer(
        Type.Object({ ...counts, ...DatedSchema.properties }, closed),
        'What was done.',
        exampleDated,
      ),
      ...refusals(...guarded, 'PRICE_LIST_NOT_FOUND', 'PRICES_CHANGED', 'FILE_INVALID'),
    },
  },
  explain: {
    tags,
    operationId: 'explainPrice',
    summary: 'Explain what a client pays',
    description: 'Shows the entry that decides, and why not the others. Nothing is bought.',
    querystring: Type.Object({
      product_id: Type.String({ description: 'The product.', examples: ['101'] }),
      client_id: Type.Optional(Type.String({ description: 'For this client.' })),
      at,
      price: Type.Optional(
        Type.String({ description: 'At this price; that of the product if left out.' }),
      ),
    }),
    response: {
      200: answer(ExplainedSchema, 'The charge.', {
        price: 100_000,
        cost: 95_000,
        commission: 4000,
        charged_amount: 96_000,
        steps: [
          {
            price_list_id: 2,
            price_list: 'Partners',
            version: 1,
            entry: exampleEntry,
            code: 'decides',
          },
        ],
      }),
      ...refusals(...guarded, 'PRODUCT_NOT_FOUND'),
    },
  },
  assigned: {
    tags,
    operationId: 'getClientPriceList',
    summary: "Get a client's price list",
    description: 'Returns the list that the client is in.',
    params: clientParams,
    response: {
      200: answer(AssignedSchema, 'The list.', { price_list_id: 2, price_list: 'Partners' }),
      ...refusals(...guarded, 'CLIENT_NOT_FOUND'),
    },
  },
  assign: {
    tags,
    operationId: 'assignPriceList',
    summary: 'Put a client into a price list',
    description: 'Counts from the next purchase on. The default list has the ID 1.',
    params: clientParams,
    body: bodyOf(
      { price_list_id: Type.Integer({ minimum: 1, description: 'The ID of the list.' }) },
      { price_list_id: 2 },
    ),
    response: {
      200: answer(AssignedSchema, 'The list.', { price_list_id: 2, price_list: 'Partners' }),
      ...refusals(...guarded, 'CLIENT_NOT_FOUND', 'PRICE_LIST_NOT_FOUND'),
    },
  },
};
