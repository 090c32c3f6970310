/** Tests which suppliers an operator's products can be ordered from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { implicitRoute, type Route } from './route.ts';
import { suppliersOf } from './suppliers.ts';

const aRoute = (parts: Partial<Route>): Route => ({ ...implicitRoute(1), id: 1, ...parts });

test('an operator is its own supplier, beside those of its routes in force', () => {
  assert.deepEqual(suppliersOf([], 1, 0), [1]);
  const routes = [
    aRoute({ supplierId: 101, productId: 5 }),
    aRoute({ supplierId: 101 }),
    aRoute({ supplierId: 102, enabled: false }),
    aRoute({ supplierId: 103, validUntil: 10 }),
    aRoute({ supplierId: 104, operatorId: 2 }),
  ];
  assert.deepEqual(suppliersOf(routes, 1, 9), [1, 101, 103]);
  assert.deepEqual(suppliersOf(routes, 1, 10), [1, 101]);
});

test('an operator whose own route is off is not its supplier', () => {
  const off = aRoute({ supplierId: 1, enabled: false });
  assert.deepEqual(suppliersOf([off, aRoute({ supplierId: 101 })], 1, 0), [101]);
  assert.deepEqual(suppliersOf([{ ...off, productId: 5 }], 1, 0), [1], 'it concerns one product');
});
