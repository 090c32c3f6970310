/** Runs mutations in a few threads, each of which takes one after another. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Value } from 'typebox/value';
import { type Outcome, OutcomeSchema, type Trial } from './mutant-worker.ts';

export type Mutants = {
  /** Runs seeds of a mutated program until one breaks an invariant. */
  readonly attempt: (trial: Trial) => Promise<Outcome>;
  readonly close: () => Promise<void>;
};

/** Opens this many threads; no more mutations are tried at a time. */
export const openMutants = (threads: number): Mutants => {
  const workers = Array.from(
    { length: threads },
    () =>
      new Worker(new URL('mutant-worker.ts', import.meta.url), {
        resourceLimits: { maxYoungGenerationSizeMb: 96 },
        // Node calls manual type stripping experimental.
        execArgv: ['--disable-warning=ExperimentalWarning'],
      }),
  );
  const free = [...workers];
  const waiting: ((worker: Worker) => void)[] = [];
  const take = async (): Promise<Worker> =>
    free.pop() ?? new Promise((resolve) => waiting.push(resolve));
  const giveBack = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(worker);
    else next(worker);
  };
  return {
    attempt: async (trial) => {
      const worker = await take();
      try {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
        worker.postMessage(trial);
        const told: readonly unknown[] = await once(worker, 'message');
        const [outcome] = told;
        if (!Value.Check(OutcomeSchema, outcome)) throw new Error('A thread sent something else.');
        if (outcome.failure !== null) throw new Error(outcome.failure);
        return outcome;
      } finally {
        giveBack(worker);
      }
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
};
