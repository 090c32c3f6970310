/** Builds what selling takes from the configuration and from the live parts. */
import { invalidateCopies } from '../admin/after-loss.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/types.ts';
import { prefixTable } from '../operators/numbers/prefixes.ts';
import type { LivePrices } from '../pricing/live.ts';
import { patienceFor } from '../purchases/commit/transact.ts';
import type { RouteHealth } from '../routing/health.ts';
import type { CurrentSettings } from '../settings/current.ts';
import { allOperators } from './operators.ts';
import { createPricing } from './pricing.ts';
import { purchaseConfig } from './purchases.ts';
import { createRouting, type RoutingDeps } from './routing.ts';

type SellingDeps = Omit<Parameters<typeof invalidateCopies>[0], 'db'> &
  Pick<RoutingDeps, 'routes' | 'registry' | 'clock' | 'floats'> & {
    readonly prices: LivePrices;
    readonly settings: CurrentSettings;
    readonly routeHealth: RouteHealth;
  };

/** The configuration of purchases, and the follow-ups of a possible loss. */
export const sellingBy = (config: Config, deps: SellingDeps) => ({
  config: purchaseConfig(config),
  ownerByPrefix: config.numbers.enforcePrefixes ? prefixTable(allOperators(config)) : undefined,
  onLoss: (db: Db) => invalidateCopies({ ...deps, db }),
  synchronous: config.database.synchronousReplication,
  patience: patienceFor(config.database),
  callbackDays: config.purchases.callbackDays,
  limitDayAt: deps.settings.limitDayAt,
  pricing: createPricing(deps.prices),
  routing: createRouting({
    ...deps,
    ...config.routing,
    dayAt: deps.settings.dayAt,
    health: deps.routeHealth,
  }),
});
