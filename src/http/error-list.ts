/** Serves the error table at `/api/errors`. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import { errorTable, languageHeaders } from '../lib/errors.ts';
import { answer } from '../lib/openapi/answer.ts';
import { ErrorSchema, errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { type Locale, preferredLocale } from '../lib/text.ts';

export const RowSchema = Type.Object(
  {
    code: Type.String({ description: 'The error code, as in `code` of an error.' }),
    status: Type.Integer({ description: 'The HTTP status of the response.' }),
    message: Type.String({ description: 'What happened and what to do.' }),
    charged: ErrorSchema.properties.charged,
    retry: ErrorSchema.properties.retry,
  },
  { title: 'ErrorCode', description: 'An error code and its meaning.' },
);

const RowsSchema = Type.Object({
  data: Type.Array(RowSchema, { description: 'All codes, sorted by status.' }),
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
          summary: 'List error codes',
          description:
            'Returns every error code with its status, its meaning, whether you were charged, and whether to retry.',
          response: {
            200: answer(RowsSchema, 'The error codes.', { data: rows.en.data.slice(0, 1) }),
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
