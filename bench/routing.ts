/** Measures a choice among 10,000 routes to 100 suppliers, beside a filter over all of them in the same run. */
import { utcDays } from '../src/lib/business-day.ts';
import { choose, type RouteRequest } from '../src/routing/choose.ts';
import { costOf, implicitRoute, type Route } from '../src/routing/route.ts';
import { compileRoutes } from '../src/routing/table.ts';
import { median } from './measure.ts';

const routeCount = 10_000;
const supplierCount = 100;
const operatorCount = 5;
const categoryCount = 100;
const clientCount = 500;
const mostMicroseconds = 20;
const rounds = 15;

type Table = {
  readonly about: string;
  readonly routes: readonly Route[];
  /** As many as are asked for in turn. */
  readonly products: number;
};

const suppliers = Array.from({ length: supplierCount }, (_, index) => 1 + index);

/** A route whose terms vary with its number, so that some are passed over. */
const varied = (index: number, parts: Partial<Route>): Route => ({
  ...implicitRoute(1),
  id: index + 1,
  supplierId: suppliers[index % supplierCount] ?? 0,
  cost:
    index % 3 === 0
      ? { kind: 'fixed', amount: 90_000 + (index % 20) * 1000 }
      : { kind: 'percent', percent: String((index % 40) / 10) },
  priority: 1 + (index % 4),
  weight: 1 + (index % 9),
  hours: index % 5 === 0 ? { from: 22 * 60, to: 8 * 60 } : null,
  enabled: index % 10 !== 0,
  ...parts,
});

const many = (partsOf: (index: number) => Partial<Route>): Route[] =>
  Array.from({ length: routeCount }, (_, index) => varied(index, partsOf(index)));

const tables: readonly Table[] = [
  {
    about: 'ten routes for each of 1,000 products',
    products: 1000,
    routes: many((index) => {
      const productId = 1 + Math.floor(index / 10);
      return { productId, operatorId: 1 + (productId % operatorCount) };
    }),
  },
  {
    about: 'by product, category, type and client, mixed',
    products: 1000,
    routes: many((index) => {
      const place = 1 + (Math.floor(index / 4) % 1000);
      const kind = index % 4;
      return {
        operatorId: 1 + (place % operatorCount),
        productId: kind < 2 ? place : null,
        categoryId: kind === 2 ? 1 + (place % categoryCount) : null,
        clientId: kind === 1 || kind === 3 ? `client-${place % clientCount}` : null,
        productType: kind === 3 ? 'cell_internet' : null,
      };
    }),
  },
  {
    about: 'one hundred routes for each of 100 products',
    products: 100,
    routes: many((index) => {
      const productId = 1 + Math.floor(index / supplierCount);
      return { productId, operatorId: 1 + (productId % operatorCount) };
    }),
  },
];

const requestFor = (table: Table, turn: number): RouteRequest => {
  const id = 1 + (turn % table.products);
  return {
    product: {
      id,
      operator_id: 1 + (id % operatorCount),
      type: 'cell_internet',
      categories: [{ id: 1 + (id % categoryCount) }],
    },
    clientId: `client-${turn % clientCount}`,
    price: 100_000,
    charged: 98_000,
    purchaseId: `019a0000-0000-7000-8000-${turn.toString(16).padStart(12, '0')}`,
    moment: 1_790_000_000_000 + turn,
    dayAt: utcDays,
    supplierState: (supplier) => (supplier % 17 === 0 ? 'breaker_open' : 'ready'),
    left: [],
    groupOf: () => undefined,
  };
};

/** The baseline: looks at every route, and only for the best priority. */
const filterAll = (routes: readonly Route[], request: RouteRequest): Route | undefined =>
  routes
    .filter(
      (route) =>
        route.enabled &&
        route.operatorId === request.product.operator_id &&
        (route.productId === null || route.productId === request.product.id) &&
        (route.clientId === null || route.clientId === request.clientId) &&
        (route.categoryId === null ||
          request.product.categories.some(({ id }) => id === route.categoryId)) &&
        (costOf(route.cost, request.price) ?? 0) <= request.charged &&
        request.supplierState(route.supplierId, route.id, undefined) === 'ready',
    )
    .toSorted((one, other) => one.priority - other.priority)[0];

/** Microseconds of processor time that one call takes. */
const microseconds = (calls: number, call: (turn: number) => unknown): number => {
  const before = process.cpuUsage();
  for (let turn = 0; turn < calls; turn += 1) call(turn);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
};

const measure = (table: Table): number => {
  const compiled = compileRoutes(table.routes);
  const requests = Array.from({ length: 1000 }, (_, turn) => requestFor(table, turn));
  const requestAt = (turn: number): RouteRequest =>
    requests[turn % requests.length] ?? requestFor(table, turn);
  const [ours, naive]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(microseconds(5000, (turn) => choose(compiled, requestAt(turn))));
    naive.push(microseconds(50, (turn) => filterAll(table.routes, requestAt(turn))));
  }
  const fitting = requests.reduce((sum, request) => {
    const { order, passedOver } = choose(compiled, request);
    return sum + order.length + passedOver.length;
  }, 0);
  const [choice, baseline] = [median(ours), median(naive)];
  // Other work on the machine only adds to a round.
  const fastest = Math.min(...ours);
  process.stdout.write(
    `  ${table.about.padEnd(46)} ${(fitting / requests.length).toFixed(0).padStart(4)} fit: ` +
      `${choice.toFixed(1).padStart(5)} µs, at best ${fastest.toFixed(1).padStart(5)} µs; ` +
      `a filter over all takes ${(baseline / choice).toFixed(0)} times as long\n`,
  );
  return fastest;
};

process.stdout.write(
  `${routeCount} routes to ${supplierCount} suppliers: processor time of a choice, median of ${rounds} rounds\n`,
);
const slowest = Math.max(...tables.map(measure));
if (slowest > mostMicroseconds) {
  process.stdout.write(`✖ a choice takes more than ${mostMicroseconds} µs\n`);
  process.exitCode = 1;
}
