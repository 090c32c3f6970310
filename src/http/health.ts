/** Owns the health routes: whether the process lives, and whether it should be sent work. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { errorResponses } from '../lib/error-schema.ts';
import { GatewayError } from '../lib/errors.ts';

export type HealthDeps = {
  readonly draining: () => boolean;
  /** Fails where the database does not answer. */
  readonly pingDatabase: () => Promise<void>;
};

const fine = (status: string, description: string) => ({
  ...Type.Object({ status: Type.Literal(status, { description: `Always \`${status}\`.` }) }),
  description,
  examples: [{ status }],
});

export const healthRoutes =
  (deps: HealthDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/health/live',
      {
        schema: {
          operationId: 'live',
          tags: ['Health'],
          summary: 'Is the process alive?',
          response: { 200: fine('live', 'It is.') },
        },
      },
      async () => ({ status: 'live' as const }),
    );

    app.get(
      '/health/ready',
      {
        schema: {
          operationId: 'ready',
          tags: ['Health'],
          summary: 'Should it be sent work?',
          response: { 200: fine('ready', 'Yes.'), ...errorResponses() },
        },
      },
      async () => {
        if (deps.draining()) throw new GatewayError('DRAINING');
        await deps.pingDatabase().catch((cause: unknown) => {
          throw new GatewayError('DATABASE_UNAVAILABLE', {}, { cause });
        });
        return { status: 'ready' as const };
      },
    );
  };
