/** Closes a database for new purchases and opens it again, each with its audit entry, in the caller's transaction. */
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/random.ts';
import { type Decision, insertDecision } from '../review/store.ts';
import { longestLeaseMs } from '../terms.ts';
import { restartQuietTimes } from './place/store.ts';
import { insertRestore, openRestore, type Restore, updateCause } from './store.ts';

export type CloseDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly sendWithinMs: number;
  /** What else a loss requires: copies of the catalogue and sessions may be newer than the database. */
  readonly onLoss: (db: Db) => Promise<void>;
};

export type Closing = {
  readonly cause: Restore['cause'];
  readonly changed: Restore['changed'];
  /** By the database's clock; undefined for a file, whose server keeps its times or restarts them. */
  readonly now: number | undefined;
  readonly evidence: string;
  readonly actor?: string;
  readonly reason?: string;
};

const audit = (
  db: Db,
  { clock, newId }: CloseDeps,
  restore: Restore,
  { cause, evidence, actor = 'simgate', reason = cause }: Omit<Closing, 'changed' | 'now'>,
): Promise<void> =>
  insertDecision(db, {
    id: newId(),
    at: clock.now(),
    actor,
    action: 'restore',
    subject: restore.id,
    before: {},
    after: { selling: false },
    evidence,
    forced: false,
    reason,
  });

/** Restarts the quiet time of all open purchases at `now`, because the clock may be a different one. */
export const restartQuietTimesFrom = (
  db: Db,
  { sendWithinMs }: Pick<CloseDeps, 'sendWithinMs'>,
  now: number,
): Promise<void> =>
  restartQuietTimes(db, { sendBefore: now + sendWithinMs, dueAt: now + longestLeaseMs });

/**
 * Closes, in the caller's transaction. Orders sent by another clock may still arrive, so quiet times restart.
 */
export const closeFor = async (db: Db, deps: CloseDeps, closing: Closing): Promise<Restore> => {
  const { cause, changed, now } = closing;
  if (cause !== 'place_changed') await deps.onLoss(db);
  const restore = await insertRestore(db, {
    id: deps.newId(),
    at: deps.clock.now(),
    cause,
    changed,
  });
  if (now !== undefined) await restartQuietTimesFrom(db, deps, now);
  await audit(db, deps, restore, closing);
  return restore;
};

/** Opens if nothing is missing; returns whether it was closed. */
export const openUnaided = async (
  db: Db,
  { newId }: Pick<CloseDeps, 'newId'>,
  restore: Restore,
  { at, evidence, reason }: Pick<Decision, 'at' | 'evidence' | 'reason'>,
): Promise<boolean> => {
  if (!(await openRestore(db, restore, { at, by: 'simgate' }))) return false;
  await insertDecision(db, {
    id: newId(),
    at,
    actor: 'simgate',
    action: 'restore open',
    subject: restore.id,
    before: { selling: false },
    after: { selling: true },
    evidence,
    forced: false,
    reason,
  });
  return true;
};

/** Turns a changed place into a loss: no instance vouches for it, or one contradicts. */
export const setCause = async (
  db: Db,
  deps: CloseDeps,
  restore: Restore,
  loss: Pick<Closing, 'cause' | 'evidence'>,
): Promise<void> => {
  await deps.onLoss(db);
  await updateCause(db, restore, loss.cause);
  await audit(db, deps, restore, loss);
};
