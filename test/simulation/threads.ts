/** Shares seeds among the simulation's threads, and adds up their results. */
import { Worker } from 'node:worker_threads';
import { Value } from 'typebox/value';
import { LotSchema, type SeedReport, type Task } from './task.ts';

export type Totals = {
  seeds: number;
  purchases: number;
  /** The seed with the fewest. */
  fewestPurchases: number;
  fewestFaults: number;
  requests: number;
  faults: Map<string, number>;
  hashes: Map<number, string>;
  /** The one with the lowest seed. */
  violation: FailedSeed | undefined;
};

export type FailedSeed = SeedReport & { readonly violation: NonNullable<SeedReport['violation']> };

const hasFailed = (report: SeedReport): report is FailedSeed => report.violation !== null;

export type Wanted = {
  readonly from: number;
  readonly seeds: number;
  /** Further seeds, in the first thread. */
  readonly also?: readonly number[];
  readonly threads: number;
  /** A module that each thread loads first. */
  readonly loader?: string;
  /** The addresses of empty PostgreSQL databases, one for each thread. */
  readonly postgres?: readonly string[] | undefined;
  readonly keepTrace?: boolean;
  /** Whether the hash of every trace is wanted. */
  readonly hashed?: boolean;
  readonly progress?: (totals: Totals) => void;
};

const add = (totals: Totals, report: SeedReport): void => {
  totals.seeds += 1;
  totals.purchases += report.purchases;
  totals.requests += report.requests;
  totals.fewestPurchases = Math.min(totals.fewestPurchases, report.purchases);
  const injected = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  totals.fewestFaults = Math.min(totals.fewestFaults, injected);
  for (const [kind, count] of Object.entries(report.faults)) {
    totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
  }
  if (report.hash !== null) totals.hashes.set(report.seed, report.hash);
  if (!hasFailed(report)) return;
  if (totals.violation === undefined || report.seed < totals.violation.seed) {
    totals.violation = report;
  }
};

const runThread = (
  task: Task,
  { loader }: Wanted,
  told: (report: SeedReport) => void,
): [Worker, Promise<void>] => {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: task,
    ...(loader === undefined ? {} : { execArgv: [`--import=${loader}`] }),
    // A seed creates much garbage and keeps none of it.
    resourceLimits: { maxYoungGenerationSizeMb: 96 },
  });
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (Value.Check(LotSchema, message)) for (const report of message) told(report);
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
  return [worker, ended];
};

/** Runs seeds to the last or, in every thread, to a violation: then the others stop too. */
export const runThreads = async (wanted: Wanted): Promise<Totals> => {
  const { from, seeds, threads, postgres } = wanted;
  const { also = [], keepTrace = false, hashed = false } = wanted;
  const totals: Totals = {
    seeds: 0,
    purchases: 0,
    fewestPurchases: Number.POSITIVE_INFINITY,
    fewestFaults: Number.POSITIVE_INFINITY,
    requests: 0,
    faults: new Map(),
    hashes: new Map(),
    violation: undefined,
  };
  const running: Worker[] = [];
  const told = (report: SeedReport): void => {
    add(totals, report);
    wanted.progress?.(totals);
    if (totals.violation !== undefined) for (const worker of running) void worker.terminate();
  };
  const started = Array.from({ length: Math.min(threads, seeds) }, (_, index) => {
    const task = {
      from: from + index,
      until: from + seeds,
      step: threads,
      also: index === 0 ? [...also] : [],
      keepTrace,
      hashed,
      ...(postgres === undefined ? {} : { postgres: postgres[index] ?? '' }),
    };
    return runThread(task, wanted, told);
  });
  running.push(...started.map(([worker]) => worker));
  await Promise.all(started.map(([, ended]) => ended));
  return totals;
};
