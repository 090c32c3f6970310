/** Runs one thread of the simulation, on every nth seed. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { runSeed } from './seed.ts';
import type { Store } from './store.ts';

export const TaskSchema = Type.Object({
  from: Type.Integer(),
  until: Type.Integer(),
  /** As many threads as there are. */
  step: Type.Integer(),
  /** Those after them. */
  also: Type.Array(Type.Integer()),
  keepTrace: Type.Boolean(),
  hashed: Type.Boolean(),
  /** The address of an empty PostgreSQL database; SQLite in memory without it. */
  postgres: Type.Optional(Type.String()),
});

export type Task = Static<typeof TaskSchema>;

/** A thread's result of one seed. */
const ReportSchema = Type.Object({
  seed: Type.Integer(),
  violation: Type.Union([
    Type.Object({ kind: Type.Enum(['invariant', 'error']), text: Type.String() }),
    Type.Null(),
  ]),
  purchases: Type.Integer(),
  requests: Type.Integer(),
  faults: Type.Record(Type.String(), Type.Integer()),
  hash: Type.Union([Type.String(), Type.Null()]),
  trace: Type.Array(Type.String()),
});

export type SeedReport = Static<typeof ReportSchema>;

/** Seeds are reported in batches: a message for each would cost the other threads their time. */
export const LotSchema = Type.Array(ReportSchema);
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
