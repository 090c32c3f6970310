/** Runs in a thread of its own: begins and advances purchases in the database's file. */
import { parentPort, workerData } from 'node:worker_threads';
import { nextTurn, systemClock } from '../../lib/clock.ts';
import { openToWrite } from '../../lib/db.ts';
import { patientlyBy } from '../../lib/db-patience.ts';
import { measuredBatches } from '../../lib/measured-batch.ts';
import type { BatchMetrics, BatchName } from '../../lib/metrics.ts';
import { createBatches } from '../transact.ts';
import {
  createOutbox,
  type Done,
  type Order,
  type Task,
  type Told,
  tellError,
} from './messages.ts';

if (parentPort === null) throw new Error('This is for a thread.');
const port = parentPort;
const { db, close } = await openToWrite(String(workerData));

const tell = createOutbox<Told>((told) => port.postMessage(told));

/** Gathers what is measured of one batch, and tells it when that has ended. */
const measured = (name: BatchName): BatchMetrics => {
  let waits: number[] = [];
  return {
    waited: (ms) => waits.push(ms),
    began: () => {},
    ended: (ms) => {
      tell({ kind: 'measured', batch: { name, size: waits.length, waits, ms } });
      waits = [];
    },
  };
};

let now = 0;

// Each thread counts from its own start. The quickest message shows best how far this one is ahead.
let aheadMs = Number.POSITIVE_INFINITY;
const clock = { monotonic: (): number => systemClock.monotonic() - aheadMs };

const { begin, advance } = createBatches({
  db,
  databaseTime: async () => now,
  clock,
  makePause: () => nextTurn,
  patiently: patientlyBy(systemClock),
  makeBatch: measuredBatches(systemClock, { batch: measured }),
});

const run = async (task: Task): Promise<Done> => {
  const { id } = task;
  try {
    if (task.kind === 'begin') return { id, kind: 'begun', result: await begin(task.item) };
    return { id, kind: 'advanced', result: await advance(task.item) };
  } catch (error) {
    return { id, kind: 'failed', error: tellError(error) };
  }
};

port.on('message', (order: Order) => {
  if (order.kind === 'end') {
    // Whoever says so waits for nothing any more.
    void close().then(() => port.close());
    return;
  }
  now = order.now;
  aheadMs = Math.min(aheadMs, systemClock.monotonic() - order.monotonic);
  for (const task of order.tasks) void run(task).then(tell);
});
