/** Builds the dependencies of the back office, and stops its streams and jobs when the server stops. */
import { createPasswords, type Passwords } from '../admin/access/passwords/password.ts';
import { createRequestRate } from '../admin/access/request-rate.ts';
import { mayDo } from '../admin/access/roles.ts';
import { currentVisit } from '../admin/access/sign-in.ts';
import { createCatalogueWorker } from '../admin/catalogue/worker/worker.ts';
import { createExports } from '../admin/exports.ts';
import { healthBy } from '../admin/operators/wire.ts';
import { createLive } from '../admin/overview/live.ts';
import { createOverview } from '../admin/overview/overview.ts';
import type { AdminRouteDeps } from '../admin/routes.ts';
import type { Snapshot } from '../catalogue/snapshot.ts';
import { describeSettings, type Origins } from '../config/origins.ts';
import { operatorIdsIn } from '../config/sections/operators.ts';
import type { LockRetry } from '../db/lock-retry.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { Log } from '../lib/log/log.ts';
import type { Meter } from '../metrics/meter.ts';
import { maskConfig } from '../operators/masked-config.ts';
import type { LivePrices } from '../pricing/live.ts';
import type { Floats } from '../purchases/floats/live.ts';
import type { Promises } from '../purchases/left/promises.ts';
import type { RouteHealth } from '../routing/health.ts';
import type { LiveRoutes } from '../routing/live.ts';
import type { CurrentSettings } from '../settings/current.ts';
import type { OperatorDeps, Operators } from './operators.ts';
import type { Purchases } from './purchases.ts';
import type { Webhooks } from './webhooks.ts';

export type AdminParts = Omit<OperatorDeps, 'log' | 'excused' | 'tell' | 'loadMore'> & {
  readonly origins: Origins;
  readonly passwords: Passwords | undefined;
  readonly retryLocked: LockRetry;
  readonly throttledLog: Pick<Log, 'warn' | 'error'>;
  readonly meter: Pick<Meter, 'metrics'>;
  readonly registry: Operators['registry'];
  readonly admission: Pick<Operators['admission'], 'state'>;
  readonly purchases: Pick<Purchases, 'dayOf' | 'office'>;
  readonly databaseTime: DatabaseTime;
  readonly webhooks: Pick<Webhooks, 'endpoints' | 'wake'>;
  readonly catalogue: () => Snapshot;
  readonly reloadCatalogue: () => Promise<void>;
  readonly live: Operators['live'];
  readonly routes: LiveRoutes;
  readonly prices: LivePrices;
  readonly routeHealth: RouteHealth;
  readonly promises: Promises;
  readonly floats: Floats;
  readonly settings: CurrentSettings;
  readonly alarms: AdminRouteDeps['alarms'];
  /** The business's time zone, as it is in the database now. */
  readonly timeZone: (db: Db) => Promise<string>;
};

const overviewOf = (parts: AdminParts) => {
  const { db, clock, registry, admission, live, settings, catalogue, floats } = parts;
  return createOverview({
    db,
    clock,
    operators: () => registry.operators,
    connections: () => registry.all,
    isConnected: () => registry.all.some(({ connector }) => connector.inProcess !== true),
    hasProducts: () => catalogue().size > 0,
    healthOf: (id) => {
      const suspension = live.suspensionOf(id);
      if (suspension !== undefined) return { health: 'suspended', since: suspension.at };
      const { breaker, since } = admission.state(id);
      return { health: healthBy[breaker], since };
    },
    moneyAt: (id) => ({
      float: floats.of(id),
      losses: floats.books().find(({ supplierId }) => supplierId === id)?.losses ?? 0,
    }),
    inFlight: (id) => admission.state(id).inFlight,
    dayAt: settings.dayAt,
  });
};

const salesOf = ({ databaseTime, timeZone, catalogue, registry }: AdminParts) => ({
  databaseTime,
  timeZone,
  product: (id: number) => catalogue().product(id),
  operators: () => registry.operators,
  suppliers: () => registry.all,
});

/** What is known of suppliers here. Each operator's own connection is the supplier with its ID. */
const routingOf = (parts: AdminParts): AdminRouteDeps['routing'] => {
  const { databaseTime, settings, routes, catalogue, registry, admission, live } = parts;
  const { routeHealth, floats } = parts;
  return {
    databaseTime,
    dayAt: settings.dayAt,
    live: routes,
    product: (id) => catalogue().product(id),
    knowsSupplier: (id) => live.inFile(id) !== undefined && registry.byId(id) !== undefined,
    supplierState: (id, routeId, cost) => {
      if (registry.byId(id) === undefined) return 'unknown_here';
      if (live.suspensionOf(id) !== undefined) return 'suspended';
      if (!floats.covers(id, cost)) return 'no_float';
      if (routeHealth.state({ supplierId: id, routeId }) === 'closed') return 'route_closed';
      return admission.state(id).breaker === 'open' ? 'breaker_open' : 'ready';
    },
    groupOf: (id) => registry.byId(id)?.group,
  };
};

const operatorsOf = (parts: AdminParts): AdminRouteDeps['operators'] => {
  const { live, registry, admission, call, routes, routeHealth, promises } = parts;
  return {
    live,
    registry,
    admission,
    call,
    promises,
    routesTo: (id) => ({
      all: routes.all().filter(({ supplierId }) => supplierId === id).length,
      closed: routeHealth.countClosed(id),
    }),
  };
};

const unmaskingOf = ({ config, meter, throttledLog }: AdminParts): AdminRouteDeps['unmasking'] => ({
  perHour: config.admin.unmaskPerHour,
  perDay: config.admin.unmaskPerDay,
  counted: meter.metrics.unmasking,
  limitReached: (account, limit) =>
    throttledLog.warn({ account, limit }, 'an account reached its limit of shown numbers'),
});

export const createAdmin = (
  parts: AdminParts,
): Omit<AdminRouteDeps, 'version' | 'publicUrl' | 'sendApi'> => {
  const { alarms, config, db, databaseTime, clock, newId, random, retryLocked, settings } = parts;
  const { passwords = createPasswords({ random }), throttledLog: log } = parts;
  const [limits, operatorIds] = [config.admin, operatorIdsIn(config)];
  const overview = overviewOf(parts);
  const stands = async (session: string): Promise<boolean> => {
    const visit = await currentVisit({ db, clock, limits }, session);
    return visit !== undefined && mayDo(visit.account.role, 'read');
  };
  const exports = createExports(clock);
  return {
    db,
    clock,
    newId,
    random,
    retryLocked,
    mobile: config.mobile,
    limits,
    passwords,
    requestRate: createRequestRate(config.admin, clock),
    policy: config.admin,
    overview,
    alarms,
    exports,
    live: createLive({ clock, read: overview.read, stands, log }),
    secrets: parts.secrets,
    sales: salesOf(parts),
    routing: routingOf(parts),
    pricing: { databaseTime, live: parts.prices },
    purchases: {
      ...parts.purchases.office,
      mobile: config.mobile,
      catalogue: parts.catalogue,
      databaseTime: parts.databaseTime,
      wake: parts.webhooks.wake,
    },
    unmasking: unmaskingOf(parts),
    floats: parts.floats,
    databaseTime,
    operators: operatorsOf(parts),
    catalogue: {
      db,
      snapshot: parts.catalogue,
      reload: () => retryLocked(parts.reloadCatalogue),
      worker: createCatalogueWorker({ place: config, operators: operatorIds, clock }),
      exports,
      currency: () => settings.current().currency,
      personalOffers: Object.values(config.personalOffers),
      failed: (err) => log.error({ err }, 'a change of the catalogue failed'),
    },
    clients: {
      operatorIds,
      dayOf: parts.purchases.dayOf,
      lowBelow: async () => settings.current().lowBalanceBelow,
      webhooks: parts.webhooks.endpoints,
      wake: parts.webhooks.wake,
    },
    failed: (request, err) => log.error({ request, err }, 'a request failed'),
    settings,
    configuration: describeSettings(
      maskConfig(config, { ...config, connectors: parts.connectors }),
      parts.origins,
    ),
  };
};

/** Ends what would run as long as a page is open, a file is fetched, or there is work. */
export const stopAdmin = ({
  live,
  exports,
  catalogue,
}: Pick<AdminRouteDeps, 'live' | 'exports' | 'catalogue'>): void => {
  live.end();
  exports.end();
  catalogue.worker.stop();
};
