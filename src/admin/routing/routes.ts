/** Serves routes to suppliers over HTTP: list, change, import, export, explain. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Product } from '../../catalogue/product.ts';
import { lockVersion, readVersion } from '../../db/changes/versions.ts';
import { inSnapshot } from '../../db/engine.ts';
import type { DatabaseTime } from '../../db/types.ts';
import type { DayAt } from '../../lib/business-day.ts';
import { readPositive } from '../../lib/page.ts';
import { preferredLocale } from '../../lib/text.ts';
import { readQueryTime } from '../../lib/time.ts';
import { previewRoutes, type RouteDeps } from '../../routing/change.ts';
import type { RouteRequest } from '../../routing/choose.ts';
import { printRoutes, readRoutesFile } from '../../routing/csv.ts';
import { explainRoutes } from '../../routing/explain.ts';
import type { LiveRoutes } from '../../routing/live.ts';
import { listRoutes, listRouteVersions } from '../../routing/store.ts';
import { routeTexts } from '../../routing/texts.ts';
import { actorIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { type ActDeps, actOnce, fieldFault, runAction } from '../clients/act.ts';
import { AdminError } from '../errors.ts';
import { countsOf, importRoutes, removeRoute, setRoute } from './actions.ts';
import { fileBytes, schemas } from './schemas.ts';
import {
  explainedToWire,
  previewToWire,
  RouteSchema,
  refuseFields,
  routeToWire,
  termsFromWire,
  versionToWire,
} from './wire.ts';

export type RoutingRouteDeps = ActDeps & {
  readonly routing: Pick<RouteDeps, 'knowsSupplier'> &
    Pick<RouteRequest, 'supplierState' | 'groupOf'> & {
      readonly databaseTime: DatabaseTime;
      readonly dayAt: DayAt;
      readonly live: Pick<LiveRoutes, 'all' | 'reload'>;
      readonly product: (id: number) => Product | undefined;
    };
};

const base = '/admin/api/routes';
const one = `${base}/:route_id`;
const reading = { config: { adminNeeds: 'routes_read' } } as const;
const changing = { config: { adminNeeds: 'routes' } } as const;

/** No route has the ID 0. */
const idIn = (params: { readonly route_id: string }): number => readPositive(params.route_id) ?? 0;

type Explain = Static<(typeof schemas)['explain']['querystring']>;

/** What a purchase would ask of the routes. */
export const routeRequest = async (
  { db, routing }: Pick<RoutingRouteDeps, 'db' | 'routing'>,
  query: Explain,
): Promise<RouteRequest> => {
  const product = routing.product(readPositive(query.product_id) ?? 0);
  if (product === undefined) throw new AdminError('PRODUCT_NOT_FOUND');
  const moment = query.at === undefined ? await routing.databaseTime(db) : readQueryTime(query.at);
  if (moment === undefined) {
    throw fieldFault('at', {
      en: 'at must be a time such as 2026-01-31T09:30:00Z.',
      fa: '`at` باید زمانی مانند `2026-01-31T09:30:00Z` باشد.',
    });
  }
  const price = readPositive(query.price) ?? product.price;
  const { dayAt, supplierState, groupOf } = routing;
  const clientId = query.client_id ?? '';
  const asked = { product, clientId, price, charged: price, moment, purchaseId: '', left: [] };
  return { ...asked, dayAt, supplierState, groupOf };
};

/** The rows of a file that can be imported; else why it cannot. */
const rowsOf = ({ csv, remove_missing }: { csv: string; remove_missing: boolean }) => {
  const { rows, problems } = readRoutesFile(csv);
  const isEmpty = remove_missing && rows.length === 0 && problems.length === 0;
  return { rows, problems: isEmpty ? [{ line: 1, message: routeTexts.noRoutes }] : problems };
};

const fileRoutes =
  (deps: RoutingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, routing } = deps;
    const limited = { ...changing, bodyLimit: fileBytes };

    app.get(`${base}.csv`, { ...reading, schema: schemas.csv }, async (_request, reply) =>
      reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="routes.csv"')
        .send(Readable.from(printRoutes(await listRoutes(db)))),
    );

    app.post(
      `${base}/import/preview`,
      { ...limited, schema: schemas.preview },
      async (request, reply) => {
        const { rows, problems } = rowsOf(request.body);
        const locale = preferredLocale(request.headers['accept-language']);
        reply.header('vary', 'accept-language');
        return inSnapshot(db, async (db) => {
          const version = await readVersion(db, 'routes');
          const found = await previewRoutes(
            { ...deps, ...routing, db },
            rows,
            request.body.remove_missing,
          );
          const all = [...problems, ...found.problems];
          return previewToWire(found.diff, all, { version, locale });
        });
      },
    );

    app.post(`${base}/import`, { ...limited, schema: schemas.import }, async (request) => {
      const { csv, remove_missing: removeMissing, version } = request.body;
      const { rows, problems } = rowsOf(request.body);
      if (problems.length > 0) throw new AdminError('FILE_INVALID');
      const imported = await runAction(deps, actorIn(request), async (acting) => {
        const { databaseTime, knowsSupplier } = routing;
        const how = { removeMissing, sha256: hash('sha256', csv) };
        const expected = { ...acting, databaseTime, knowsSupplier };
        await lockVersion(acting.db, 'routes');
        if ((await readVersion(acting.db, 'routes')) !== version) {
          throw new AdminError('ROUTES_CHANGED');
        }
        const done = await importRoutes(expected, rows, how);
        if (done.problems.length > 0) throw new AdminError('FILE_INVALID');
        return { ...countsOf(done), version: await readVersion(acting.db, 'routes') };
      });
      await afterCommit(routing.live.reload);
      return imported;
    });
  };

export const routingRoutes =
  (deps: RoutingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, routing } = deps;
    const { databaseTime, knowsSupplier } = routing;
    const parts = { databaseTime, knowsSupplier };
    await fileRoutes(deps)(app, {});

    app.get(base, { ...reading, schema: schemas.list }, () =>
      inSnapshot(db, async (db) => ({
        data: (await listRoutes(db)).map(routeToWire),
        version: await readVersion(db, 'routes'),
      })),
    );

    app.get(`${base}/explain`, { ...reading, schema: schemas.explain }, async (request) => {
      const wanted = await routeRequest(deps, request.query);
      return { data: explainRoutes(routing.live.all(), wanted).map(explainedToWire) };
    });

    app.get(`${one}/versions`, { ...reading, schema: schemas.versions }, async ({ params }) => {
      const versions = await listRouteVersions(db, idIn(params));
      if (versions.length === 0) throw new AdminError('ROUTE_NOT_FOUND');
      return { data: versions.map(versionToWire) };
    });

    app.post(base, { ...changing, schema: schemas.create }, async (request, reply) => {
      const { key, ...input } = request.body;
      const terms = termsFromWire(input, undefined);
      const { answer } = await actOnce(
        deps,
        actorIn(request),
        { key, action: 'route create', input },
        {
          answers: RouteSchema,
          work: async (acting) => {
            const change = await setRoute({ ...acting, ...parts }, null, terms);
            if ('problems' in change) throw refuseFields(change.problems);
            return change.after;
          },
          answerOf: routeToWire,
        },
      );
      await afterCommit(routing.live.reload);
      return reply.code(201).send(answer);
    });

    app.patch(one, { ...changing, schema: schemas.change }, async (request) => {
      const id = idIn(request.params);
      const after = await runAction(deps, actorIn(request), async (acting) => {
        await lockVersion(acting.db, 'routes');
        const before = (await listRoutes(acting.db)).find((route) => route.id === id);
        if (before === undefined) throw new AdminError('ROUTE_NOT_FOUND');
        const terms = termsFromWire(request.body, before);
        const change = await setRoute({ ...acting, ...parts }, id, terms);
        if ('problems' in change) throw refuseFields(change.problems);
        return change.after;
      });
      await afterCommit(routing.live.reload);
      return routeToWire(after);
    });

    app.delete(one, { ...changing, schema: schemas.remove }, async (request, reply) => {
      const removed = await runAction(deps, actorIn(request), (acting) =>
        removeRoute({ ...acting, ...parts }, idIn(request.params)),
      );
      if (removed === undefined) throw new AdminError('ROUTE_NOT_FOUND');
      await afterCommit(routing.live.reload);
      return reply.code(204).send(null);
    });
  };
