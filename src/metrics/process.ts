/** Measures the process: CPU, memory, files, garbage collection and event loop. */
import { collectDefaultMetrics, Registry } from 'prom-client';

// Active handles are counted one by one, 3 µs a connection. The others duplicate other metrics.
const leftOut = /_active_|_version_|_heap_space_|_lag_(?:min|mean|stddev)_/;

/** prom-client leaves the start out and averages percentiles: one hanging worker would not show. */
const combine = (name: string): 'min' | 'max' | undefined => {
  if (name.endsWith('_start_time_seconds')) return 'min';
  return name.includes('_eventloop_') ? 'max' : undefined;
};

let shared: Registry | undefined;

/** One registry for the life of the process: prom-client never stops watching what it began to watch. */
export const processMetrics = (): Registry => {
  if (shared !== undefined) return shared;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'simgate_' });
  for (const metric of registry.getMetricsAsArray()) {
    const aggregator = combine(metric.name);
    if (leftOut.test(metric.name)) registry.removeSingleMetric(metric.name);
    else if (aggregator !== undefined) metric.aggregator = aggregator;
  }
  shared = registry;
  return registry;
};
