/** Runs the primary process: starts the workers on one port, and serves their metrics. */
import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { instanceName } from '../config/instance.ts';
import { assertShownByPrimary } from '../config/sections/metrics.ts';
import { systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { createLog, type Log } from '../lib/log/log.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { untilStopped } from '../lib/stop-signal.ts';
import { mergeLinesInto } from './line-merger.ts';
import { createWorkerPool, endFields, type WorkerPool } from './pool.ts';
import type { WorkerExit } from './worker-process.ts';

type Outcome =
  | { readonly kind: 'told'; readonly signal: string }
  | { readonly kind: 'failed'; readonly ending: WorkerExit };

const untilOver = (team: WorkerPool, { workers }: Config, log: Log): Promise<Outcome> => {
  const allReady = (url: string, pids: unknown): void => {
    log.info({ url, workers: pids }, 'listening');
  };
  return Promise.race([
    untilStopped().then((signal): Outcome => ({ kind: 'told', signal })),
    team.work(workers, allReady).then((ending): Outcome => ({ kind: 'failed', ending })),
  ]);
};

/** The exit status after a worker that could not start: its own, because it has said why. */
const statusAfter = ({ code, signal }: WorkerExit): number => {
  if (code !== null && code !== 0) return code;
  throw new UsageError(
    `A worker ended${signal === null ? '' : ` by ${signal}`} before it was ready.`,
  );
};

const endings = (log: Log, unwell: readonly WorkerExit[]): number => {
  for (const one of unwell) log.error(endFields(one), 'a worker did not stop cleanly');
  return unwell.length === 0 ? 0 : 1;
};

/** Serves the aggregated metrics of all workers, if enabled; the returned function stops it. */
const showMetrics = async ({ metrics }: Config, log: Log): Promise<() => Promise<void>> => {
  assertShownByPrimary(metrics);
  if (metrics.port === undefined) return async () => {};
  const { openMetricsPort } = await import('../http/metrics.ts');
  const { readWorkers } = await import('../metrics/meter.ts');
  const newId = uuidV7(systemClock, systemRandom);
  const opened = await openMetricsPort({ settings: metrics, read: readWorkers(), newId, log });
  return async () => opened?.close();
};

/** Runs that many workers until a stop is requested; returns the exit status. */
export const serveWithWorkers = async (config: Config): Promise<number> => {
  const { logLevel: level, mobile } = config;
  const { stdout } = process;
  // The reader of the log has closed; that is no reason to stop selling.
  stdout.on('error', () => {});
  const log = createLog(
    { level, mobile, fields: { instance: instanceName(config) } },
    { write: (line) => void stdout.write(line) },
  );
  // The kernel hands a connection to any free worker. Node's round robin would pass them through this
  // process: a third fewer short connections a second, and one on its way to a killed worker would hang
  // forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const endMetrics = await showMetrics(config, log);
  const team = createWorkerPool({
    clock: systemClock,
    log,
    passOn: mergeLinesInto(stdout, systemClock),
  });
  const outcome = await untilOver(team, config, log);
  if (outcome.kind === 'failed') {
    await team.stop('SIGTERM');
    await endMetrics();
    return statusAfter(outcome.ending);
  }
  const { signal } = outcome;
  log.info({ signal }, 'draining');
  const status = endings(log, await team.stop(signal));
  await endMetrics();
  log.info('stopped');
  return status;
};
