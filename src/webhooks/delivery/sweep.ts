/** Deletes old messages in small batches. */
import type { LockRetry } from '../../db/lock-retry.ts';
import type { Db } from '../../db/types.ts';
import { type Clock, nextTurn, repeat, sleep } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { idLowerBound } from '../../lib/random.ts';
import { messageIdFrom } from '../event.ts';
import { allEndpoints, deleteBefore, forgetEndpoint } from '../history/store.ts';

export type SweepDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  readonly keepDays: number;
};

const dayMs = 86_400_000;
const everyMs = 3_600_000;
const atATime = 500;
const pauseMs = 20;
/** Sorts after every message id, in any database collation. */
const afterAll = 'n';

// By then every server knows of the deletion: none writes a message for it any more.
const forgetAfterMs = 3_600_000;

/** Deletes old messages, and all of deleted endpoints. Those that an active endpoint still waits for stay. */
export const sweep = async (
  deps: SweepDeps,
  stopped: () => boolean = () => false,
): Promise<void> => {
  const { db, clock, retryLocked } = deps;
  const now = clock.now();
  const old = messageIdFrom(idLowerBound(now - deps.keepDays * dayMs));
  for (const { id: endpointId, status, deleted_at } of await allEndpoints(db)) {
    const id = status === 'deleted' ? afterAll : old;
    const waitingToo = status !== 'active';
    while (!stopped()) {
      const gone = await retryLocked(() =>
        deleteBefore(db, { endpointId, id, waitingToo }, atATime),
      );
      if (gone < atATime) break;
      await sleep(clock, pauseMs);
    }
    if (deleted_at !== null && deleted_at < now - forgetAfterMs) {
      await retryLocked(() => forgetEndpoint(db, endpointId));
    }
    await nextTurn();
  }
};

/** Runs every hour, until the returned function ends it. */
export const startSweeping = (deps: SweepDeps): (() => Promise<void>) => {
  let stopped = false;
  const stop = repeat(deps.clock, everyMs, () =>
    sweep(deps, () => stopped).catch((err: unknown) => {
      deps.log.error({ err }, 'cannot delete old webhooks');
    }),
  );
  return () => {
    stopped = true;
    return stop();
  };
};
