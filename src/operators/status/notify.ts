/** Notifies clients when an operator goes down or recovers. */
import { isSupplierId } from '../../config/sections/operators.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { NewId } from '../../lib/random.ts';
import { formatTime } from '../../lib/time.ts';
import { announce } from '../../webhooks/announce.ts';
import { type Health, listAnnouncedDown, saveHealth } from './store.ts';

export type StatusDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'after'>;
  readonly databaseTime: DatabaseTime;
  readonly newId: NewId;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  readonly nameOf: (operatorId: number) => string | undefined;
  /** Receives the endpoints with new messages. */
  readonly wake: (endpointIds: Iterable<string>) => void;
};

export type StatusNotifier = {
  /** Announces it in the background. */
  readonly tell: (operatorId: number, health: Health) => void;
  /**
   * A starting server takes all operators for up except suspended ones, and corrects earlier announcements.
   */
  readonly start: (suspended?: ReadonlySet<number>) => Promise<void>;
  /** Resolves when everything possible is written. */
  readonly stop: () => Promise<void>;
};

// A database outage is either short or long.
const againAfterMs = 5000;

export const createStatusNotifier = (deps: StatusDeps): StatusNotifier => {
  const { db, clock, retryLocked, log } = deps;
  const again = new Map<number, () => void>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (operatorId: number, health: Health): Promise<void> => {
    const told = await retryLocked(() =>
      db.transaction().execute(async (db) => {
        const at = await deps.databaseTime(db);
        if (!(await saveHealth(db, { operatorId, health, at }))) return [];
        const operator = { operator_id: operatorId, name: deps.nameOf(operatorId) ?? null };
        const data = { ...operator, health, since: formatTime(at) };
        return announce(db, { type: 'operator.status', data }, { newId: deps.newId, at });
      }),
    );
    deps.wake(told);
  };

  const tell = (operatorId: number, health: Health): void => {
    // Clients hear of operators, and never of suppliers.
    if (isSupplierId(operatorId)) return;
    again.get(operatorId)?.();
    const isLast = (): boolean => again.get(operatorId) === callOff;
    let callOff = (): void => {};
    again.set(operatorId, callOff);
    // One after another: up must not overtake down.
    writing = writing
      .then(() => write(operatorId, health))
      .catch((err: unknown) => {
        log.error({ err, operator: operatorId }, 'cannot tell how an operator is');
        // Unless it has changed since, which is announced instead.
        if (!isLast()) return;
        callOff = clock.after(againAfterMs, () => tell(operatorId, health));
        again.set(operatorId, callOff);
      });
  };

  return {
    tell,
    start: async (suspended = new Set()) => {
      for (const operatorId of await listAnnouncedDown(db)) {
        if (!suspended.has(operatorId)) tell(operatorId, 'up');
      }
      for (const operatorId of suspended) tell(operatorId, 'down');
    },
    stop: async () => {
      await writing;
      for (const cancel of again.values()) cancel();
    },
  };
};
