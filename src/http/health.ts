/** Serves the health routes: liveness and readiness. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { GatewayError } from '../lib/errors.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, responsesOf } from '../lib/openapi/errors.ts';
import type { Text } from '../lib/text.ts';

export type HealthDeps = {
  readonly draining: () => boolean;
  /** Whether it is about to drain: it serves as before, but should get no new traffic. */
  readonly stopping: () => boolean;
  /** Why nothing new is sold, or undefined if it is. */
  readonly closed: () => Text | undefined;
  /** Whether clients' requests, or all new purchases, are refused because too many are in flight. */
  readonly full: () => boolean;
  /** The fault of the database, in words; undefined if there is none. */
  readonly databaseFault: () => Promise<string | undefined>;
};

const LiveSchema = Type.Object({
  status: Type.Literal('live', { description: 'Always `live`.' }),
});

const whyClosed =
  'This gateway was restored from a backup, and later purchases are not known yet. New purchases are refused until this is resolved.';

const whyFull = 'The gateway is overloaded.';

const ReadySchema = Type.Object({
  status: Type.Literal('ready', { description: 'Always `ready`.' }),
  selling: Type.Optional(
    Type.Literal(false, {
      description: 'Present while new purchases are refused. All other requests are served.',
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why new purchases are refused.' })),
});

const ready = answer(
  ReadySchema,
  'The instance is ready.',
  { status: 'ready' },
  { status: 'ready', selling: false, reason: whyClosed },
);

// Probes need no token.
const common = { tags: ['Health'], security: [] };

/** Whether a request is a probe; unknown paths beside theirs are not. */
export const isHealth = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/health/') === true;

export const healthRoutes =
  (deps: HealthDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/health/live',
      {
        schema: {
          ...common,
          operationId: 'getLiveness',
          summary: 'Check liveness',
          description: 'Answers as long as the process runs. Restart the instance if it does not.',
          response: {
            200: answer(LiveSchema, 'The process runs.', { status: 'live' }),
            ...responsesOf('METHOD_NOT_ALLOWED'),
          },
        },
      },
      async () => ({ status: 'live' as const }),
    );

    app.get(
      '/health/ready',
      {
        schema: {
          ...common,
          operationId: 'getReadiness',
          summary: 'Check readiness',
          description:
            'Answers 200 while the instance serves requests, and 503 while it drains or cannot use its database.',
          response: { 200: ready, ...errorResponses('METHOD_NOT_ALLOWED') },
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
