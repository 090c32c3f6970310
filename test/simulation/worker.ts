/** Runs one thread of the simulation, on every nth seed. */
import { parentPort, workerData } from 'node:worker_threads';
import { Value } from 'typebox/value';
import { runSeed } from './seed.ts';
import type { Store } from './store.ts';
import { type SeedReport, type Task, TaskSchema } from './task.ts';

/** Seeds are reported in batches: a message for each would cost the other threads their time. */
const lotSize = 50;

const tell = (lot: readonly SeedReport[]): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
  parentPort?.postMessage(lot);
};

const openStoreOf = async ({ postgres }: Task): Promise<Store> => {
  if (postgres !== undefined) return (await import('./store-postgres.ts')).openStore(postgres);
  return (await import('./store.ts')).openStore();
};

const seedsOf = function* ({ from, until, step, also }: Task): Generator<number> {
  for (let seed = from; seed < until; seed += step) yield seed;
  yield* also;
};

const work = async (task: Task): Promise<void> => {
  const store = await openStoreOf(task);
  let lot: SeedReport[] = [];
  for (const seed of seedsOf(task)) {
    const { violation, purchases, requests, faults, hash, trace } = await runSeed(
      store,
      seed,
      task.keepTrace || task.hashed,
    );
    lot.push({
      seed,
      violation: violation ?? null,
      purchases,
      requests,
      faults: Object.fromEntries(faults),
      hash: task.hashed ? hash() : null,
      trace: task.keepTrace ? [...trace] : [],
    });
    if (violation !== undefined) break;
    if (lot.length < lotSize) continue;
    tell(lot);
    lot = [];
  }
  tell(lot);
  await store.close();
};

const task: unknown = workerData;
if (Value.Check(TaskSchema, task)) await work(task);
