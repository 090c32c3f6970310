/** Runs catalogue changes in a worker thread, so that the gateway keeps selling. */
import { extname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Place as Location } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import { GatewayError } from '../../../lib/errors.ts';
import { AdminError } from '../../errors.ts';
import type { Done, Failure, Job, OnProgress, Order, Stop, WorkerReply } from './messages.ts';

type CatalogueWorkerDeps = {
  readonly place: Location;
  readonly clock: Pick<Clock, 'after'>;
};

export type RunOptions = {
  readonly progress?: OnProgress;
  /** Aborted when the caller has left: a waiting job is dropped and a preview ends; a change that has begun is done. */
  readonly left?: AbortSignal;
};

export type CatalogueWorker = {
  /** Does one job after another. */
  readonly run: (job: Job, asking?: RunOptions) => Promise<Done>;
  /** Drops what waits, ends what is being done where nothing of it stays, and takes nothing new. */
  readonly stop: () => void;
  /** Told when it is stopped. */
  readonly stopping: AbortSignal;
  /** Stops, and waits until the thread has ended. */
  readonly close: () => Promise<void>;
};

// One change is mostly followed by another; afterwards its memory is free again.
const idleMs = 15_000;

// What a hundred thousand products take, as they are and as a file has them, and some more. Beyond it
// the thread ends, and not the gateway.
const resourceLimits = { maxOldGenerationSizeMb: 1536 };

// Between two places where it can end a job takes a second or two, unless another process has the database
// locked. What the thread has not committed by then is not done.
const stopWithinMs = 5000;

const errorOf = (failure: Failure): Error => {
  if (failure.kind === 'refused') {
    const { code, message, cause } = failure;
    return new AdminError(code, {
      message,
      ...(cause === undefined ? {} : { cause: new Error(cause) }),
    });
  }
  const cause = new Error(failure.message);
  if (failure.stack !== undefined) cause.stack = failure.stack;
  return failure.isUnavailable ? new GatewayError('DATABASE_UNAVAILABLE', {}, { cause }) : cause;
};

/** A file is handed over, not copied. What shares its memory with others cannot be. */
const handedOver = (job: Job): Transferable[] => {
  if (job.kind !== 'import') return [];
  const { buffer, byteLength } = job.file;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
};

/** Whether it changes nothing. */
const isPreview = (job: Job): boolean => job.kind !== 'switch' && job.digest === undefined;

/** A job at the desk, and how it is ended before its end. */
type Place = {
  readonly job: Job;
  readonly progress: OnProgress;
  readonly stop: Stop;
  readonly settle: PromiseWithResolvers<Done>;
};

/** Gives a thread a job, and hears how that goes. */
const perform = (worker: Worker, { job, stop, progress }: Place): Promise<Done> =>
  new Promise((resolve, reject) => {
    const broke = (cause: unknown): void => {
      settle();
      reject(new AdminError('CATALOGUE_BROKE', { cause }));
    };
    const hear = (reply: WorkerReply): void => {
      if (reply.kind === 'progress') return progress(reply.progress);
      settle();
      if (reply.kind === 'refused' || reply.kind === 'failed') reject(errorOf(reply));
      else resolve(reply);
    };
    const settle = (): void => {
      worker.off('message', hear).off('error', broke).off('exit', broke);
    };
    worker.on('message', hear).on('error', broke).on('exit', broke);
    const order: Order = { kind: 'job', job, stop };
    worker.postMessage(order, handedOver(job));
  });

/** The thread: there while there is work, and for a while after it. */
const createThread = ({ place, clock }: CatalogueWorkerDeps) => {
  // Beside this file, in TypeScript or compiled as it is.
  const script = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
  const { dataDir, databaseUrl, database } = place;
  // Of the whole configuration nothing but this.
  const given = { dataDir, database, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  let worker: Worker | undefined;
  let cancelEnd = (): void => {};

  const start = (): Worker => {
    const made = new Worker(script, { resourceLimits });
    const order: Order = { kind: 'open', place: given };
    made.postMessage(order, []);
    const forget = (): void => {
      if (worker === made) worker = undefined;
    };
    // The waiting job handles it; without a listener the process would end with it.
    made.on('error', forget).on('exit', forget);
    return made;
  };

  const end = async (): Promise<void> => {
    cancelEnd();
    const leaving = worker;
    worker = undefined;
    if (leaving === undefined) return;
    const exited = new Promise((resolve) => leaving.once('exit', resolve));
    const order: Order = { kind: 'end' };
    leaving.postMessage(order, []);
    const cancel = clock.after(stopWithinMs, () => void leaving.terminate());
    await exited;
    cancel();
  };

  return {
    work: async (at: Place): Promise<Done> => {
      cancelEnd();
      worker ??= start();
      try {
        return await perform(worker, at);
      } finally {
        cancelEnd = clock.after(idleMs, () => void end());
      }
    },
    end,
    breakOff: (): void => void worker?.terminate(),
  };
};

export const createCatalogueWorker = (deps: CatalogueWorkerDeps): CatalogueWorker => {
  const thread = createThread(deps);
  const stopped = new AbortController();
  const waiting: Place[] = [];
  let current: Place | undefined;
  let running: Promise<void> = Promise.resolve();
  let cancelBreakOff = (): void => {};

  const work = async (): Promise<void> => {
    for (current = waiting.shift(); current !== undefined; current = waiting.shift()) {
      const { settle } = current;
      await thread.work(current).then(settle.resolve, settle.reject);
    }
  };

  /** Takes one out of the queue; one that is being done ends where it can. */
  const end = (at: Place): void => {
    Atomics.store(at.stop, 0, 1);
    const index = waiting.indexOf(at);
    if (index < 0) return;
    waiting.splice(index, 1);
    at.settle.reject(new AdminError('CATALOGUE_STOPPED'));
  };

  const stop = (): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    for (const at of waiting.slice()) end(at);
    if (current === undefined) return;
    end(current);
    cancelBreakOff = deps.clock.after(stopWithinMs, thread.breakOff);
  };

  return {
    run: async (job, { progress = () => {}, left } = {}) => {
      if (stopped.signal.aborted || left?.aborted === true) {
        throw new AdminError('CATALOGUE_STOPPED');
      }
      const stop: Stop = new Int32Array(new SharedArrayBuffer(4));
      const at: Place = { job, progress, stop, settle: Promise.withResolvers<Done>() };
      waiting.push(at);
      const leave = (): void => {
        if (waiting.includes(at) || isPreview(job)) end(at);
      };
      left?.addEventListener('abort', leave);
      if (current === undefined) running = work();
      return at.settle.promise.finally(() => left?.removeEventListener('abort', leave));
    },
    stop,
    stopping: stopped.signal,
    close: async () => {
      stop();
      await running;
      cancelBreakOff();
      await thread.end();
    },
  };
};
