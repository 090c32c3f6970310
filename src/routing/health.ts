/** Watches the health of routes: one on which too many orders fail is closed for a while, then probed. */
import type { Clock } from '../lib/clock.ts';
import {
  afterCall,
  atTime,
  type Breaker,
  type BreakerSettings,
  closedBreaker,
} from '../operators/breaker.ts';

/** The end of an order, where the supplier is to blame for a failure. */
export type OrderEnd = 'delivered' | 'failed';

export type HealthSettings = {
  /** The length of its window. */
  readonly windowMs: number;
  /** Below this many orders it does not judge. */
  readonly leastOrders: number;
  /** A route is closed when this percentage failed. */
  readonly failedPercent: number;
  /** How long it stays closed before it is probed. */
  readonly closedMs: number;
  /** This many deliveries in a row open it again. */
  readonly probes: number;
};

/** A route, and the supplier that it leads to: the route's may change. */
export type RouteName = { readonly routeId: number; readonly supplierId: number };

export type RouteState = 'open' | 'closed' | 'probing';

export type RouteHealth = {
  readonly state: (route: RouteName) => RouteState;
  /** Whether a purchase may take it: an open one, or a probing one whose next probe is due. */
  readonly admits: (route: RouteName) => boolean;
  /** A purchase takes it. */
  readonly take: (route: RouteName) => void;
  readonly record: (route: RouteName, end: OrderEnd) => void;
  /** How many routes to a supplier are closed or probed. */
  readonly countClosed: (supplierId: number) => number;
};

export type HealthDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly settings: HealthSettings;
  /** Called for each route that is closed, or open again. */
  readonly changed: (route: RouteName, state: 'open' | 'closed') => void;
};

// A small share of any volume, and yet a result within seconds.
const probeEveryMs = 1000;

type Watched = { readonly breaker: Breaker; readonly probeAt: number };

const unwatched: Watched = { breaker: closedBreaker, probeAt: 0 };

// To a breaker a delivery is an answer, and a failure is silence.
const heardAs = { delivered: 'answer', failed: 'silence' } as const;
const states = { closed: 'open', open: 'closed', trying: 'probing' } as const;

const breakerSettings = (settings: HealthSettings): BreakerSettings => ({
  windowMs: settings.windowMs,
  leastCalls: settings.leastOrders,
  silentPercent: settings.failedPercent,
  pauseMs: settings.closedMs,
  trials: settings.probes,
});

export const createRouteHealth = (deps: HealthDeps): RouteHealth => {
  const { clock, changed } = deps;
  const settings = breakerSettings(deps.settings);
  // By the suppliers' ids, then by the routes'.
  const watched = new Map<number, Map<number, Watched>>();
  const find = ({ routeId, supplierId }: RouteName): Watched =>
    watched.get(supplierId)?.get(routeId) ?? unwatched;
  const keep = ({ routeId, supplierId }: RouteName, one: Watched): void => {
    const ofSupplier = watched.get(supplierId);
    if (ofSupplier === undefined) watched.set(supplierId, new Map([[routeId, one]]));
    else ofSupplier.set(routeId, one);
  };
  const stateOf = ({ breaker }: Watched): RouteState =>
    states[atTime(breaker, clock.monotonic()).kind];

  return {
    state: (route) => stateOf(find(route)),
    admits: (route) => {
      const found = find(route);
      const state = stateOf(found);
      return state === 'open' || (state === 'probing' && clock.monotonic() >= found.probeAt);
    },
    take: (route) => {
      const found = find(route);
      if (stateOf(found) !== 'probing') return;
      keep(route, { ...found, probeAt: clock.monotonic() + probeEveryMs });
    },
    record: (route, end) => {
      const found = find(route);
      const before = stateOf(found);
      const call = { asked: 'order', heard: heardAs[end] } as const;
      const breaker = afterCall(found.breaker, call, clock.monotonic(), settings);
      const after = { ...found, breaker };
      keep(route, after);
      const state = stateOf(after);
      if (state !== before && state !== 'probing') changed(route, state);
    },
    countClosed: (supplierId) =>
      [...(watched.get(supplierId)?.values() ?? [])].filter((one) => stateOf(one) !== 'open')
        .length,
  };
};
