/** Tests that routes whose orders fail are passed over, as long as there is another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createWorld, productOf } from '../../test/support/purchase-world.ts';
import { readConfig } from '../config/config.ts';
import { utcDays } from '../lib/business-day.ts';
import { implicitRoute } from '../routing/route.ts';
import { compileRoutes } from '../routing/table.ts';
import { createRouting, watchRoutes } from './routing.ts';

test('a supplier that fails gets single probes, and everything when there is no other', async () => {
  const world = await createWorld();
  const clock = manualClock();
  const own = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const suppliers = [own, { ...own, id: 101 }];
  const first = { ...implicitRoute(1), id: 7, supplierId: 101, priority: 1 };
  const table = compileRoutes([first]);
  const config = readConfig({});
  const logged: string[] = [];
  const log = (...[, text]: readonly unknown[]): void => void logged.push(String(text));
  const routing = createRouting({
    floats: { covers: () => true },
    ...config.routing,
    routes: { table: () => table, all: () => [first], version: () => '', reload: async () => {} },
    registry: { ...world.deps.registry, byId: (id) => suppliers.find((one) => one.id === id) },
    health: watchRoutes(config.routeHealth, clock, { info: log, warn: log }),
    clock,
    dayAt: utcDays,
  });
  const choose = (left: readonly number[] = []) =>
    routing.choose({
      product: productOf({ id: 101 }),
      clientId: 'a',
      test: false,
      price: 1000,
      charged: 1000,
      purchaseId: '019a0000-0000-7000-8000-000000000001',
      left,
    });
  const taken = (left?: readonly number[]): number | undefined =>
    choose(left).candidates[0]?.supplier.id;
  const record = (end: 'delivered' | 'failed'): void =>
    routing.record({ supplierId: 101, routeId: 7 }, end);

  for (let order = 0; order < 20; order += 1) {
    assert.equal(taken(), 101);
    record('failed');
  }
  assert.deepEqual(choose().passedOver, [{ route: 7, supplier: 101, code: 'route_closed' }]);
  assert.equal(taken(), 1);
  assert.equal(taken([1]), 101, 'better than none');
  await clock.advance(30_000);
  assert.deepEqual([taken(), taken(), taken()], [101, 1, 1], 'one probe');
  for (let probe = 0; probe < 3; probe += 1) record('delivered');
  assert.deepEqual([taken(), taken()], [101, 101]);
  assert.deepEqual(logged, [
    'too many orders of a route failed: it is closed',
    'a route delivers again',
  ]);
  await world.end();
});
