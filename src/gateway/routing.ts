/** Routes purchases: chooses their suppliers by the routes in memory. */
import type { DayAt } from '../lib/business-day.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { Registry } from '../operators/registry.ts';
import type { Floats } from '../purchases/floats/live.ts';
import type { Candidate, Routing } from '../purchases/routing.ts';
import { choose, type RouteRequest } from '../routing/choose.ts';
import { createRouteHealth, type HealthSettings, type RouteHealth } from '../routing/health.ts';
import type { LiveRoutes } from '../routing/live.ts';
import { costOf, implicitRouteId, type Route } from '../routing/route.ts';

export type RoutingDeps = {
  readonly routes: Pick<LiveRoutes, 'table' | 'all' | 'version' | 'reload'>;
  readonly registry: Registry;
  readonly health: Pick<RouteHealth, 'admits' | 'take' | 'record'>;
  readonly floats: Pick<Floats, 'covers'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly dayAt: DayAt;
  readonly mostSuppliers: number;
  readonly giveUpAfterMs: number;
};

/** The health of routes; their changes are logged. */
export const watchRoutes = (
  settings: HealthSettings,
  clock: Pick<Clock, 'monotonic'>,
  log: Pick<Log, 'info' | 'warn'>,
): RouteHealth =>
  createRouteHealth({
    clock,
    settings,
    changed: ({ routeId: route, supplierId: supplier }, state) => {
      if (state === 'open') log.info({ route, supplier }, 'a route delivers again');
      else log.warn({ route, supplier }, 'too many orders of a route failed: it is closed');
    },
  });

/** The implicit route is not stored, so no purchase refers to it. */
const storedId = (routeId: number): number | null => (routeId === implicitRouteId ? null : routeId);

export const createRouting = (deps: RoutingDeps): Routing => {
  const { routes, registry, health, floats, clock, dayAt, mostSuppliers, giveUpAfterMs } = deps;
  const candidateBy = (route: Route, price: number): readonly Candidate[] => {
    const { id, supplierId, productCode } = route;
    const supplier = registry.byId(supplierId);
    if (supplier === undefined) return [];
    const cost = costOf(route.cost, price);
    return [{ supplier, routeId: storedId(id), supplierCode: productCode, cost }];
  };
  // Whether a supplier has room or is suspended shows when a slot is taken.
  const supplierState: RouteRequest['supplierState'] = (supplierId, routeId, cost) => {
    if (registry.byId(supplierId) === undefined) return 'unknown_here';
    if (!floats.covers(supplierId, cost)) return 'no_float';
    return health.admits({ supplierId, routeId }) ? 'ready' : 'route_closed';
  };
  let reloading: Promise<void> | undefined;
  return {
    choose: ({ product, clientId, price, charged, purchaseId, left }) => {
      const { taken, order, passedOver } = choose(routes.table(), {
        product,
        clientId,
        price,
        charged,
        purchaseId,
        // A clock that is wrong keeps other hours; it sells nothing twice.
        moment: clock.now(),
        dayAt,
        supplierState,
        left,
        groupOf: (id) => registry.byId(id)?.group,
      });
      if (taken !== undefined) health.take({ routeId: taken.id, supplierId: taken.supplierId });
      return {
        candidates: order.flatMap((route) => candidateBy(route, price)),
        passedOver: passedOver.map(({ routeId, supplierId, code }) => ({
          route: storedId(routeId),
          supplier: supplierId,
          code,
        })),
        version: routes.version(),
      };
    },
    renew: async (outdated) => {
      if (routes.version() !== outdated) return;
      // Together: all purchases notice a change at the same time.
      reloading ??= routes.reload().finally(() => {
        reloading = undefined;
      });
      await reloading;
    },
    serving: (operatorId) =>
      routes.all().length === 0 ? registry.all.filter(({ id }) => id === operatorId) : registry.all,
    record: ({ routeId, supplierId }, end) =>
      health.record({ routeId: routeId ?? implicitRouteId, supplierId }, end),
    mostSuppliers,
    giveUpAfterMs,
  };
};
