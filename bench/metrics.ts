/** Measures what the metrics cost: one observation of each kind, in nanoseconds. */
import { Registry } from 'prom-client';
import { readConfig } from '../src/config/config.ts';
import { createMetrics } from '../src/metrics/metrics.ts';

const rounds = 5_000_000;

const registry = new Registry();
const metrics = createMetrics(registry, readConfig({}).operators);
const batch = metrics.batch('begin');
const asked = { operatorId: 2, kind: 'order' } as const;

// Several routes and times, so that no branch or lookup is always the same.
const routes = ['/api/clients/products', '/api/top-up/package', '/api/purchases/:id', null];
const statuses = [200, 200, 422, 404];

/** One unit of work of a purchase: everything observed from request to answer. */
const purchase = (index: number): void => {
  metrics.call({ operatorId: 2, kind: 'subscriber' }, 'subscriber', index % 50);
  batch.waited(index % 7);
  metrics.call(asked, 'done', index % 400);
  batch.waited(index % 5);
  metrics.purchase(2, 'succeeded');
  metrics.settled(2, 'succeeded', index % 900);
  metrics.request('/api/top-up/package', 200, index % 900);
};

const kinds: Readonly<Record<string, (index: number) => void>> = {
  'a request': (index) =>
    metrics.request(routes[index % 4] ?? null, statuses[index % 4] ?? 200, index % 100),
  'a purchase that came to its end': () => metrics.purchase(1 + 1, 'succeeded'),
  'a call to an operator': (index) => metrics.call(asked, 'done', index % 400),
  'a wait for a batch': (index) => batch.waited(index % 7),
  'all that one purchase brings': purchase,
};

for (const [what, observe] of Object.entries(kinds)) {
  const best = Math.min(
    ...Array.from({ length: 5 }, () => {
      const started = performance.now();
      for (let index = 0; index < rounds; index += 1) observe(index);
      return ((performance.now() - started) * 1e6) / rounds;
    }),
  );
  console.log(`${best.toFixed(0).padStart(5)} ns  ${what}`);
}

const started = performance.now();
const values = (await registry.getMetricsAsJSON()).flatMap((metric) => metric.values);
console.log(`${(performance.now() - started).toFixed(1)} ms for ${values.length} figures`);
