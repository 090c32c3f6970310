/** Builds the OpenAPI document, and serves it. */
import type { FastifyInstance, RouteOptions } from 'fastify';

import { isOfAdmin } from '../../admin/routes.ts';
import { buildDocument } from '../../lib/openapi/document.ts';
import type { DocsGuard } from '../docs/access.ts';
import { type ApiTexts, sendStatic } from '../pages/static-page.ts';
import { describeWebhooks, webhookHeaders } from './webhooks.ts';

const description = `Sell mobile data packages and top-ups of several operators.

**Money** is in whole currency units. **Mobile numbers** are in international format without a plus sign.
Every path works with and without a trailing slash. Every response has a \`Request-Id\` header. To choose the ID yourself, send \`X-Request-Id\`.

**Errors** have one body everywhere: \`message\`, \`code\`, \`charged\`, \`retry\`, \`request_id\`, and \`errors\` if fields are invalid. Base your program on \`code\`, \`charged\` and \`retry\`. New codes may be added.`;

declare module 'fastify' {
  /** What the documents show of a route beside its validation. */
  interface FastifySchema {
    hide?: boolean;
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    deprecated?: boolean;
    /** The media types of the body; JSON by default. */
    consumes?: readonly string[];
    security?: readonly Readonly<Record<string, readonly string[]>>[];
  }

  interface FastifyContextConfig {
    /** What the document shows instead of the schema, if a hook normalizes requests before validation. */
    describes?: FastifySchema;
  }
}

/** The contract writes these with a trailing slash. */
const slashed = /^\/api\/(?:[^/]+\/offers|top-up|top-up\/package)$/;

const tags = [
  { name: 'Catalogue', description: 'List and filter products.' },
  { name: 'Offers', description: 'Personal offers of one subscriber.' },
  { name: 'Purchases', description: 'Buy, validate a purchase, and look up its outcome.' },
  { name: 'Account', description: 'Your balance, limits and statement.' },
  { name: 'Operators', description: 'Operator status and mobile number lookup.' },
  { name: 'Webhooks', description: 'Manage endpoints, and see and resend their messages.' },
  { name: 'Errors', description: 'The list of error codes.' },
  { name: 'Health', description: 'Liveness and readiness probes.' },
];

const components = {
  parameters: webhookHeaders,
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'Your access token: `Authorization: Bearer <ACCESS_TOKEN>`.',
    },
  },
};

/** Those of clients: the admin API has its own document. */
const describedRoutes = (routes: readonly RouteOptions[]) =>
  routes
    .filter(({ url }) => !isOfAdmin(url))
    .map(({ method, url, schema, config }) => ({
      method,
      url: slashed.test(url) ? `${url}/` : url,
      schema: { ...schema, ...config?.describes },
    }));

/**
 * Collects the routes that follow. The framework does not get their response schemas: it would prepare a
 * serializer for each, and all of them would print JSON.
 */
const collectRoutes = (app: FastifyInstance): readonly RouteOptions[] => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push({ ...route });
    const { response: _, ...schema } = route.schema ?? {};
    route.schema = schema;
  });
  return routes;
};

/** Registered before the routes: it returns all of them, once they are there. */
export const registerOpenApi = (
  app: FastifyInstance,
  options: {
    readonly version: string;
    readonly publicUrl: string | undefined;
    /** Who may read it: everyone if undefined, no one if null. */
    readonly docsGuard: DocsGuard | undefined | null;
  },
  texts: Pick<ApiTexts, 'page'>,
): readonly RouteOptions[] => {
  const { version, publicUrl, docsGuard } = options;
  const routes = collectRoutes(app);
  if (docsGuard === null) return routes;
  const api = { title: 'Simgate', version, description, publicUrl, tags, components };
  const text = texts.page(() =>
    buildDocument({ ...api, webhooks: describeWebhooks() }, describedRoutes(routes)),
  );
  const guarded = docsGuard === undefined ? {} : { onRequest: docsGuard };
  app.get('/openapi.json', { schema: { hide: true }, ...guarded }, sendStatic(text));
  return routes;
};
