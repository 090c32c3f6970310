/** Owns the thread that writes purchases to the database's file, so that no request waits for the disk. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../lib/clock.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { type Transact, withEnds } from '../transact.ts';
import {
  type BatchMeasure,
  createOutbox,
  type Done,
  type Order,
  readError,
  type Task,
  type Told,
} from './messages.ts';

export type TransactThread = {
  readonly transact: (metrics: Pick<Metrics, 'batch'>) => Transact;
  readonly close: () => Promise<void>;
};

// What it makes is short-lived, and there is little of it at a time.
const resourceLimits = { maxYoungGenerationSizeMb: 3 };

/** Starts the thread on a database that is up to date. `now` is the time that purchases go by. */
export const startTransactThread = async (
  file: string,
  now: () => number,
): Promise<TransactThread> => {
  // Beside this file, in TypeScript or compiled as it is.
  const script = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(script, { workerData: file, resourceLimits });
  const waiting = new Map<number, (done: Done) => void>();
  let count = 0;
  let ending = false;

  const say = (order: Order): void => worker.postMessage(order, []);
  const give = createOutbox<Task>((tasks) =>
    say({ kind: 'tasks', now: now(), monotonic: systemClock.monotonic(), tasks }),
  );

  const ask = (make: (id: number) => Task): Promise<Done> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      give(make(count));
    });

  let measure = (_batch: BatchMeasure): void => {};
  worker.on('message', (all: readonly Told[]) => {
    for (const told of all) {
      if (told.kind === 'measured') measure(told.batch);
      else {
        waiting.get(told.id)?.(told);
        waiting.delete(told.id);
      }
    }
  });
  // Nobody knows what it has done last: the process ends with it, and its next life recovers.
  worker.on('error', (error) => {
    throw error;
  });
  worker.on('exit', () => {
    if (!ending) throw new Error('The thread that writes purchases has ended.');
  });
  await once(worker, 'online');

  const transact = withEnds({
    begin: async (item) => {
      const done = await ask((id) => ({ id, kind: 'begin', item }));
      if (done.kind === 'begun') return done.result;
      throw failure(done);
    },
    advance: async (item) => {
      const done = await ask((id) => ({ id, kind: 'advance', item }));
      if (done.kind === 'advanced') return done.result;
      throw failure(done);
    },
  });

  return {
    transact: (metrics) => {
      measure = measureBy(metrics);
      return transact;
    },
    close: async () => {
      ending = true;
      say({ kind: 'end' });
      await once(worker, 'exit');
    },
  };
};

const measureBy = (metrics: Pick<Metrics, 'batch'>): ((batch: BatchMeasure) => void) => {
  const named = { begin: metrics.batch('begin'), advance: metrics.batch('advance') };
  return ({ name, size, waits, ms }) => {
    const { waited, began, ended } = named[name];
    for (const wait of waits) waited(wait);
    began(size);
    ended(ms);
  };
};

const failure = (done: Done): Error =>
  done.kind === 'failed' ? readError(done.error) : new Error('The thread answers something else.');
