/** Deletes old callbacks. */
import type { LockRetry } from '../../db/lock-retry.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { type Clock, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { deleteCallbacksBefore } from './store.ts';

export type CallbackSweepDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  readonly keepDays: number;
};

const dayMs = 86_400_000;
const everyMs = 3_600_000;

/** Deletes what has exceeded its retention. There are never so many that they need several batches. */
export const sweepCallbacks = async (deps: CallbackSweepDeps): Promise<void> => {
  const { db, databaseTime, retryLocked, keepDays } = deps;
  const before = (await databaseTime(db)) - keepDays * dayMs;
  await retryLocked(() => deleteCallbacksBefore(db, before));
};

/** Runs every hour, until the returned function ends it. */
export const startCallbackSweep = (deps: CallbackSweepDeps): (() => Promise<void>) =>
  repeat(deps.clock, everyMs, () =>
    sweepCallbacks(deps).catch((err: unknown) => {
      deps.log.error({ err }, 'cannot delete old callbacks');
    }),
  );
