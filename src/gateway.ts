/** Owns the composition: the only file that builds things and hands them to one another. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSnapshot, type Snapshot } from './catalogue/snapshot.ts';
import { readCatalogue } from './catalogue/store.ts';
import { createAuth } from './clients/auth.ts';
import { createApp } from './http/app.ts';
import { readAccount } from './ledger/store.ts';
import { type Clock, nextTurn, repeat, steadyTime, systemClock } from './lib/clock.ts';
import type { Config } from './lib/config.ts';
import type { Db } from './lib/db.ts';
import { watchVersions } from './lib/db-versions.ts';
import { UsageError } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { readDecimal } from './lib/money.ts';
import { type NewId, type Random, systemRandom, uuidV7 } from './lib/random.ts';
import { version } from './lib/version.ts';
import { createOffers } from './offers/offers.ts';
import { callWithin } from './operators/call.ts';
import type { Connector } from './operators/connector.ts';
import { openRegistry } from './operators/registry.ts';
import { simulator } from './operators/simulator/index.ts';
import { createBuying } from './purchases/buy.ts';
import type { PurchaseConfig, PurchaseDeps } from './purchases/order.ts';
import { createRecovery, keepRecovering, takeOver } from './purchases/recover.ts';
import { createTransact } from './purchases/transact.ts';

export type Gateway = {
  readonly app: FastifyInstance;
  /** Shows a change of the catalogue at once, not at the next look. */
  readonly reloadCatalogue: () => Promise<void>;
  /** Takes no new work from now on. */
  readonly drain: () => void;
  /** Ends what runs beside requests. The database stays open: it belongs to the caller. */
  readonly close: () => Promise<void>;
};

export type GatewayDeps = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newId?: NewId;
  readonly connectors?: readonly Connector[];
};

export const connectors: readonly Connector[] = [simulator];

// Often enough to be of use to a person, seldom enough to cost nothing.
const saveLastUseEveryMs = 15_000;

const loadCatalogue = async (db: Db): Promise<Snapshot> => {
  const { version, products } = await db.transaction().execute(readCatalogue);
  return createSnapshot(version, products);
};

const purchaseConfig = (config: Config): PurchaseConfig => {
  const { pendingAfterMs, ...recovery } = config.purchases;
  const vatPercent = readDecimal(config.vatPercent);
  if (vatPercent === undefined) throw new UsageError('vatPercent must be a decimal, as "10".');
  const personalOffers = Object.values(config.personalOffers);
  return { vatPercent, personalOffers, pendingAfterMs, recovery };
};

/** Buying and recovery, and how both begin and end. */
const createPurchases = (given: Omit<PurchaseDeps, 'databaseTime' | 'transact'>) => {
  const now = steadyTime(given.clock);
  const databaseTime = async (): Promise<number> => now();
  const transact = createTransact({ db: given.db, databaseTime, gather: nextTurn });
  const deps = { ...given, databaseTime, transact };
  const buying = createBuying(deps);
  const recovery = createRecovery(deps);
  let stopRecovering = (): void => {};
  return {
    buying,
    start: async (): Promise<void> => {
      // The lock on the file proves that no other server lives.
      await takeOver(deps);
      stopRecovering = keepRecovering(deps, recovery);
    },
    stop: async (): Promise<void> => {
      stopRecovering();
      await buying.idle();
      await recovery.idle();
    },
  };
};

/** Everything but HTTP, built and not yet running. */
const createParts = (deps: GatewayDeps) => {
  const { config, db, log, clock = systemClock, random = systemRandom } = deps;
  const { newId = uuidV7(clock, random) } = deps;
  const call = callWithin(clock);
  const registry = openRegistry(config.operators, deps.connectors ?? connectors, (operatorId) => ({
    operatorId,
    clock,
    random,
    newId,
    call,
  }));
  const auth = createAuth({ db, clock, rateLimits: config.rateLimits });
  const offers = createOffers({ clock, call, settings: config.offers });
  let snapshot = createSnapshot('', []);
  const catalogue = (): Snapshot => snapshot;
  const reloadCatalogue = async (): Promise<void> => {
    snapshot = await loadCatalogue(db);
  };
  const shared = { db, log, clock, random, newId, call, registry, offers, catalogue };
  const purchases = createPurchases({ ...shared, config: purchaseConfig(config) });
  return { ...shared, config, auth, reloadCatalogue, purchases };
};

type Parts = ReturnType<typeof createParts>;

const createHttp = (parts: Parts, draining: () => boolean): Promise<FastifyInstance> => {
  const { config, db, registry, purchases } = parts;
  const personalOffers = Object.values(config.personalOffers);
  return createApp({
    ...parts,
    version: version(),
    mobile: config.mobile,
    publicUrl: config.publicUrl,
    operators: registry.all,
    balanceOf: async (clientId) => (await readAccount(db, clientId))?.available ?? 0,
    buying: purchases.buying,
    rules: { mobile: config.mobile, personalOffers },
    bodyBytes: config.http.bodyBytes,
    draining,
    pingDatabase: async () => {
      await sql`select 1`.execute(db);
    },
  });
};

/** What runs beside requests, until the returned function ends it. */
const startBackground = async (parts: Parts): Promise<() => Promise<void>> => {
  const { db, clock, log, auth, purchases, reloadCatalogue } = parts;
  const stopWatching = await watchVersions(
    { db, clock, failed: (err) => log.error({ err }, 'cannot look for changes') },
    async (name) => {
      if (name === 'clients') auth.forget();
      else await reloadCatalogue();
    },
  );
  // After the watch has begun: what changes in between is noticed.
  await reloadCatalogue();
  await purchases.start();
  const saveLastUse = (): Promise<void> =>
    auth.saveLastUse().catch((err: unknown) => {
      log.error({ err }, 'cannot save when tokens were last used');
    });
  const stopSaving = repeat(clock, saveLastUseEveryMs, saveLastUse);
  return async () => {
    stopWatching();
    stopSaving();
    await purchases.stop();
    await saveLastUse();
  };
};

export const createGateway = async (deps: GatewayDeps): Promise<Gateway> => {
  const parts = createParts(deps);
  let draining = false;
  const app = await createHttp(parts, () => draining);
  const stopBackground = await startBackground(parts);
  return {
    app,
    reloadCatalogue: parts.reloadCatalogue,
    drain: () => {
      draining = true;
      parts.purchases.buying.drain();
    },
    close: async () => {
      await app.close();
      await stopBackground();
      await parts.registry.close();
    },
  };
};
