/** Serves the overview over HTTP: once, or live as server-sent events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { type GuardDeps, visitIn } from '../access/guard.ts';
import { mayDo } from '../access/roles.ts';
import { guarded, refusals } from '../wire.ts';
import { costAlerts } from './alerts.ts';
import { AlertsSchema, exampleAlerts, exampleSetup, SetupSchema } from './alerts-wire.ts';
import { chartNames } from './figures.ts';
import type { Live } from './live.ts';
import type { Overview } from './overview.ts';
import { exampleOverview, OverviewSchema } from './wire.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its answers stream for as long as a client listens, with their own limits. */
    staysOpen?: boolean;
  }
}

export type OverviewRouteDeps = GuardDeps & {
  readonly overview: Overview;
  readonly live: Live;
};

const tags = ['Overview'];
const querystring = Type.Object({
  span: Type.Optional(
    Type.Enum([...chartNames], {
      description: 'The period, in business days. Default: `today`.',
    }),
  ),
});

const schemas = {
  get: {
    tags,
    operationId: 'getOverview',
    summary: 'Get the overview',
    description:
      'Returns figures from rollups, which are a few seconds late, and from open purchases.',
    querystring,
    response: {
      200: answer(OverviewSchema, 'The overview.', exampleOverview),
      ...refusals(...guarded),
    },
  },
  stream: {
    tags,
    operationId: 'watchOverview',
    summary: 'Stream the overview',
    description:
      'Server-sent events: `overview` with the same JSON at once and every two seconds, and `end` when the session ends. The stream does not keep the session alive.',
    querystring,
    response: {
      200: {
        description: 'A stream of events, until either side closes the connection.',
        content: {
          'text/event-stream': {
            schema: Type.String({ description: 'Server-sent events.' }),
            example: `event: overview\ndata: {"at":"${exampleOverview.at}","span":"today"}\n\n`,
          },
        },
      },
      ...refusals(...guarded, 'TOO_MANY_LISTENERS'),
    },
  },
  alerts: {
    tags,
    operationId: 'listAlerts',
    summary: 'List alerts',
    description:
      'Returns what someone should act on now. An operator has `failures` if ten of its purchases failed within five minutes: a fifth of those that ended, and twice the share of the day before.',
    response: { 200: answer(AlertsSchema, 'The alerts.', exampleAlerts), ...refusals(...guarded) },
  },
  setup: {
    tags,
    operationId: 'getSetup',
    summary: 'Get the setup steps',
    description: 'Returns which steps from an empty gateway to the first sale are done.',
    response: { 200: answer(SetupSchema, 'The steps.', exampleSetup), ...refusals(...guarded) },
  },
};

/** No proxy may cache, change or buffer it; the connection is not reused after it. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
} as const;

export const overviewRoutes =
  ({ overview, live }: OverviewRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('preClose', async () => live.end());

    app.get(
      '/admin/api/overview',
      { config: { adminNeeds: 'read' }, schema: schemas.get },
      async ({ query }) => (await overview.read(query.span ?? 'today')).overview,
    );

    app.get(
      '/admin/api/alerts',
      { config: { adminNeeds: 'read' }, schema: schemas.alerts },
      async (request) => {
        const { at, data } = await overview.alerts();
        const seesCosts = mayDo(visitIn(request).account.role, 'cost');
        return { at, data: data.filter(({ kind }) => seesCosts || !costAlerts.has(kind)) };
      },
    );

    app.get(
      '/admin/api/overview/setup',
      { config: { adminNeeds: 'read' }, schema: schemas.setup },
      async () => overview.setup(),
    );

    app.get(
      '/admin/api/overview/live',
      { config: { adminNeeds: 'read', staysOpen: true }, schema: schemas.stream },
      async (request, reply) => {
        const { session, account } = visitIn(request);
        live.enter(account.id);
        reply.headers(streamHeaders).hijack();
        const { raw: response } = reply;
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) response.setHeader(name, value);
        }
        response.flushHeaders();
        await live.stream({
          response,
          accountId: account.id,
          session: session.hash,
          chart: request.query.span ?? 'today',
        });
      },
    );
  };
