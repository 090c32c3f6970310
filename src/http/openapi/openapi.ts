/** Builds the OpenAPI document, and serves it. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

import { isOfAdmin } from '../../admin/routes.ts';
import type { DocsGuard } from '../docs/access.ts';
import { type ApiTexts, sendStatic } from '../pages/static-page.ts';
import { describeWebhooks } from './webhooks.ts';

const description = `Sell mobile data packages and top-ups of several operators.

**Money** is whole currency units. **Mobile numbers** are written in international form without a plus sign.
Every path answers with and without a trailing slash. Every answer carries a \`Request-Id\` header; send your own as \`X-Request-Id\`.

**Errors** have one body everywhere: \`message\`, \`code\`, \`charged\`, \`retry\`, \`request_id\`, and \`errors\` where fields are at fault. Programs should go by \`code\`, \`charged\` and \`retry\`.`;

/** Goes before the routes: it collects them as they are registered. */
export const registerOpenApi = async (
  app: FastifyInstance,
  options: {
    readonly version: string;
    readonly publicUrl: string | undefined;
    /** Who may read it: everyone where undefined, no one where null. */
    readonly docsGuard: DocsGuard | undefined | null;
  },
  texts: Pick<ApiTexts, 'page'>,
): Promise<void> => {
  await app.register(swagger, {
    // The back office has a text of its own.
    transform: ({ schema, url }) => ({
      schema: isOfAdmin(url) ? { ...schema, hide: true } : schema,
      url,
    }),
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Simgate', version: options.version, description, license: { name: 'MIT' } },
      servers: [{ url: options.publicUrl ?? '/' }],
      webhooks: describeWebhooks(),
      tags: [
        { name: 'Catalogue', description: 'The products on sale.' },
        { name: 'Offers', description: 'Personal offers for one subscriber.' },
        { name: 'Buying', description: 'Purchases and their outcomes.' },
        { name: 'Account', description: 'Your balance and your statement.' },
        { name: 'Operators', description: 'Operator status and mobile number lookup.' },
        {
          name: 'Webhooks',
          description: 'Endpoints that receive your events, and what was sent to them.',
        },
        { name: 'Errors', description: 'The list of errors.' },
        { name: 'Health', description: 'Liveness and readiness checks for operations.' },
      ],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token of yours: `Authorization: Bearer <ACCESS_TOKEN>`.',
          },
        },
      },
    },
  });
  const text = texts.page(() => app.swagger());
  const { docsGuard } = options;
  if (docsGuard === null) return;
  const guarded = docsGuard === undefined ? {} : { onRequest: docsGuard };
  app.get('/openapi.json', { schema: { hide: true }, ...guarded }, sendStatic(text));
};
