/** Runs catalogue changes in a worker thread, so that the gateway keeps selling. */
import { extname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Place as Location } from '../../../db/open.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { GatewayError } from '../../../lib/errors.ts';
import { AdminError } from '../../errors.ts';
import type { Done, Failure, Job, OnProgress, Order, Stop, WorkerReply } from './messages.ts';

type CatalogueWorkerDeps = {
  readonly place: Location;
  /** The IDs of the operators that products can have, in order. */
  readonly operators: readonly number[];
  readonly clock: Pick<Clock, 'after' | 'now'>;
};

export type RunOptions = {
  readonly progress?: OnProgress;
  /** Aborted when the caller has left: a waiting job is dropped and a preview ends; a change that has begun is done. */
  readonly left?: AbortSignal;
};

export type CatalogueWorker = {
  /** Runs one job after another. */
  readonly run: (job: Job, asking?: RunOptions) => Promise<Done>;
  /** Drops waiting jobs, cancels the running one unless it is already writing, and takes no new ones. */
  readonly stop: () => void;
  /** Called when it is stopped. */
  readonly stopping: AbortSignal;
  /** Stops, and waits until the thread has ended. */
  readonly close: () => Promise<void>;
};

// One change often follows another; after this long its memory is freed.
const idleMs = 15_000;

// What a hundred thousand products take, in the catalogue and in a file, with a margin. Beyond it the thread
// ends, not the gateway.
const resourceLimits = { maxOldGenerationSizeMb: 1536 };

// A job can be cancelled every second or two, unless another process locks the database. What the thread has
// not committed by then is lost.
const stopWithinMs = 5000;

const errorOf = (failure: Failure): Error => {
  if (failure.kind === 'refused') {
    const { code, text, cause } = failure;
    return new AdminError(code, {
      message: text,
      ...(cause === undefined ? {} : { cause: new Error(cause) }),
    });
  }
  if (failure.kind === 'invalid') {
    return new GatewayError('VALIDATION_FAILED', { errors: failure.errors });
  }
  const cause = new Error(failure.message);
  if (failure.stack !== undefined) cause.stack = failure.stack;
  return failure.isUnavailable ? new GatewayError('DATABASE_UNAVAILABLE', {}, { cause }) : cause;
};

/** A file is transferred, not copied. Shared memory cannot be transferred. */
const handedOver = (job: Job): Transferable[] => {
  if (job.kind !== 'import') return [];
  const { buffer, byteLength } = job.file;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
};

/** Whether it changes nothing. */
const isPreview = (job: Job): boolean =>
  ('digest' in job && job.digest === undefined) || ('key' in job && job.key === undefined);

/** A job of the worker, and how it is cancelled. */
type Place = {
  readonly job: Job;
  readonly progress: OnProgress;
  readonly stop: Stop;
  readonly settle: PromiseWithResolvers<Done>;
};

/** Sends a job to the thread, and receives its progress. */
const perform = (worker: Worker, { job, stop, progress }: Place, aheadMs: number): Promise<Done> =>
  new Promise((resolve, reject) => {
    const broke = (cause: unknown): void => {
      settle();
      reject(new AdminError('CATALOGUE_BROKE', { cause }));
    };
    const hear = (reply: WorkerReply): void => {
      if (reply.kind === 'progress') return progress(reply.progress);
      settle();
      if (reply.kind === 'refused' || reply.kind === 'invalid' || reply.kind === 'failed') {
        reject(errorOf(reply));
      } else resolve(reply);
    };
    const settle = (): void => {
      worker.off('message', hear).off('error', broke).off('exit', broke);
    };
    worker.on('message', hear).on('error', broke).on('exit', broke);
    const order: Order = { kind: 'job', job, stop, aheadMs };
    worker.postMessage(order, handedOver(job));
  });

/** The thread: alive while there is work, and for a while after it. */
const createThread = ({ place, operators, clock }: CatalogueWorkerDeps) => {
  // The file beside this one, in TypeScript or compiled.
  const script = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
  const { dataDir, databaseUrl, database } = place;
  // The only part of the configuration that it needs.
  const given = { dataDir, database, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  let worker: Worker | undefined;
  let cancelEnd = (): void => {};

  const start = (): Worker => {
    const made = new Worker(script, { resourceLimits });
    const order: Order = { kind: 'open', place: given, operators };
    made.postMessage(order, []);
    const forget = (): void => {
      if (worker === made) worker = undefined;
    };
    // The waiting job handles the error; without a listener it would end the process.
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
        return await perform(worker, at, clock.now() - systemClock.now());
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

  /** Removes a job from the queue; a running one is cancelled where it can be. */
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
