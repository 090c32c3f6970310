/** Describes the operations on routes for the OpenAPI document. */
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { bodyOf, closed, csvFile, exampleId, guarded, nothing, refusals } from '../wire.ts';
import {
  counts,
  ExplainedSchema,
  exampleRoute,
  exampleTerms,
  exampleVersion,
  PreviewSchema,
  RouteSchema,
  TermsChange,
  termFields,
  VersionSchema,
} from './wire.ts';

const tags = ['Routes'];
export const routesTag = {
  name: 'Routes',
  description: 'From which suppliers products are ordered.',
};

const params = Type.Object({
  route_id: Type.String({ description: 'The ID of the route.', examples: ['1'] }),
});

const version = Type.String({
  description: 'The version of all routes, which changes with every update.',
});

// Some ten thousand routes have two megabytes.
const longestFile = 8 * 1024 * 1024;
export const fileBytes = longestFile + 64 * 1024;

const file = {
  csv: Type.String({ maxLength: longestFile, description: 'The file as text.' }),
  remove_missing: Type.Boolean({ description: 'Whether routes that it lacks are removed.' }),
};
const exampleFile = {
  csv: 'operator_id,supplier_id,priority\n1,2,5\n',
  remove_missing: false,
};
const exampleCounts = { added: 1, changed: 0, removed: 0, unchanged: 3 };
const exampleVersionText = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

export const schemas = {
  list: {
    tags,
    operationId: 'listRoutes',
    summary: 'List the routes',
    description: 'Returns the routes in force. Each operator also has an implicit one.',
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(RouteSchema, { description: 'The routes, by their IDs.' }),
          version,
        }),
        'The routes.',
        { data: [exampleRoute], version: exampleVersionText },
      ),
      ...refusals(...guarded),
    },
  },
  versions: {
    tags,
    operationId: 'listRouteVersions',
    summary: 'List the versions of a route',
    description: 'Returns every version, the latest first, also of a route that was removed.',
    params,
    response: {
      200: answer(
        Type.Object({ data: Type.Array(VersionSchema, { description: 'The versions.' }) }),
        'The versions.',
        { data: [exampleVersion] },
      ),
      ...refusals(...guarded, 'ROUTE_NOT_FOUND'),
    },
  },
  create: {
    tags,
    operationId: 'createRoute',
    summary: 'Create a route',
    description: 'Servers apply it within a second.',
    body: bodyOf({ key: KeySchema, ...termFields }, { key: exampleId, ...exampleTerms }),
    response: {
      201: answer(RouteSchema, 'The route.', exampleRoute),
      ...refusals(...guarded, 'KEY_REUSED'),
    },
  },
  change: {
    tags,
    operationId: 'changeRoute',
    summary: 'Change a route',
    description: 'Changes the terms that you send. The version before stays in the history.',
    params,
    body: TermsChange,
    response: {
      200: answer(RouteSchema, 'The route.', exampleRoute),
      ...refusals(...guarded, 'ROUTE_NOT_FOUND'),
    },
  },
  remove: {
    tags,
    operationId: 'removeRoute',
    summary: 'Remove a route',
    description: 'Its history stays.',
    params,
    response: {
      204: nothing('It is removed.'),
      ...refusals(...guarded, 'ROUTE_NOT_FOUND'),
    },
  },
  csv: {
    tags,
    operationId: 'exportRoutes',
    summary: 'Export the routes',
    description: 'Returns the routes in force as CSV, in the form of an import.',
    response: {
      200: csvFile,
      ...refusals(...guarded),
    },
  },
  preview: {
    tags,
    operationId: 'previewRouteImport',
    summary: 'Preview an import of routes',
    description: 'Shows what an import would do, and every problem by its line. Changes nothing.',
    body: bodyOf(file, exampleFile),
    response: {
      200: answer(PreviewSchema, 'The preview.', {
        ...exampleCounts,
        problems: [],
        diff: [{ kind: 'added', before: null, after: { ...exampleRoute, id: 0 } }],
        version: exampleVersionText,
      }),
      ...refusals(...guarded),
    },
  },
  import: {
    tags,
    operationId: 'importRoutes',
    summary: 'Import routes',
    description: 'Makes the change of a preview in one transaction, or none.',
    body: bodyOf({ ...file, version }, { ...exampleFile, version: exampleVersionText }),
    response: {
      200: answer(Type.Object({ ...counts, version }, closed), 'What was done.', {
        ...exampleCounts,
        version: exampleVersionText,
      }),
      ...refusals(...guarded, 'ROUTES_CHANGED', 'FILE_INVALID'),
    },
  },
  explain: {
    tags,
    operationId: 'explainRoutes',
    summary: 'Explain a choice of routes',
    description:
      'Shows which routes a purchase may take on the server that answers, best first, and why not the others. Nothing is bought.',
    querystring: Type.Object({
      product_id: Type.String({ description: 'The product.', examples: ['101'] }),
      client_id: Type.Optional(Type.String({ description: 'For this client.' })),
      at: Type.Optional(Type.String({ description: 'At this time; now if left out.' })),
      price: Type.Optional(
        Type.String({
          description: 'At this price; that of the product if left out.',
        }),
      ),
    }),
    response: {
      200: answer(
        Type.Object({ data: Type.Array(ExplainedSchema, { description: 'The routes that fit.' }) }),
        'The choice.',
        { data: [{ route: exampleRoute, place: 1, code: null, share: 1, cost: 97_500 }] },
      ),
      ...refusals(...guarded, 'PRODUCT_NOT_FOUND'),
    },
  },
};
