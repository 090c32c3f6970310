/** Tests when a route is closed because its orders fail, and how probes open it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createRouteHealth, type OrderEnd } from './health.ts';

const settings = {
  windowMs: 10_000,
  leastOrders: 4,
  failedPercent: 50,
  closedMs: 5000,
  probes: 2,
};
const route = { routeId: 7, supplierId: 101 };
const other = { routeId: 8, supplierId: 101 };

const watch = () => {
  const clock = manualClock();
  const changes: string[] = [];
  const health = createRouteHealth({
    clock,
    settings,
    changed: ({ routeId }, state) => changes.push(`${routeId} ${state}`),
  });
  const record = (end: OrderEnd, count = 1): void => {
    for (let done = 0; done < count; done += 1) health.record(route, end);
  };
  return { clock, changes, health, record };
};

test('a route is closed when half of at least four orders failed, and no other is', () => {
  const { health, record, changes } = watch();
  record('failed', 3);
  assert.ok(health.admits(route), 'three are too few to judge');
  record('delivered', 4);
  record('failed');
  assert.equal(health.state(route), 'closed');
  assert.deepEqual([health.admits(route), health.admits(other)], [false, true]);
  assert.deepEqual([health.countClosed(101), health.countClosed(102)], [1, 0]);
  assert.deepEqual(changes, ['7 closed']);
});

test('failures older than the window do not count', async () => {
  const { clock, health, record } = watch();
  record('failed', 3);
  await clock.advance(10_001);
  record('failed');
  assert.ok(health.admits(route));
});

test('a closed route gets one probe a second after its pause, and opens after two deliveries', async () => {
  const { clock, health, record, changes } = watch();
  record('failed', 4);
  await clock.advance(4999);
  assert.ok(!health.admits(route));
  await clock.advance(1);
  assert.equal(health.state(route), 'probing');
  assert.ok(health.admits(route));
  health.take(route);
  assert.ok(!health.admits(route), 'the next purchases take another route');
  record('delivered');
  await clock.advance(1000);
  assert.ok(health.admits(route));
  assert.equal(health.countClosed(101), 1);
  record('delivered');
  assert.equal(health.state(route), 'open');
  assert.deepEqual(changes, ['7 closed', '7 open']);
});

test('a probe that fails closes the route again', async () => {
  const { clock, health, record, changes } = watch();
  record('failed', 4);
  await clock.advance(5000);
  record('delivered');
  record('failed');
  assert.equal(health.state(route), 'closed');
  await clock.advance(5000);
  assert.ok(health.admits(route));
  assert.deepEqual(changes, ['7 closed', '7 closed']);
});

test('a route never stays closed for good', async () => {
  const steps = fc.array(
    fc.record({ end: fc.constantFrom<OrderEnd>('delivered', 'failed'), ms: fc.nat(6000) }),
  );
  await fc.assert(
    fc.asyncProperty(steps, async (ends) => {
      const { clock, health, record } = watch();
      for (const { end, ms } of ends) {
        if (health.admits(route)) health.take(route);
        record(end);
        await clock.advance(ms);
      }
      await clock.advance(settings.closedMs);
      assert.ok(health.admits(route));
    }),
    { numRuns: 100 },
  );
});
