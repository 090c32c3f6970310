/** Deletes expired sessions, and old attempts, keys and challenges. */
import { type AdminDeps, transact } from '../audit/audit.ts';
import { keysLiveMs } from '../audit/idempotency.ts';
import { forgetAfterMs } from './attempts/throttle.ts';
import { deleteOldChallenges } from './passkeys/store.ts';
import type { SessionLimits } from './session.ts';
import { deleteStale } from './store.ts';

export type StaleDeps = Pick<AdminDeps, 'db' | 'clock' | 'retryLocked'> & {
  readonly limits: SessionLimits;
};

const knownForMs = 30 * forgetAfterMs;

export const deleteStaleRows = (deps: StaleDeps): Promise<void> => {
  const now = deps.clock.now();
  const before = {
    created: now - deps.limits.absoluteMs,
    seen: now - deps.limits.idleMs,
    tried: now - forgetAfterMs,
    known: now - knownForMs,
    keys: now - keysLiveMs,
  };
  return transact(deps, async (db) => {
    await deleteStale(db, before);
    await deleteOldChallenges(db, now);
  });
};
