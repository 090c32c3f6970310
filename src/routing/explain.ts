/** Explains a choice of routes without buying: each route that fits, its place or its code. */
import { choose, type RouteRequest } from './choose.ts';
import { costOf, implicitRoute, type PassedOverCode, type Route } from './route.ts';
import { compileRoutes } from './table.ts';

export type ExplainedRoute = {
  readonly route: Route;
  /** 1 for the one that is taken; null for one that is passed over. */
  readonly place: number | null;
  readonly code: PassedOverCode | null;
  /** The part of such purchases that takes it, from 0 to 1; null unless it has the best priority. */
  readonly share: number | null;
  readonly cost: number | null;
};

/** Best first; those passed over come last. */
export const explainRoutes = (
  routes: readonly Route[],
  request: RouteRequest,
): readonly ExplainedRoute[] => {
  const { taken, order, passedOver } = choose(compileRoutes(routes), request);
  const byId = new Map(routes.map((route) => [route.id, route]));
  const implicit = implicitRoute(request.product.operator_id);
  const best = order.filter(({ priority }) => priority === taken?.priority);
  const weights = best.reduce((sum, { weight }) => sum + weight, 0);
  const costFor = (route: Route): number | null => costOf(route.cost, request.price) ?? null;
  return [
    ...order.map((route, index) => ({
      route,
      place: index + 1,
      code: null,
      share: best.includes(route) ? route.weight / weights : null,
      cost: costFor(route),
    })),
    ...passedOver.map(({ routeId, code }) => {
      const route = byId.get(routeId) ?? implicit;
      return { route, place: null, code, share: null, cost: costFor(route) };
    }),
  ];
};

/** The codes in words, for commands. */
export const codeWords: Readonly<Record<PassedOverCode, string>> = {
  off: 'it is off',
  not_valid_now: 'it is not valid at this time',
  out_of_hours: 'it is outside its hours or days',
  tried_before: 'its supplier was tried before',
  same_group: 'a supplier of the same group comes first or was tried before',
  unknown_here: 'this gateway does not know its supplier',
  suspended: 'its supplier is suspended',
  route_closed: 'it is closed because too many orders failed',
  breaker_open: 'the circuit breaker of its supplier is open',
  no_float: 'its supplier has too little float left',
  full: 'its supplier has no free place',
  dearer: 'it costs more than the client pays',
  same_supplier: 'a better route leads to the same supplier',
};
