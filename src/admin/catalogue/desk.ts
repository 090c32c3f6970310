/** Owns the thread that changes the catalogue for the back office, so that the gateway sells meanwhile. */
import { extname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Clock } from '../../lib/clock.ts';
import type { Place } from '../../lib/db-open.ts';
import { GatewayError } from '../../lib/errors.ts';
import { AdminError } from '../errors.ts';
import type { Done, Failure, Job, Order, Tell, Told } from './messages.ts';

export type Desk = {
  /** Does one job after another. */
  readonly run: (job: Job, progress?: Tell) => Promise<Done>;
  readonly close: () => Promise<void>;
};

// Whoever changes one thing mostly changes another; afterwards its memory is free again.
const idleMs = 15_000;

// What a hundred thousand products take, as they are and as a file has them, and some more. Beyond it
// the thread ends, and not the gateway.
const resourceLimits = { maxOldGenerationSizeMb: 1536 };

const errorOf = (failure: Failure): Error => {
  if (failure.kind === 'refused') {
    return new AdminError(failure.code, { message: failure.message });
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

/** Gives a thread a job, and hears how that goes. */
const perform = (worker: Worker, job: Job, progress: Tell): Promise<Done> =>
  new Promise((resolve, reject) => {
    const broke = (cause: unknown): void => {
      settle();
      reject(new AdminError('CATALOGUE_BROKE', { cause }));
    };
    const hear = (told: Told): void => {
      if (told.kind === 'progress') return progress(told.progress);
      settle();
      if (told.kind === 'refused' || told.kind === 'failed') reject(errorOf(told));
      else resolve(told);
    };
    const settle = (): void => {
      worker.off('message', hear).off('error', broke).off('exit', broke);
    };
    worker.on('message', hear).on('error', broke).on('exit', broke);
    worker.postMessage(job, handedOver(job));
  });

export const createDesk = ({
  place,
  clock,
}: {
  readonly place: Place;
  readonly clock: Pick<Clock, 'after'>;
}): Desk => {
  // Beside this file, in TypeScript or compiled as it is.
  const script = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
  const { dataDir, databaseUrl, database } = place;
  // Of the whole configuration nothing but this.
  const given = { dataDir, database, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  let worker: Worker | undefined;
  let cancelEnd = (): void => {};
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Worker => {
    const made = new Worker(script, { resourceLimits });
    const order: Order = { kind: 'open', place: given };
    made.postMessage(order, []);
    const forget = (): void => {
      if (worker === made) worker = undefined;
    };
    // Heard by whoever waits for it; without a listener the process would end with it.
    made.on('error', forget).on('exit', forget);
    return made;
  };

  const end = async (): Promise<void> => {
    const leaving = worker;
    worker = undefined;
    if (leaving === undefined) return;
    const order: Order = { kind: 'end' };
    leaving.postMessage(order, []);
    await new Promise((resolve) => leaving.once('exit', resolve));
  };

  const work = async (job: Job, progress: Tell): Promise<Done> => {
    cancelEnd();
    worker ??= start();
    try {
      return await perform(worker, job, progress);
    } finally {
      cancelEnd = clock.after(idleMs, () => void end());
    }
  };

  return {
    run: (job, progress = () => {}) => {
      const next = last.then(() => work(job, progress));
      last = next.catch(() => {});
      return next;
    },
    close: async () => {
      await last;
      cancelEnd();
      await end();
    },
  };
};
