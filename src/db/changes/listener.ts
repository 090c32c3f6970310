/** Chooses how a gateway learns of changes: PostgreSQL notifications where enabled, else polling. */
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { WatchDeps } from './versions.ts';

type ListenerDeps = Pick<WatchDeps, 'failed'> & {
  readonly config: Pick<Config, 'databaseUrl' | 'database'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
};

const behindPooler =
  'DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer, which passes no notifications on: set database.listen to false';

/** Undefined if changes are only polled. */
export const createListener = async ({
  config,
  clock,
  log,
  failed,
}: ListenerDeps): Promise<WatchDeps['listen']> => {
  const { databaseUrl: url, database } = config;
  if (url === undefined || !database.listen) return undefined;
  // The driver takes memory, and is loaded only if it is used.
  const { listenForChanges } = await import('../postgres/listen.ts');
  const notDelivered = (): void => log.warn(behindPooler);
  const deps = { url, tls: database.tls, clock, failed, notDelivered };
  return (onChange) => listenForChanges(deps, onChange);
};
