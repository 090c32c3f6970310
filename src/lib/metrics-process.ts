/** Owns the metrics of the process itself: its version, processor, memory, garbage collection and event loop. */
import { readdir } from 'node:fs/promises';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import { createHistogram, type Reading, readCounter, readGauge } from './metrics-tally.ts';

const plain = (value: number): readonly Reading[] => [{ labels: {}, value }];

const gcKinds: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

const kindOf = (entry: object): string => {
  const detail = 'detail' in entry ? entry.detail : undefined;
  if (typeof detail !== 'object' || detail === null || !('kind' in detail)) return '';
  return gcKinds.get(detail.kind) ?? '';
};

/** Watches garbage collection until the returned function is called. */
const watchGc = (registry: Registry): (() => void) => {
  const durations = createHistogram(registry, {
    name: 'simgate_gc_duration_seconds',
    help: 'Time that collections of garbage took.',
    labelNames: ['kind'],
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  });
  const byKind = new Map([...gcKinds.values()].map((kind) => [kind, durations({ kind })]));
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) byKind.get(kindOf(entry))?.(entry.duration / 1000);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
};

// Finer would wake an idle process more often; what harms takes longer.
const resolutionMs = 10;

/** Watches the event loop until the returned function is called. */
const watchEventLoop = (registry: Registry): (() => void) => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // Node measures from timer to timer, and the timer's own pause is no delay.
  const delay = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  readGauge(
    registry,
    {
      name: 'simgate_event_loop_delay_seconds',
      help: 'How late the event loop came to its timers since the last look at this metric.',
      labelNames: ['stat'],
      aggregator: 'max',
    },
    () => {
      const readings = [
        { labels: { stat: 'p50' }, value: delay(delays.percentile(50)) },
        { labels: { stat: 'p99' }, value: delay(delays.percentile(99)) },
        { labels: { stat: 'max' }, value: delay(delays.max) },
      ];
      delays.reset();
      return readings;
    },
  );
  return () => delays.disable();
};

/** Empty on systems that do not tell it. */
const openFiles = (): Promise<readonly Reading[]> =>
  readdir('/proc/self/fd').then(
    (files) => plain(files.length),
    () => [],
  );

const readResources = (registry: Registry): void => {
  readCounter(
    registry,
    {
      name: 'simgate_process_cpu_seconds_total',
      help: 'Processor time that the process has used.',
      labelNames: ['mode'],
    },
    () => {
      const { user, system } = process.cpuUsage();
      return [
        { labels: { mode: 'user' }, value: user / 1e6 },
        { labels: { mode: 'system' }, value: system / 1e6 },
      ];
    },
  );
  const memory = { resident: 'rss', heap_used: 'heapUsed', heap_total: 'heapTotal' } as const;
  readGauge(
    registry,
    {
      name: 'simgate_process_memory_bytes',
      help: 'Memory of the process: all of it, and the part that JavaScript uses and has.',
      labelNames: ['kind'],
    },
    () => {
      const used = process.memoryUsage();
      return Object.entries(memory).map(([kind, key]) => ({ labels: { kind }, value: used[key] }));
    },
  );
  readGauge(
    registry,
    {
      name: 'simgate_process_open_fds',
      help: 'Open files and sockets; only where the system tells it.',
    },
    openFiles,
  );
};

/** Adds everything about the process, until the returned function is called. */
export const watchProcess = (
  registry: Registry,
  { clock, version }: { readonly clock: Pick<Clock, 'now'>; readonly version: string },
): (() => void) => {
  const build = { version, node: process.versions.node };
  readGauge(
    registry,
    {
      name: 'simgate_build_info',
      help: 'Always 1; its labels tell which version runs.',
      labelNames: ['version', 'node'],
      aggregator: 'first',
    },
    () => [{ labels: build, value: 1 }],
  );
  const started = clock.now() / 1000;
  readGauge(
    registry,
    {
      name: 'simgate_process_start_time_seconds',
      help: 'When the process started, in seconds since 1970.',
      aggregator: 'min',
    },
    () => plain(started),
  );
  readResources(registry);
  const stops = [watchGc(registry), watchEventLoop(registry)];
  return () => {
    for (const stop of stops) stop();
  };
};
