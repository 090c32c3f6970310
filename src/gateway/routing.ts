/** Routes purchases: chooses their suppliers by the routes in memory. */
import type { DayAt } from '../lib/business-day.ts';
import type { Clock } from '../lib/clock.ts';
import type { Registry } from '../operators/registry.ts';
import type { Candidate, Routing } from '../purchases/routing.ts';
import { choose } from '../routing/choose.ts';
import type { LiveRoutes } from '../routing/live.ts';
import { implicitRouteId, type Route } from '../routing/route.ts';

export type RoutingDeps = {
  readonly routes: Pick<LiveRoutes, 'table' | 'all'>;
  readonly registry: Registry;
  readonly clock: Pick<Clock, 'now'>;
  readonly dayAt: DayAt;
  readonly mostSuppliers: number;
  readonly giveUpAfterMs: number;
};

/** The implicit route is not stored, so no purchase refers to it. */
const storedId = (routeId: number): number | null => (routeId === implicitRouteId ? null : routeId);

export const createRouting = (deps: RoutingDeps): Routing => {
  const { routes, registry, clock, dayAt, mostSuppliers, giveUpAfterMs } = deps;
  const candidateBy = ({ id, supplierId, productCode }: Route): readonly Candidate[] => {
    const supplier = registry.byId(supplierId);
    if (supplier === undefined) return [];
    return [{ supplier, routeId: storedId(id), supplierCode: productCode }];
  };
  return {
    choose: ({ product, clientId, price, purchaseId, left }) => {
      const { order, passedOver } = choose(routes.table(), {
        product,
        clientId,
        price,
        charged: price,
        purchaseId,
        // A clock that is wrong keeps other hours; it sells nothing twice.
        moment: clock.now(),
        dayAt,
        // Whether a supplier has room or is suspended shows when a slot is taken.
        supplierState: (id) => (registry.byId(id) === undefined ? 'unknown_here' : 'ready'),
        left,
        groupOf: (id) => registry.byId(id)?.group,
      });
      return {
        candidates: order.flatMap(candidateBy),
        passedOver: passedOver.map(({ routeId, supplierId, code }) => ({
          route: storedId(routeId),
          supplier: supplierId,
          code,
        })),
      };
    },
    serving: (operatorId) =>
      routes.all().length === 0 ? registry.all.filter(({ id }) => id === operatorId) : registry.all,
    mostSuppliers,
    giveUpAfterMs,
  };
};
