/** Tests the choice of routes: what fits, what is passed over and why, priorities, and the draw by weight. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { productTypes } from '../catalogue/product.ts';
import { utcDays } from '../lib/business-day.ts';
import { choose, type RouteChoice, type RouteRequest } from './choose.ts';
import {
  costOf,
  implicitRoute,
  isOperatorWide,
  isPercent,
  passedOverCodes,
  type Route,
  type SupplierState,
  weekdays,
} from './route.ts';
import { compileRoutes } from './table.ts';

const aRoute = (parts: Partial<Route>): Route => ({
  ...implicitRoute(1),
  id: 1,
  supplierId: 11,
  priority: 10,
  ...parts,
});

const request = (parts: Partial<RouteRequest> = {}): RouteRequest => ({
  product: { id: 101, operator_id: 1, type: 'cell_internet', categories: [{ id: 3 }, { id: 4 }] },
  clientId: 'client-1',
  price: 1000,
  charged: 1000,
  purchaseId: '019a0000-0000-7000-8000-000000000001',
  moment: 0,
  dayAt: utcDays,
  supplierState: () => 'ready',
  left: [],
  groupOf: () => undefined,
  ...parts,
});

const chosen = (routes: readonly Route[], parts: Partial<RouteRequest> = {}): RouteChoice =>
  choose(compileRoutes(routes), request(parts));

const idsOf = ({ order }: RouteChoice): number[] => order.map(({ id }) => id);
const codesOf = ({ passedOver }: RouteChoice): Record<number, string> =>
  Object.fromEntries(passedOver.map(({ routeId, code }) => [routeId, code]));

/** The code of one route beside the implicit one; undefined if it may be tried. */
const codeOf = (route: Partial<Route>, parts: Partial<RouteRequest> = {}): string | undefined =>
  codesOf(chosen([aRoute(route)], parts))[1];

describe('The implicit route', () => {
  test('is the only one without stored routes, and leads to the supplier with the operator’s id', () => {
    const choice = chosen([]);
    assert.deepEqual(choice.taken, implicitRoute(1));
    assert.deepEqual(choice, { taken: choice.taken, order: [choice.taken], passedOver: [] });
  });

  test('stays beside stored routes, with priority 100', () => {
    assert.deepEqual(idsOf(chosen([aRoute({ id: 1, priority: 99 })])), [1, 0]);
    assert.deepEqual(idsOf(chosen([aRoute({ id: 1, priority: 101 })])), [0, 1]);
  });

  test('is replaced by an operator-wide route of its supplier while that is valid, also when off', () => {
    const own = { supplierId: 1, enabled: false };
    assert.deepEqual(idsOf(chosen([aRoute(own)])), []);
    assert.deepEqual(idsOf(chosen([aRoute({ ...own, validFrom: 1 })])), [0]);
    assert.deepEqual(idsOf(chosen([aRoute({ ...own, validUntil: 0 })])), [0]);
    assert.deepEqual(idsOf(chosen([aRoute({ ...own, productId: 101 })])), [0]);
    assert.deepEqual(idsOf(chosen([aRoute({ ...own, clientId: 'client-1' })])), [0]);
    assert.deepEqual(idsOf(chosen([aRoute({ ...own, operatorId: 2, supplierId: 2 })])), [0]);
  });
});

describe('A route fits', () => {
  const fitsIf = (parts: Partial<Route>): boolean => idsOf(chosen([aRoute(parts)])).includes(1);

  test('by product, category, type and client, each empty or equal', () => {
    assert.ok(fitsIf({}));
    assert.ok(fitsIf({ productId: 101, categoryId: 4, productType: 'cell_internet' }));
    assert.ok(fitsIf({ clientId: 'client-1', categoryId: 3 }));
    for (const other of [
      { operatorId: 2 },
      { productId: 102 },
      { categoryId: 5 },
      { productId: 101, categoryId: 5 },
      { productType: 'cell_direct_charge' },
      { categoryId: 3, productType: 'cell_direct_charge' },
      { clientId: 'client-2' },
      { clientId: 'client-2', productId: 101 },
    ] as const) {
      assert.ok(!fitsIf(other), JSON.stringify(other));
      assert.deepEqual(chosen([aRoute(other)]).passedOver, [], 'and is not listed otherwise');
    }
  });

  test('once, even if the product lists its category twice', () => {
    const product = { ...request().product, categories: [{ id: 3 }, { id: 3 }] };
    assert.deepEqual(idsOf(chosen([aRoute({ categoryId: 3 })], { product })), [1, 0]);
  });
});

describe('A route is passed over', () => {
  const hour = 3_600_000;
  const day = 24 * hour;

  test('while it is off or not valid', () => {
    assert.equal(codeOf({ enabled: false }), 'off');
    const dated = { validFrom: 10, validUntil: 20 };
    const codes = [9, 10, 19, 20].map((moment) => codeOf(dated, { moment }));
    assert.deepEqual(codes, ['not_valid_now', undefined, undefined, 'not_valid_now']);
  });

  test('outside of its hours, which may pass midnight', () => {
    const open = (hours: Route['hours'], minutes: readonly number[]): boolean[] =>
      minutes.map((minute) => codeOf({ hours }, { moment: minute * 60_000 }) === undefined);
    assert.deepEqual(open({ from: 60, to: 120 }, [59, 60, 119, 120]), [false, true, true, false]);
    assert.deepEqual(open({ from: 120, to: 60 }, [0, 59, 60, 119, 120, 1439]), [
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
    const longDay = { date: 0, begins: 0, ends: day + hour };
    const late = { moment: day + hour / 2, dayAt: () => longDay };
    assert.equal(codeOf({ hours: { from: 1380, to: 1440 } }, late), undefined, 'of a longer day');
  });

  test('on other weekdays; after midnight the day on which its hours began counts', () => {
    // The first day of 1970 was a Thursday.
    const on = (parts: Partial<Route>, moment: number): boolean =>
      codeOf(parts, { moment }) === undefined;
    assert.ok(
      on({ days: ['thu'] }, 0) && !on({ days: ['thu'] }, day) && !on({ days: ['thu'] }, -1),
    );
    assert.ok(on({ days: ['sun', 'fri'] }, day) && on({ days: ['sun'] }, 3 * day));
    assert.ok(on({ days: ['wed'] }, -day) && on({ days: ['thu'] }, -7 * day));
    const night = { hours: { from: 22 * 60, to: 120 }, days: ['thu'] } as const;
    const moments = [hour, 21 * hour, 23 * hour, day + hour, day + 2 * hour, day + 23 * hour];
    assert.deepEqual(
      moments.map((moment) => on(night, moment)),
      [false, false, true, true, false, false],
    );
  });

  test('for the state of its supplier, or of the route itself', () => {
    for (const state of [
      'unknown_here',
      'suspended',
      'breaker_open',
      'no_float',
      'full',
    ] as const) {
      const supplierState = (id: number): SupplierState => (id === 11 ? state : 'ready');
      assert.equal(codeOf({}, { supplierState }), state);
    }
    const closed = (_: number, id: number): SupplierState => (id === 1 ? 'route_closed' : 'ready');
    assert.equal(codeOf({}, { supplierState: closed }), 'route_closed');
  });

  test('while it is closed, unless every other is out of the question', () => {
    const routes = [aRoute({ id: 1 }), aRoute({ id: 2, supplierId: 12, priority: 20 })];
    const closed = (): SupplierState => 'route_closed';
    assert.deepEqual(idsOf(chosen(routes, { supplierState: closed })), [1, 2, 0]);
    const one = (id: number): SupplierState => (id === 12 ? 'ready' : 'route_closed');
    const choice = chosen(routes, { supplierState: one });
    assert.deepEqual(idsOf(choice), [2]);
    assert.deepEqual(codesOf(choice), { 0: 'route_closed', 1: 'route_closed' });
    const left = chosen(routes, { supplierState: one, left: [12] });
    assert.deepEqual(idsOf(left), [1, 0]);
    const dear = { cost: { kind: 'fixed', amount: 2000 } } as const;
    const dearer = chosen([aRoute({ id: 1, ...dear })], { supplierState: closed });
    assert.deepEqual([idsOf(dearer), codesOf(dearer)], [[0], { 1: 'dearer' }]);
  });

  test('if it costs more than the client pays, unless it may', () => {
    const fixed = { cost: { kind: 'fixed', amount: 901 } } as const;
    const percent = { cost: { kind: 'percent', percent: '9.95' } } as const;
    assert.equal(codeOf(fixed, { charged: 900 }), 'dearer');
    assert.equal(codeOf(fixed, { charged: 901 }), undefined);
    assert.equal(codeOf(percent, { charged: 900 }), 'dearer', '900.5 is rounded up');
    assert.equal(codeOf(percent, { charged: 901 }), undefined);
    assert.equal(codeOf({ ...fixed, allowDearer: true }, { charged: 900 }), undefined);
    assert.equal(codeOf({}, { charged: 1 }), undefined, 'an unknown cost is not dearer');
  });

  test('if its supplier was tried before, or one of the same group', () => {
    const groupOf = (id: number): string | undefined => (id > 10 ? 'shared' : undefined);
    assert.equal(codeOf({}, { left: [11] }), 'tried_before');
    assert.equal(codeOf({}, { left: [12], groupOf }), 'same_group');
    assert.equal(codeOf({}, { left: [2], groupOf }), undefined);
  });

  test('if a better one leads to the same supplier or group', () => {
    const routes = [
      aRoute({ id: 1, priority: 2 }),
      aRoute({ id: 2, priority: 1 }),
      aRoute({ id: 3, priority: 3, supplierId: 12 }),
    ];
    const groupOf = (id: number): string | undefined => (id > 10 ? 'shared' : undefined);
    const choice = chosen(routes, { groupOf });
    assert.deepEqual(idsOf(choice), [2, 0]);
    assert.deepEqual(codesOf(choice), { 1: 'same_supplier', 3: 'same_group' });
  });
});

test('priority decides before a narrow scope and before a client’s own route', () => {
  const routes = [
    aRoute({ id: 1, supplierId: 11, priority: 3, productId: 101 }),
    aRoute({ id: 2, supplierId: 12, priority: 2, clientId: 'client-1' }),
    aRoute({ id: 3, supplierId: 13, priority: 1 }),
  ];
  assert.deepEqual(idsOf(chosen(routes)), [3, 2, 1, 0]);
});

describe('The draw', () => {
  const purchases = Array.from({ length: 10_000 }, (_, index) => `purchase-${index}`);
  const weights = [1, 2, 5, 12];
  const routes = weights.map((weight, index) =>
    aRoute({ id: index + 1, supplierId: 11 + index, weight }),
  );
  const takenBy = (table: readonly Route[]): number[] => {
    const compiled = compileRoutes(table);
    return purchases.map((purchaseId) => choose(compiled, request({ purchaseId })).taken?.id ?? -1);
  };

  test('gives each route its share by weight, first and after the first has failed', () => {
    const taken = takenBy(routes);
    for (const [index, weight] of weights.entries()) {
      const share = taken.filter((id) => id === index + 1).length / purchases.length;
      assert.ok(Math.abs(share - weight / 20) < 0.015, `${weight} of 20: ${share}`);
    }
    const compiled = compileRoutes(routes);
    const second = purchases.map(
      (purchaseId) => choose(compiled, request({ purchaseId, left: [14] })).taken?.id,
    );
    for (const [index, weight] of weights.slice(0, 3).entries()) {
      const share = second.filter((id) => id === index + 1).length / purchases.length;
      assert.ok(Math.abs(share - weight / 8) < 0.02, `${weight} of 8: ${share}`);
    }
  });

  test('moves purchases only to a route that is added, by its share', () => {
    const before = takenBy(routes);
    const after = takenBy([...routes, aRoute({ id: 9, supplierId: 19, weight: 5 })]);
    const moved = after.filter((id, index) => id !== before[index]);
    assert.ok(moved.every((id) => id === 9));
    assert.ok(Math.abs(moved.length / purchases.length - 5 / 25) < 0.015, `${moved.length}`);
  });
});

describe('A percentage', () => {
  test('has at most four decimals and is at most 100', () => {
    for (const text of ['0', '2.5', '99.9999', '100', '100.0000']) assert.ok(isPercent(text), text);
    for (const text of ['', '-1', '100.0001', '1.', '.5', '1.00001', '1e1', ' 1']) {
      assert.ok(!isPercent(text), text);
    }
  });

  test('gives the exact cost, rounded half up', () => {
    const price = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 1_000_000 }), (amount, steps) => {
        const percent = (steps / 10_000).toFixed(4);
        const exact = (BigInt(amount) * BigInt(1_000_000 - steps) * 2n + 1_000_000n) / 2_000_000n;
        assert.equal(costOf({ kind: 'percent', percent }, amount), Number(exact));
      }),
    );
    assert.equal(costOf({ kind: 'percent', percent: '2.5' }, 330_000), 321_750);
    assert.equal(costOf({ kind: 'fixed', amount: 7 }, 330_000), 7);
    assert.equal(costOf({ kind: 'none' }, 330_000), undefined);
  });
});

describe('Of any routes and any request', () => {
  const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 2 });
  const few = fc.integer({ min: 1, max: 3 });
  const type = fc.constantFrom(...productTypes);
  const terms = fc.record({
    operatorId: fc.integer({ min: 1, max: 2 }),
    productId: orNull(few),
    categoryId: orNull(few),
    productType: orNull(type),
    clientId: orNull(fc.constantFrom('a', 'b')),
    supplierId: fc.integer({ min: 1, max: 6 }),
    productCode: fc.constant(null),
    cost: fc.oneof(
      fc.constant({ kind: 'none' } as const),
      fc.record({ kind: fc.constant('fixed' as const), amount: fc.nat({ max: 200 }) }),
      fc.record({
        kind: fc.constant('percent' as const),
        percent: fc.nat({ max: 100 }).map(String),
      }),
    ),
    allowDearer: fc.boolean(),
    priority: few,
    weight: few,
    hours: orNull(fc.constantFrom({ from: 60, to: 600 }, { from: 900, to: 300 })),
    days: fc.subarray([...weekdays]),
    validFrom: orNull(fc.nat({ max: 500_000_000 })),
    validUntil: orNull(fc.nat({ max: 900_000_000 })),
    enabled: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.boolean()),
  });
  const tables = fc
    .array(terms, { maxLength: 12 })
    .map((rows) => rows.map((row, index): Route => ({ ...row, id: index + 1 })));
  const states: readonly SupplierState[] = ['ready', 'ready', 'ready', 'suspended', 'route_closed'];
  const requests = fc
    .record({
      product: fc.record({
        id: few,
        operator_id: fc.integer({ min: 1, max: 2 }),
        type,
        categories: fc.uniqueArray(few).map((ids) => ids.map((id) => ({ id }))),
      }),
      clientId: fc.constantFrom('a', 'b', 'c'),
      price: fc.integer({ min: 1, max: 200 }),
      charged: fc.integer({ min: 1, max: 200 }),
      purchaseId: fc.uuid({ version: 7 }),
      moment: fc.nat({ max: 1_000_000_000 }),
      left: fc.subarray([1, 2, 3, 4, 5, 6], { maxLength: 2 }),
      states: fc.array(fc.constantFrom(...states), { minLength: 6, maxLength: 6 }),
      groups: fc.array(fc.constantFrom('x', 'y', undefined, undefined), {
        minLength: 6,
        maxLength: 6,
      }),
    })
    .map(({ states: stateOf, groups, ...parts }) =>
      request({
        ...parts,
        supplierState: (id) => stateOf[id - 1] ?? 'ready',
        groupOf: (id) => groups[id - 1],
      }),
    );

  const fitsScope = (route: Route, { product, clientId }: RouteRequest): boolean =>
    route.operatorId === product.operator_id &&
    [null, product.id].includes(route.productId) &&
    [null, product.type].includes(route.productType) &&
    [null, clientId].includes(route.clientId) &&
    [null, ...product.categories.map(({ id }) => id)].includes(route.categoryId);

  const holds = (property: (routes: readonly Route[], wanted: RouteRequest) => void): void =>
    fc.assert(fc.property(tables, requests, property), { numRuns: 100 });

  test('the same gives the same, whatever the order of the routes', () => {
    holds((routes, wanted) => {
      const choice = choose(compileRoutes(routes), wanted);
      assert.deepEqual(choose(compileRoutes(routes), wanted), choice);
      const other = choose(compileRoutes(routes.toReversed()), wanted);
      assert.deepEqual(other.order, choice.order);
      assert.deepEqual(codesOf(other), codesOf(choice));
    });
  });

  test('each route that fits is in the order or has one code, and no other is mentioned', () => {
    holds((routes, wanted) => {
      const { order, passedOver } = choose(compileRoutes(routes), wanted);
      const named = [...order.map(({ id }) => id), ...passedOver.map(({ routeId }) => routeId)];
      const fitting = routes.filter((route) => fitsScope(route, wanted)).map(({ id }) => id);
      const stored = named.filter((id) => id !== 0);
      assert.deepEqual(
        stored.toSorted((one, next) => one - next),
        fitting,
      );
      assert.ok(named.length - stored.length <= 1, 'the implicit one at most once');
      for (const { code } of passedOver) assert.ok(passedOverCodes.includes(code));
    });
  });

  test('each in the order may be tried: on, valid, ready, not dearer, neither tried before nor its group', () => {
    holds((routes, wanted) => {
      const { taken, order } = choose(compileRoutes(routes), wanted);
      assert.equal(taken, order[0]);
      // Closed ones are in an order only without any other.
      const expected = taken && wanted.supplierState(taken.supplierId, taken.id, undefined);
      assert.ok([undefined, 'ready', 'route_closed'].includes(expected));
      const leftGroups = new Set(wanted.left.map(wanted.groupOf));
      for (const route of order) {
        const { supplierId, validFrom, validUntil, allowDearer, cost } = route;
        assert.ok(route.enabled && (route.id === 0 || fitsScope(route, wanted)));
        assert.ok((validFrom ?? 0) <= wanted.moment && wanted.moment < (validUntil ?? Infinity));
        assert.equal(wanted.supplierState(supplierId, route.id, undefined), expected);
        assert.ok(allowDearer || (costOf(cost, wanted.price) ?? 0) <= wanted.charged);
        assert.ok(!wanted.left.includes(supplierId));
        const group = wanted.groupOf(supplierId);
        assert.ok(group === undefined || !leftGroups.has(group));
      }
    });
  });

  test('the order has each supplier and each group once, and the best priority first', () => {
    holds((routes, wanted) => {
      const { order } = choose(compileRoutes(routes), wanted);
      const suppliers = order.map(({ supplierId }) => supplierId);
      const groups = suppliers.flatMap((id) => wanted.groupOf(id) ?? []);
      assert.equal(new Set(suppliers).size, suppliers.length);
      assert.equal(new Set(groups).size, groups.length);
      const priorities = order.map(({ priority }) => priority);
      assert.deepEqual(
        priorities,
        priorities.toSorted((one, next) => one - next),
      );
    });
  });

  test('removing one that is not taken changes nothing about the one that is', () => {
    holds((routes, wanted) => {
      const { taken } = choose(compileRoutes(routes), wanted);
      for (const removed of routes) {
        // Without it the implicit route would be back.
        const replaces = isOperatorWide(removed) && removed.supplierId === removed.operatorId;
        if (removed.id === taken?.id || replaces) continue;
        const rest = routes.filter((route) => route !== removed);
        assert.deepEqual(choose(compileRoutes(rest), wanted).taken, taken);
      }
    });
  });
});
