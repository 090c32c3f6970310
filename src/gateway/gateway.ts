/** Builds the gateway from its parts, and starts, drains and closes them. */
import type { Passwords } from '../admin/access/passwords/password.ts';
import { createCurrentCatalogue } from '../catalogue/current.ts';
import { createPageCache } from '../catalogue/pages/cache.ts';
import { createAuth } from '../clients/auth.ts';
import type { Config } from '../config/config.ts';
import type { Origins } from '../config/origins.ts';
import { callWithin } from '../connector/call.ts';
import type { Connector } from '../connector/connector.ts';
import { createDatabaseTime } from '../db/engine.ts';
import { createDatabaseHealth } from '../db/health.ts';
import { createLockRetry } from '../db/lock-retry.ts';
import { createSchemaCheck, type SchemaCheck, type Unusable } from '../db/migrate/compatibility.ts';
import { createSecrets } from '../db/secrets/keys.ts';
import { disableBusyWait } from '../db/sqlite/open.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import { type App, createApp } from '../http/app.ts';
import { createBalances } from '../ledger/balances.ts';
import { type Clock, nextTurn, repeat, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { type NewId, type Random, systemRandom, uuidV7 } from '../lib/random.ts';
import { version } from '../lib/version.ts';
import { type Meter, openMeter } from '../metrics/meter.ts';
import { createOffers } from '../offers/offers.ts';
import { loadBuiltIn, loadConnectors } from '../operators/connectors.ts';
import { createFaultLog, type RecordFault } from '../operators/faults.ts';
import { measureCalls } from '../operators/measured-call.ts';
import { createStatusNotifier } from '../operators/status/notify.ts';
import { createLivePrices } from '../pricing/live.ts';
import { fillSentTo } from '../purchases/backfill/sent-to.ts';
import { startFloats } from '../purchases/floats/job.ts';
import { createFloats } from '../purchases/floats/live.ts';
import { createPromises } from '../purchases/left/promises.ts';
import { startCounting } from '../purchases/sales/count.ts';
import { startStatsFlush } from '../purchases/stats/flush.ts';
import { createTally } from '../purchases/stats/tally.ts';
import { createLiveRoutes } from '../routing/live.ts';
import { createCurrentSettings } from '../settings/current.ts';
import { readSettings } from '../settings/settings.ts';
import { passOnly, type Spans } from '../tracing/spans.ts';
import { createAdmin, stopAdmin } from './admin.ts';
import { createAlarms } from './alarms.ts';
import { createDatabaseCheck } from './database-check.ts';
import { metricSources } from './metrics.ts';
import {
  allConnections,
  createOperators,
  type OperatorDeps,
  wholeSuspensions,
  withConsoleSettings,
} from './operators.ts';
import { createPurchases } from './purchases.ts';
import { watchRoutes } from './routing.ts';
import { sellingBy } from './selling.ts';
import { watchChanges } from './watch-changes.ts';
import { createWebhooks } from './webhooks.ts';

export type Gateway = App & {
  /** The metrics, for a separate port or for the primary of many. */
  readonly meter: Pick<Meter, 'read' | 'answerPrimary'>;
  /** Shows a change of the catalogue now, not at the next poll. */
  readonly reloadCatalogue: () => Promise<void>;
  readonly reloadSettings: () => Promise<void>;
  /** Records an unhandled error that comes from the code of a connector. */
  readonly recordFault: RecordFault;
  /** Says that it is not ready from now on, and serves as before. */
  readonly setNotReady: () => void;
  /** Takes no new work from now on. */
  readonly drain: () => void;
  /** Ends the background work. The database stays open: it belongs to the caller. */
  readonly close: () => Promise<void>;
};

export type GatewayDeps = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly clock?: Clock;
  /** The database's own time by default. */
  readonly databaseTime?: DatabaseTime;
  readonly random?: Random;
  readonly newId?: NewId;
  readonly passwords?: Passwords;
  readonly connectors?: readonly Connector[];
  /** Records nothing, and passes a caller's trace on, unless told otherwise. */
  readonly spans?: Spans;
  /** Where the settings come from, for the list of settings. */
  readonly origins?: Origins;
  /** Called when the database becomes incompatible. The gateway drains on its own. */
  readonly outdated?: (why: Unusable) => void;
};

// Often enough to be useful to a person, seldom enough to cost nothing.
const saveLastUseEveryMs = 15_000;

/** Everything but HTTP, built and not yet running. */
const createParts = (
  deps: GatewayDeps & Pick<OperatorDeps, 'connectors' | 'excused' | 'loadMore'>,
) => {
  const { config, db, log, clock = systemClock, random = systemRandom } = deps;
  const { newId = uuidV7(clock, random), databaseTime = createDatabaseTime(clock) } = deps;
  const operators = allConnections(config);
  const nameOf = (id: number): string | undefined => registry.byId(id)?.name;
  const meter = openMeter({ config: { ...config, operators }, nameOf, version: version() });
  const tally = createTally(clock);
  const { spans = passOnly(random), connectors, origins = new Map(), passwords } = deps;
  const call = callWithin(clock, measureCalls(meter.metrics, tally), spans);
  const auth = createAuth({ db, clock, rateLimits: config.rateLimits });
  const health = createDatabaseHealth(log, clock);
  const retryLocked = createLockRetry(clock);
  const beside = { db, clock, databaseTime, random, newId, retryLocked, spans, log: health.log };
  const secrets = createSecrets(config, random);
  const webhooks = createWebhooks({ ...beside, secrets, attempted: meter.metrics.webhook }, config);
  const status = createStatusNotifier({ ...beside, nameOf, wake: webhooks.wake });
  const recordFault = createFaultLog(meter.metrics, log, clock);
  const rules = { routes: createLiveRoutes(db, clock), prices: createLivePrices(db) };
  const told = { log, call, secrets, tell: status.tell, recordFault, routes: rules.routes };
  const { registry, admission, live } = createOperators({ ...deps, ...beside, ...told });
  const offers = createOffers({ clock, call, admission, settings: config.offers });
  const { snapshot: catalogue, reload: reloadCatalogue } = createCurrentCatalogue(db, nextTurn);
  const pages = createPageCache(catalogue);
  const settings = createCurrentSettings(db);
  const known = { promises: createPromises(db), floats: createFloats(db, databaseTime) };
  const routeHealth = watchRoutes(config.routeHealth, clock, log);
  const shared = {
    db,
    log,
    throttledLog: health.log,
    clock,
    databaseTime,
    random,
    newId,
    call,
    spans,
    registry,
    admission,
    live,
    secrets,
    offers,
    catalogue,
    pages,
    retryLocked,
    meter,
    tally,
    webhooks,
    status,
    recordFault,
    settings,
    ...rules,
    routeHealth,
    ...known,
    timeZone: async (db: Db) => (await readSettings(db)).timeZone,
  };
  meter.watch(
    metricSources({
      ...shared,
      products: () => catalogue().size,
      selling: () => purchases.closed() === undefined,
    }),
  );
  const purchases = createPurchases({ ...shared, ...sellingBy(config, shared) }, config.mobile);
  const owned = { config, connectors, origins, passwords, purchases, reloadCatalogue };
  const alarms = createAlarms({ ...shared, config, overview: () => admin.overview });
  const admin = createAdmin({ ...shared, ...owned, alarms });
  return { ...shared, config, auth, reloadCatalogue, purchases, health, admin, alarms };
};

type Parts = ReturnType<typeof createParts>;

type Ending = { readonly draining: () => boolean; readonly stopping: () => boolean };

const createHttp = (parts: Parts, ending: Ending): Promise<App> => {
  const { config, db, registry, live, purchases, webhooks } = parts;
  return createApp({
    ...parts,
    version: version(),
    mobile: config.mobile,
    publicUrl: config.publicUrl,
    operators: registry.operators,
    suppliersOf: parts.routes.suppliersOf,
    suspendedSince: (id) => live.suspensionOf(id)?.at,
    balanceOf: createBalances(db),
    dayOf: purchases.dayOf,
    buying: purchases.buying,
    check: purchases.check,
    receiveCallback: purchases.receiveCallback,
    webhooks: webhooks.endpoints,
    wakeWebhooks: webhooks.wake,
    closed: purchases.closed,
    rules: { mobile: config.mobile, personalOffers: Object.values(config.personalOffers) },
    bodyBytes: config.http.bodyBytes,
    ...ending,
    databaseFault: createDatabaseCheck(parts),
  });
};

const nothing = async (): Promise<void> => {};

/** How far an upgraded database is with counting what was sold before. */
const sayLeft =
  (log: Pick<Log, 'info'>) =>
  (left: number): void => {
    if (left === 0) log.info('past sales are counted');
    else log.info({ postings_left: left }, 'counting past sales');
  };

/** The background work, until the returned function ends it. After a failure none of it runs. */
const startBackground = async (parts: Parts, schema: SchemaCheck): Promise<() => Promise<void>> => {
  const { db, clock, throttledLog, auth, purchases, webhooks, status } = parts;
  const { reloadCatalogue, retryLocked, live, settings } = parts;
  const saveLastUse = (): Promise<void> =>
    retryLocked(auth.saveLastUse).catch((err: unknown) => {
      throttledLog.error({ err }, 'cannot save when tokens were last used');
    });
  let [stopWatching, stopSaving, stopStats] = [nothing, nothing, nothing];
  let [stopSales, stopFloats] = [nothing, nothing];
  const stop = async (): Promise<void> => {
    await stopWatching();
    await stopSaving();
    await parts.alarms.job.stop();
    await purchases.stop();
    await status.stop();
    await webhooks.stop();
    await stopStats();
    await stopSales();
    await stopFloats();
    await saveLastUse();
  };
  try {
    stopWatching = await watchChanges(parts, schema);
    // After the watch has begun, so that changes in between are noticed.
    await schema.assert();
    await settings.reload();
    await parts.routes.reload();
    await parts.prices.reload();
    await reloadCatalogue();
    await live.reload();
    await webhooks.start();
    await status.start(new Set(wholeSuspensions(parts)));
    await fillSentTo({ ...parts, operators: parts.config.operators });
    await purchases.start();
    parts.alarms.job.start();
    await disableBusyWait(db);
  } catch (error) {
    await stop();
    throw error;
  }
  stopSaving = repeat(clock, saveLastUseEveryMs, saveLastUse);
  stopStats = startStatsFlush({ ...parts, dayAt: settings.dayAt, log: throttledLog });
  stopFloats = startFloats({ ...parts, log: throttledLog });
  stopSales = startCounting({ ...parts, log: throttledLog, postingsLeft: sayLeft(parts.log) });
  return stop;
};

export const createGateway = async (deps: GatewayDeps): Promise<Gateway> => {
  const { connectors, operators, suppliers } =
    deps.connectors === undefined
      ? await loadConnectors(deps.config)
      : { ...deps.config, connectors: deps.connectors };
  const config = { ...deps.config, operators, suppliers };
  const excused = await withConsoleSettings(deps.db, allConnections(config));
  const loadMore = deps.connectors === undefined ? loadBuiltIn : async () => [];
  const parts = createParts({ ...deps, config, connectors, excused, loadMore });
  // Before anything is served: what an operator can do decides which routes there are.
  await parts.live.reload();
  let [draining, stopping] = [false, false];
  const served = await createHttp(parts, {
    draining: () => draining,
    stopping: () => stopping,
  });
  const drain = (): void => {
    draining = true;
    parts.purchases.buying.drain();
    stopAdmin(parts.admin);
  };
  const schema = createSchemaCheck(deps.db, (why) => {
    // Immediately: anything it would still begin used rules that no longer hold.
    drain();
    deps.outdated?.(why);
  });
  const stopBackground = await startBackground(parts, schema);
  return {
    ...served,
    meter: parts.meter,
    reloadCatalogue: parts.reloadCatalogue,
    reloadSettings: () => parts.settings.reload().then(parts.routes.reload),
    recordFault: parts.recordFault,
    setNotReady: () => {
      stopping = true;
    },
    drain,
    close: async () => {
      stopAdmin(parts.admin);
      await served.app.close();
      await parts.admin.catalogue.worker.close();
      await stopBackground();
      await parts.registry.close();
    },
  };
};
