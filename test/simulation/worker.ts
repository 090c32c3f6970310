/** Owns one thread of the simulation: seeds in steps of its own, with a mutation or without. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { MutationSchema, patchAtLoad } from './mutations.ts';

export const TaskSchema = Type.Object({
  from: Type.Integer(),
  until: Type.Integer(),
  /** As many threads as there are. */
  step: Type.Integer(),
  mutation: Type.Optional(MutationSchema),
  keepTrace: Type.Boolean(),
  hashed: Type.Boolean(),
});

export type Task = Static<typeof TaskSchema>;

/** What a thread tells of one seed. */
const ReportSchema = Type.Object({
  seed: Type.Integer(),
  violation: Type.Union([Type.String(), Type.Null()]),
  purchases: Type.Integer(),
  requests: Type.Integer(),
  faults: Type.Record(Type.String(), Type.Integer()),
  hash: Type.Union([Type.String(), Type.Null()]),
  trace: Type.Array(Type.String()),
});

export type SeedReport = Static<typeof ReportSchema>;

/** Seeds are told of in lots: a message for each would cost the other threads their time. */
export const LotSchema = Type.Array(ReportSchema);
const lotSize = 50;

const tell = (lot: readonly SeedReport[]): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
  parentPort?.postMessage(lot);
};

const work = async (task: Task): Promise<void> => {
  if (task.mutation !== undefined) patchAtLoad(task.mutation);
  // After the patch: what is imported before it is not changed.
  const { openStore } = await import('./database.ts');
  const { runSeed } = await import('./seed.ts');
  const store = await openStore();
  let lot: SeedReport[] = [];
  for (let seed = task.from; seed < task.until; seed += task.step) {
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
};

const task: unknown = workerData;
if (Value.Check(TaskSchema, task)) await work(task);
