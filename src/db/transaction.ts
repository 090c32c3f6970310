/** Runs transactions, and reports an unknown outcome when the commit's acknowledgement is lost. */
import { UsageError } from '../lib/errors.ts';
import { isNotCommitted } from './errors.ts';
import type { LockRetry } from './lock-retry.ts';
import { recordProof } from './postgres/errors.ts';
import type { Db } from './types.ts';

/** The database became unavailable during a commit. */
export class OutcomeUnknown extends UsageError {
  constructor(cause: unknown) {
    super(
      'The database went away at the end, and it is not known whether this was done. Look before you do it again.',
      { cause },
    );
  }
}

/** One transaction. An error of its work, before the commit is sent, proves that nothing was committed. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (db) => {
    try {
      return await work(db);
    } catch (error) {
      recordProof(error, true);
      throw error;
    }
  });

/** Runs one transaction, retried as `retryLocked` says; throws `OutcomeUnknown` if its end is lost. */
export const runTransaction = async <T>(
  {
    db,
    retryLocked = (work) => work(),
  }: { readonly db: Db; readonly retryLocked?: LockRetry | undefined },
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  let worked = false;
  const once = (): Promise<T> => {
    worked = false;
    return db.transaction().execute(async (db) => {
      const result = await work(db);
      worked = true;
      return result;
    });
  };
  try {
    return await retryLocked(once);
  } catch (cause) {
    throw worked && !isNotCommitted(cause) ? new OutcomeUnknown(cause) : cause;
  }
};
