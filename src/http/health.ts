/** Serves the health routes: liveness and readiness. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { GatewayError } from '../lib/errors.ts';
import { errorResponses } from '../lib/openapi/errors.ts';
import type { Text } from '../lib/text.ts';

export type HealthDeps = {
  readonly draining: () => boolean;
  /** Whether it is about to drain: it serves as before, and is to be sent nothing more. */
  readonly stopping: () => boolean;
  /** Why nothing new is sold, or undefined where it is. */
  readonly closed: () => Text | undefined;
  /** Whether requests of clients, or all new purchases, are refused because too many are under way. */
  readonly full: () => boolean;
  /** What is wrong with the database, in words; undefined where nothing is. */
  readonly databaseFault: () => Promise<string | undefined>;
};

const fine = (status: string, description: string) => ({
  ...Type.Object({ status: Type.Literal(status, { description: `Always \`${status}\`.` }) }),
  description,
  examples: [{ status }],
});

const whyClosed =
  'This gateway was restored from a backup, and later purchases are not known yet. New purchases are refused until this is resolved.';

const whyFull = 'The gateway is overloaded.';

const ReadySchema = {
  ...Type.Object({
    status: Type.Literal('ready', { description: 'Always `ready`.' }),
    selling: Type.Optional(
      Type.Literal(false, {
        description: 'There only while nothing new is sold; everything else is answered.',
      }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why nothing new is sold.' })),
  }),
  description: 'Yes.',
  examples: [{ status: 'ready' }, { status: 'ready', selling: false, reason: whyClosed }],
};

/** Whether a request is a probe; unknown paths beside theirs are none. */
export const isHealth = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/health/') === true;

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
          response: { 200: ReadySchema, ...errorResponses() },
        },
      },
      async () => {
        if (deps.draining() || deps.stopping()) throw new GatewayError('DRAINING');
        const trouble = await deps.databaseFault();
        if (trouble !== undefined) {
          const message = {
            en: `The gateway cannot use its database: ${trouble}.`,
            fa: `درگاه نمی‌تواند از پایگاه داده استفاده کند: ${trouble}.`,
          };
          throw new GatewayError('DATABASE_UNAVAILABLE', { message });
        }
        const reason = deps.closed()?.en ?? (deps.full() ? whyFull : undefined);
        const status = { status: 'ready' as const };
        return reason === undefined ? status : { ...status, selling: false as const, reason };
      },
    );
  };
