/** Runs alarms: judges them in one instance, and delivers their messages, until it is stopped. */
import { onClockSetBack } from '../../db/clock-step.ts';
import { repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { type DeliverDeps, deliverDue, leaseMs, longestPauseMs } from './delivery/deliver.ts';
import { type EvaluateDeps, evaluate, turnMs } from './evaluate.ts';
import { type ChannelName, channelNames, endLateLeases, leaveTurn } from './store.ts';

export type AlarmJobDeps = EvaluateDeps &
  Omit<DeliverDeps, 'running'> & {
    readonly log: Pick<Log, 'error'>;
    /** Aborts what is being sent. */
    readonly abort: () => Promise<void>;
  };

export type AlarmJob = {
  readonly start: () => void;
  /** Starts nothing more, and waits a little for what is being sent. Another instance goes on at once. */
  readonly stop: () => Promise<void>;
};

/** Soon enough for people, and cheap: a judgement reads what the overview reads. */
export const judgeEveryMs = 10_000;
const waitAtEndMs = 1000;
// The time is read a little before it is used.
const readLateMs = 60_000;

export const createAlarmJob = (deps: AlarmJobDeps): AlarmJob => {
  const { db, clock, log, retryLocked } = deps;
  const sending = new Map<ChannelName, Promise<void>>();
  let running = false;
  const mendTimes = onClockSetBack(clock, (now) =>
    endLateLeases(db, {
      turn: now + turnMs + readLateMs,
      due: now + Math.max(leaseMs, longestPauseMs) + readLateMs,
    }),
  );

  /** Not awaited: a mail server that hangs delays neither the judgement nor the other channel. */
  const deliver = (channel: ChannelName): void => {
    if (sending.has(channel)) return;
    const work = deliverDue({ ...deps, running: () => running }, channel)
      .catch((err: unknown) => log.error({ err, channel }, 'cannot send alarms'))
      .finally(() => sending.delete(channel));
    sending.set(channel, work);
  };

  const round = async (): Promise<void> => {
    try {
      await mendTimes(await deps.databaseTime(db));
      await evaluate(deps);
    } catch (err) {
      log.error({ err }, 'cannot judge alarms');
    }
    if (running) channelNames.forEach(deliver);
  };

  let stopRounds = async (): Promise<void> => {};
  return {
    start: () => {
      running = true;
      stopRounds = repeat(clock, judgeEveryMs, round);
    },
    stop: async () => {
      const wasRunning = running;
      running = false;
      await stopRounds();
      const cancel = clock.after(waitAtEndMs, () => void deps.abort());
      await Promise.all(sending.values());
      cancel();
      await deps.abort();
      if (!wasRunning) return;
      await retryLocked(() => leaveTurn(db, deps.holder)).catch((err: unknown) => {
        log.error({ err }, 'cannot leave alarms to another instance');
      });
    },
  };
};
