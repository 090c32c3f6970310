/** Writes counts to the rollup tables every few seconds and at shutdown, and deletes old rows. */
import { isNotCommitted } from '../../db/errors.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import type { Db } from '../../db/types.ts';
import type { DayAt } from '../../lib/business-day.ts';
import { type Clock, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { rowsOf, spanMs } from './rows.ts';
import { addStats, deleteStats } from './store.ts';
import type { Tally } from './tally.ts';

export type FlushDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  readonly tally: Pick<Tally, 'take' | 'giveBack'>;
  /** The business day of a moment; in UTC by default. */
  readonly dayAt?: DayAt;
};

// The most that a killed process loses of the charts, and how fresh they are.
export const writeEveryMs = 3000;

/**
 * Adds counts to the tables. Failed writes are repeated the next time; those with an unknown outcome are
 * dropped, so that nothing counts twice.
 */
export const writeTally = async ({ db, retryLocked, tally, dayAt }: FlushDeps): Promise<void> => {
  const taken = tally.take();
  if (taken === undefined) return;
  const rows = rowsOf(taken, dayAt);
  let written = false;
  const write = (): Promise<void> => {
    written = false;
    return db.transaction().execute(async (db) => {
      await addStats(db, rows);
      written = true;
    });
  };
  try {
    await retryLocked(write);
  } catch (error) {
    if (!written || isNotCommitted(error)) tally.giveBack(taken);
    throw error;
  }
};

const keepMs = { minute: 3 * spanMs.day, hour: 100 * spanMs.day } as const;
const sweepEveryMs = 10 * spanMs.minute;

/** Deletes minutes and hours that no chart shows; days stay. */
export const sweepStats = async ({ db, clock, retryLocked }: FlushDeps): Promise<void> => {
  for (const span of ['minute', 'hour'] as const) {
    await retryLocked(() =>
      db.transaction().execute((db) => deleteStats(db, span, clock.now() - keepMs[span])),
    );
  }
};

/** Does both until the returned function ends it, which writes the rest. */
export const startStatsFlush = (deps: FlushDeps): (() => Promise<void>) => {
  const { clock, log } = deps;
  const write = (): Promise<void> =>
    writeTally(deps).catch((err: unknown) => {
      log.error({ err }, 'cannot write what the overview shows');
    });
  const sweep = (): Promise<void> =>
    sweepStats(deps).catch((err: unknown) => {
      log.error({ err }, 'cannot delete old figures of the overview');
    });
  const stopWriting = repeat(clock, writeEveryMs, write);
  const stopSweeping = repeat(clock, sweepEveryMs, sweep);
  return async () => {
    await stopWriting();
    await stopSweeping();
    await write();
  };
};
