/** Owns a scrape that holds every metric with all its labels, for tests of what asks for them. */
import { systemClock } from '../../src/lib/clock.ts';
import { readConfig } from '../../src/lib/config.ts';
import { openMeter } from '../../src/lib/meter.ts';

/** A scrape in which everything has happened once. */
export const scrapeOfAll = async (): Promise<string> => {
  const config = readConfig({ METRICS_PORT: '0' });
  const meter = openMeter({ config, clock: systemClock, version: '1' });
  meter.watch({
    clock: systemClock,
    operators: config.operators,
    operator: () => ({ breaker: 'closed', underWay: 0, suspended: false, unusable: false }),
    products: () => 1,
    pool: () => ({ total: 1, idle: 1, waiting: 0 }),
    unsettled: async () => ({ open: new Map(), oldestOpenMs: 0, review: 0 }),
    backlog: async () => ({ waiting: 0, oldestMs: 0, overdueMs: 0 }),
    selling: () => true,
  });
  for (const status of [200, 404, 500]) meter.metrics.request('/', status, 1);
  meter.metrics.call({ operatorId: 1, kind: 'order' }, 'done', 1);
  const batch = meter.metrics.batch('begin');
  for (const observe of [batch.waited, batch.began, batch.ended]) observe(1);
  const text = (await meter.read?.()) ?? '';
  meter.close();
  return text;
};
