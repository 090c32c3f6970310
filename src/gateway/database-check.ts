/** Checks for the health routes whether the database can be written to. */
import { databaseFaultOf } from '../db/errors.ts';
import type { DatabaseHealth } from '../db/health.ts';
import type { LockRetry } from '../db/lock-retry.ts';
import { assertWritable } from '../db/sqlite/open.ts';
import type { Db } from '../db/types.ts';
import type { Clock } from '../lib/clock.ts';

export type DatabaseCheckDeps = {
  readonly db: Db;
  readonly health: Pick<DatabaseHealth, 'now'>;
  readonly retryLocked: LockRetry;
  readonly clock: Pick<Clock, 'after'>;
};

// Callers of the health routes give up after a second.
const longestCheckMs = 800;
const noAnswer = 'it does not answer';

/** Returns the last fault, or that of a check now; undefined if there is none. One check at a time. */
export const createDatabaseCheck = ({ db, health, retryLocked, clock }: DatabaseCheckDeps) => {
  let checking: Promise<string | undefined> | undefined;
  const check = (): Promise<string | undefined> =>
    retryLocked(() => assertWritable(db))
      .then(
        () => undefined,
        (error: unknown) => databaseFaultOf(error) ?? noAnswer,
      )
      .finally(() => {
        checking = undefined;
      });
  return async (): Promise<string | undefined> => {
    const met = health.now();
    if (met !== undefined) return met;
    checking ??= check();
    const { promise: late, resolve } = Promise.withResolvers<string>();
    const cancel = clock.after(longestCheckMs, () => resolve(noAnswer));
    return Promise.race([checking, late]).finally(cancel);
  };
};
