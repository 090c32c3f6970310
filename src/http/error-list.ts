/** Serves the error table at `/api/errors`. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import { errorTable, languageHeaders } from '../lib/errors.ts';
import { ErrorSchema, errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { type Locale, preferredLocale } from '../lib/text.ts';

export const RowSchema = Type.Object({
  code: Type.String({ description: 'As in `code` of an error.' }),
  status: Type.Integer({ description: 'The HTTP status that it comes with.' }),
  message: Type.String({ description: 'What it means, and what to do about it.' }),
  charged: ErrorSchema.properties.charged,
  retry: ErrorSchema.properties.retry,
});

const RowsSchema = Type.Object({
  data: Type.Array(RowSchema, { description: 'All codes, by status.' }),
});

const rowsIn = (locale: Locale): Static<typeof RowsSchema> => ({
  data: Object.entries(errorTable)
    .map(([code, { status, message, fa, charged, retry }]) => ({
      code,
      status,
      message: locale === 'fa' ? fa : message,
      charged,
      retry,
    }))
    .sort((one, other) => one.status - other.status),
});

const rows = { en: rowsIn('en'), fa: rowsIn('fa') };

export const errorListRoutes =
  ({ auth }: { readonly auth: Auth }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/errors',
      {
        onRequest: auth.needs('catalogue'),
        schema: {
          tags: ['Errors'],
          security: [{ token: [] }],
          operationId: 'listErrors',
          summary: 'List errors',
          description:
            'Every code that an answer can carry, with its status, what it means, whether anything was charged, and whether to send it again.',
          response: {
            200: {
              ...RowsSchema,
              description: 'The error table.',
              examples: [{ data: rows.en.data.slice(0, 1) }],
            },
            ...errorResponses(...tokenErrors),
          },
        },
      },
      async (request, reply) => {
        const locale = preferredLocale(request.headers['accept-language']);
        reply.headers(languageHeaders(locale));
        return rows[locale];
      },
    );
  };
