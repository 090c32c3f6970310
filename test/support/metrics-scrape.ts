/** Provides a scrape with every metric and all its labels, for tests of what queries them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openMeter } from '../../src/metrics/meter.ts';
import { eventually } from './live.ts';

/** A scrape in which everything has happened once. */
export const scrapeOfAll = async (): Promise<string> => {
  const config = readConfig({ METRICS_PORT: '0' });
  const meter = openMeter({ config, version: '1' });
  meter.watch({
    clock: systemClock,
    operators: () => config.operators,
    operator: () => ({
      breaker: 'closed',
      inFlight: 0,
      closedRoutes: 0,
      brokenPromises: 0,
      suspended: false,
      unusable: false,
    }),
    products: () => 1,
    pool: () => ({ total: 1, idle: 1, waiting: 0 }),
    unsettled: async () => ({ open: new Map(), oldestOpenMs: 0, review: 0 }),
    backlog: async () => ({ waiting: 0, oldestMs: 0, overdueMs: 0 }),
    alarms: async () => new Map([['review', 1]]),
    selling: () => true,
  });
  for (const status of [200, 404, 500]) meter.metrics.request('/', status, 1);
  meter.metrics.call({ operatorId: 1, kind: 'order' }, 'done', 1);
  const batch = meter.metrics.batch('begin');
  for (const observe of [batch.waited, batch.began, batch.ended]) observe(1);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  const read = async (): Promise<string> => (await meter.read?.()) ?? '';
  await eventually('a garbage collection has been counted', async () =>
    (await read()).includes('simgate_nodejs_gc_duration_seconds_count'),
  );
  return read();
};
