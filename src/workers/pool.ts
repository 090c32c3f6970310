/** Runs the pool of workers: starts them, replaces those that exit, and drains them. */
import type { Readable } from 'node:stream';
import { newerSchemaStatus } from '../db/migrate/compatibility.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { restartDelay } from './restart-delay.ts';
import { startWorkerProcess, type WorkerExit, type WorkerProcess } from './worker-process.ts';

export type WorkerPoolDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly passOn: (source: Readable) => Promise<void>;
};

export type WorkerPool = {
  /**
   * Starts the workers and replaces those that exit. Resolves only when one could not start: at the first
   * start, or when none sells any more; or when it met a newer program's schema.
   */
  readonly work: (
    count: number,
    allReady: (url: string, pids: unknown) => void,
  ) => Promise<WorkerExit>;
  /** Lets all of them drain; returns the exits of those that sold and failed. */
  readonly stop: (signal: string) => Promise<readonly WorkerExit[]>;
};

/** The log fields of an exit: either a code or a signal. */
export const endFields = ({
  worker,
  code,
  signal,
}: WorkerExit): Readonly<Record<string, unknown>> =>
  signal === null ? { worker, code } : { worker, signal };

/** Resolves after this time, or at once when the pool is stopped. */
const pause = (clock: Clock, ms: number, stopping: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    stopping.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });

/** Lets them drain. A second signal ends this process at once, and must end the others with it. */
const drainAll = async (living: ReadonlySet<WorkerProcess>, signal: string): Promise<void> => {
  process.once('exit', () => {
    for (const member of living) member.kill();
  });
  for (const member of living) member.stop(signal);
  await Promise.all([...living].map(({ ended }) => ended));
};

type Started = {
  readonly member: WorkerProcess;
  readonly at: number;
  readonly url: string | undefined;
};

export const createWorkerPool = ({ clock, log, passOn }: WorkerPoolDeps): WorkerPool => {
  const living = new Set<WorkerProcess>();
  const selling = new Set<WorkerProcess>();
  const stopping = new AbortController();

  const start = async (): Promise<Started> => {
    const at = clock.monotonic();
    const member = startWorkerProcess(passOn);
    living.add(member);
    void member.ended.finally(() => {
      living.delete(member);
      selling.delete(member);
    });
    const url = await member.ready;
    if (url !== undefined && living.has(member)) selling.add(member);
    return { member, at, url };
  };

  /** Keeps one slot filled; resolves with the exit of a failed start when no worker is left. */
  const keepFilled = async (first: Started): Promise<WorkerExit> => {
    let [{ member, at }, lastMs] = [first, 0];
    for (;;) {
      const ending = await member.ended;
      // Another worker of this program would fail the same way.
      if (stopping.signal.aborted || ending.code === newerSchemaStatus) return ending;
      lastMs = restartDelay(clock.monotonic() - at, lastMs);
      log.error({ ...endFields(ending), pauseMs: lastMs }, 'a worker ended and is replaced');
      await pause(clock, lastMs, stopping.signal);
      if (stopping.signal.aborted) return ending;
      const next = await start();
      if (next.url === undefined && selling.size === 0) return next.member.ended;
      if (next.url !== undefined) log.info({ worker: next.member.pid }, 'a worker is ready');
      ({ member, at } = next);
    }
  };

  return {
    work: async (count, allReady) => {
      // It starts first, like a single process: it migrates, fills an empty database, reports errors.
      const first = await start();
      if (first.url === undefined || stopping.signal.aborted) return first.member.ended;
      const others = await Promise.all(Array.from({ length: count - 1 }, start));
      const failed = others.find(({ url }) => url === undefined);
      if (failed !== undefined) return failed.member.ended;
      const all = [first, ...others];
      allReady(
        first.url,
        all.map(({ member }) => member.pid),
      );
      return Promise.race(all.map(keepFilled));
    },
    stop: async (signal) => {
      stopping.abort();
      const sellers = [...selling];
      await drainAll(living, signal);
      const endings = await Promise.all(sellers.map(({ ended }) => ended));
      return endings.filter(({ code }) => code !== 0);
    },
  };
};
