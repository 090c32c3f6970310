/** Tests that gauges query the database rarely, and that its failure hides no other gauge. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Registry } from 'prom-client';
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import { type BacklogFigures, registerGauges, type UnsettledFigures } from './state.ts';

const figures = (unknown: number): UnsettledFigures => ({
  open: new Map([['unknown', unknown]]),
  oldestOpenMs: 90_000,
  review: 1,
});

const noBacklog = async (): Promise<BacklogFigures> => ({ waiting: 0, oldestMs: 0, overdueMs: 0 });

/** Metrics over a scripted database, and the queries it received. */
const stage = (
  answer: (asked: number) => Promise<UnsettledFigures>,
  backlog: () => Promise<BacklogFigures> = noBacklog,
) => {
  const clock: ManualClock = manualClock();
  const registry = new Registry();
  let asked = 0;
  registerGauges(registry, {
    clock,
    operators: () => [{ id: 1, name: 'one' }],
    operator: () => ({
      breaker: 'closed',
      inFlight: 4,
      closedRoutes: 2,
      brokenPromises: 0,
      suspended: true,
      unusable: false,
    }),
    products: () => 12,
    pool: () => undefined,
    unsettled: () => answer((asked += 1)),
    backlog,
    alarms: async () => new Map([['review', 1]]),
    selling: () => true,
  });
  const scrape = async (): Promise<string> =>
    AggregatorRegistry.aggregate([await registry.getMetricsAsJSON()]).metrics();
  return { clock, scrape, asked: () => asked };
};

test('one scrape queries the database once, and so do all within five seconds', async () => {
  const { clock, scrape, asked } = stage(async (time) => figures(time));
  assert.match(await scrape(), /^simgate_purchases_open\{state="unknown"\} 1$/m);
  await clock.advance(4999);
  assert.match(await scrape(), /^simgate_purchases_open\{state="unknown"\} 1$/m);
  assert.equal(asked(), 1);
  await clock.advance(1);
  const text = await scrape();
  assert.match(text, /^simgate_purchases_open\{state="unknown"\} 2$/m);
  assert.match(text, /^simgate_purchases_open\{state="submitted"\} 0$/m);
  assert.match(text, /^simgate_purchases_review 1$/m);
  assert.match(text, /^simgate_purchases_oldest_open_seconds 90$/m);
  assert.equal(asked(), 2);
  assert.equal(clock.pending(), 0);
});

test('a failing database is counted; its figures are absent and all others present', async () => {
  const { clock, scrape } = stage(async (time) => {
    if (time === 2) throw new Error('away');
    return figures(time);
  });
  await scrape();
  await clock.advance(5000);
  // The failure is counted after the counter was read, so the next scrape shows it.
  const failed = await scrape();
  assert.doesNotMatch(failed, /^simgate_purchases_(?:open|review)[ {]/m);
  assert.match(failed, /^simgate_catalogue_products 12$/m);
  assert.match(failed, /^simgate_operator_purchases_in_flight\{operator="one"\} 4$/m);
  assert.match(await scrape(), /^simgate_metrics_query_failures_total 1$/m);
  await clock.advance(5000);
  assert.match(await scrape(), /^simgate_purchases_open\{state="unknown"\} 3$/m);
});

test('a hanging database is waited for one second, and not queried again in between', async () => {
  const hanging = Promise.withResolvers<UnsettledFigures>();
  const { clock, scrape, asked } = stage(() => hanging.promise);
  const first = scrape();
  await clock.advance(1000);
  const text = await first;
  assert.match(text, /^simgate_catalogue_products 12$/m);
  assert.doesNotMatch(text, /^simgate_purchases_open\{/m);
  const second = scrape();
  hanging.resolve(figures(9));
  assert.match(await second, /^simgate_purchases_open\{state="unknown"\} 9$/m);
  assert.equal(asked(), 1);
});

test('reports a suspended operator separately from one with unusable settings', async () => {
  const { scrape } = stage(async () => figures(0));
  const text = await scrape();
  assert.match(text, /^simgate_operator_suspended\{operator="one"\} 1$/m);
  assert.match(text, /^simgate_operator_settings_unusable\{operator="one"\} 0$/m);
});

test('reports waiting webhooks in seconds, and omits only them if their query fails', async () => {
  const waiting = { waiting: 3, oldestMs: 5000, overdueMs: 1500 };
  const { scrape } = stage(
    async () => figures(0),
    async () => waiting,
  );
  const text = await scrape();
  assert.match(text, /^simgate_webhook_messages_waiting 3$/m);
  assert.match(text, /^simgate_webhook_oldest_waiting_seconds 5$/m);
  assert.match(text, /^simgate_webhook_overdue_seconds 1\.5$/m);
  const failing = stage(
    async () => figures(0),
    async () => {
      throw new Error('away');
    },
  );
  const without = await failing.scrape();
  assert.doesNotMatch(without, /^simgate_webhook_/m);
  assert.match(without, /^simgate_purchases_review 1$/m);
});
