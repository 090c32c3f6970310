/** Watches for changes by other processes, and passes each to the part that it concerns. */
import type { Auth } from '../clients/auth.ts';
import type { Config } from '../config/config.ts';
import { createListener } from '../db/changes/listener.ts';
import { watchVersions } from '../db/changes/versions.ts';
import type { LockRetry } from '../db/lock-retry.ts';
import type { SchemaCheck } from '../db/migrate/compatibility.ts';
import type { Db } from '../db/types.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { LiveOperators } from '../operators/settings/live.ts';
import type { LivePrices } from '../pricing/live.ts';
import type { LiveRoutes } from '../routing/live.ts';
import type { CurrentSettings } from '../settings/current.ts';
import type { Purchases } from './purchases.ts';
import type { Webhooks } from './webhooks.ts';

export type WatchParts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly throttledLog: Pick<Log, 'error'>;
  readonly retryLocked: LockRetry;
  readonly auth: Pick<Auth, 'forget'>;
  readonly webhooks: Pick<Webhooks, 'listeners'>;
  readonly live: Pick<LiveOperators, 'reload'>;
  readonly purchases: Pick<Purchases, 'lookAtRestores'>;
  readonly routes: Pick<LiveRoutes, 'reload'>;
  readonly prices: Pick<LivePrices, 'reload'>;
  readonly settings: Pick<CurrentSettings, 'reload'>;
  readonly reloadCatalogue: () => Promise<void>;
};

/** Until the returned function ends it. */
export const watchChanges = async (
  parts: WatchParts,
  schema: Pick<SchemaCheck, 'look'>,
): Promise<() => Promise<void>> => {
  const { db, clock, throttledLog, retryLocked } = parts;
  const failed = (err: unknown): void => throttledLog.error({ err }, 'cannot look for changes');
  const listen = await createListener({ ...parts, failed });
  return watchVersions(
    { db, clock, failed, ...(listen === undefined ? {} : { listen }) },
    async (name) => {
      if (name === 'clients') parts.auth.forget();
      else if (name === 'webhooks') await retryLocked(parts.webhooks.listeners.reload);
      else if (name === 'operators') await retryLocked(parts.live.reload);
      else if (name === 'restores') await retryLocked(parts.purchases.lookAtRestores);
      else if (name === 'prices') await retryLocked(parts.prices.reload);
      else if (name === 'routes') await retryLocked(parts.routes.reload);
      else if (name === 'schema') await retryLocked(schema.look);
      else if (name === 'settings') await retryLocked(parts.settings.reload);
      else await retryLocked(parts.reloadCatalogue);
    },
  );
};
