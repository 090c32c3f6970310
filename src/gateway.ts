/** Owns the composition: the only file that builds things and hands them to one another. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSnapshot, type Snapshot } from './catalogue/snapshot.ts';
import { readCatalogue } from './catalogue/store.ts';
import { createAuth } from './clients/auth.ts';
import { createApp } from './http/app.ts';
import { readAccount } from './ledger/store.ts';
import { type Clock, repeat, systemClock } from './lib/clock.ts';
import type { Config } from './lib/config.ts';
import type { Db } from './lib/db.ts';
import { watchVersions } from './lib/db-versions.ts';
import type { Log } from './lib/log.ts';
import { type NewId, type Random, systemRandom, uuidV7 } from './lib/random.ts';
import { createOffers } from './offers/offers.ts';
import { callWithin } from './operators/call.ts';
import type { Connector } from './operators/connector.ts';
import { openRegistry } from './operators/registry.ts';
import { simulator } from './operators/simulator/index.ts';

export type Gateway = {
  readonly app: FastifyInstance;
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

export const version = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const named = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return named ? String(manifest.version) : 'unknown';
};

// Often enough to be of use to a person, seldom enough to cost nothing.
const saveLastUseEveryMs = 15_000;

const loadCatalogue = async (db: Db): Promise<Snapshot> => {
  const { version, products } = await db.transaction().execute(readCatalogue);
  return createSnapshot(version, products);
};

export const createGateway = async (deps: GatewayDeps): Promise<Gateway> => {
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
  let catalogue = await loadCatalogue(db);
  let draining = false;

  const stopWatching = await watchVersions(
    { db, clock, failed: (err) => log.error({ err }, 'cannot look for changes') },
    async (name) => {
      if (name === 'clients') auth.forget();
      else catalogue = await loadCatalogue(db);
    },
  );
  const saveLastUse = (): Promise<void> =>
    auth.saveLastUse().catch((err: unknown) => {
      log.error({ err }, 'cannot save when tokens were last used');
    });
  const stopSaving = repeat(clock, saveLastUseEveryMs, saveLastUse);

  const app = await createApp({
    config,
    version: version(),
    log,
    clock,
    newId,
    auth,
    offers,
    registry,
    mobile: config.mobile,
    publicUrl: config.publicUrl,
    operators: registry.all,
    catalogue: () => catalogue,
    balanceOf: async (clientId) => (await readAccount(db, clientId))?.available ?? 0,
    draining: () => draining,
    pingDatabase: async () => {
      await sql`select 1`.execute(db);
    },
  });

  return {
    app,
    drain: () => {
      draining = true;
    },
    close: async () => {
      stopWatching();
      stopSaving();
      await app.close();
      await saveLastUse();
      await registry.close();
    },
  };
};
