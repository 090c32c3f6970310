/** Tests that any instance settles the purchases of test clients, as their numbers promise, and asks no operator. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWorld, price, productOf, requestOf } from '../../../test/support/purchase-world.ts';
import { suppliersIn } from '../../operators/registry.ts';
import { openTestSuppliers } from '../../operators/simulator/test-connection.ts';
import { createBuying } from '../buy.ts';
import type { PurchaseDeps } from '../deps.ts';
import { isOpen } from '../purchase.ts';
import { createRecovery, keepRecovering, takeOver } from '../recover.ts';
import { enterNext, othersOf } from '../suppliers.ts';
import { createTestOrders } from './store.ts';

type World = Awaited<ReturnType<typeof createWorld>>;

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

const operators = [{ id: 1, name: 'operator_1', connector: 'told', settings: {} }];

/** One of several instances on the database: nothing but that is shared. */
const instance = ({ deps }: World): PurchaseDeps => {
  const { clock, newId, random, call } = deps;
  const orders = createTestOrders(deps.db, deps.databaseTime);
  const tests = openTestSuppliers(operators, orders, (operatorId) => ({
    operatorId,
    clock,
    newId,
    random,
    call,
  }));
  return {
    ...deps,
    registry: { ...deps.registry, tests },
    catalogue: () => ({
      product: (id) => productOf({ id, sim_card_type: id === 1 ? 'credit' : 'permanent' }),
    }),
  };
};

/** The same, killed while an order is on its way. */
const killed = (deps: PurchaseDeps): PurchaseDeps => ({
  ...deps,
  call: (ms, exchange, about) =>
    about?.kind === 'order' ? new Promise(() => {}) : deps.call(ms, exchange, about),
});

const testClient = async (id: string): Promise<string> => {
  await world.client(id);
  await world.deps.db.updateTable('clients').set({ test: 1 }).where('id', '=', id).execute();
  return id;
};

const mobileOf = (ending: string): string => `9891212345${ending}`;
const requestFor = (client: string, ending: string) => ({
  ...requestOf(client, ending, {
    mobile: mobileOf(ending),
    productId: Number(ending) % 2 === 0 ? 1 : 2,
  }),
  test: true,
});

const recoverFor = async (deps: PurchaseDeps, ms: number): Promise<void> => {
  const recovery = createRecovery(deps);
  const stop = keepRecovering(deps, recovery);
  await world.clock.advance(ms);
  await Promise.all([stop(), world.clock.advance(10_000)]);
  await recovery.whenIdle();
};

/** How each ends without the answer to its order, and what is left of its price. */
const endings = {
  '00': ['succeeded', 'paid'],
  '90': ['failed', 'back'],
  '92': ['succeeded', 'paid'],
  '93': ['succeeded', 'paid'],
  '94': ['failed', 'back'],
  '95': ['succeeded', 'paid'],
  '96': ['failed', 'back'],
  '97': ['succeeded', 'paid'],
  '98': ['review', 'held'],
  '99': ['reversed', 'back'],
} as const;

const moneyBy = {
  paid: { available: 9 * price, held: 0 },
  back: { available: 10 * price, held: 0 },
  held: { available: 9 * price, held: price },
} as const;

test('another instance settles what a killed one began, and no operator hears of it', async () => {
  const gone = killed(instance(world));
  const buying = createBuying(gone);
  for (const ending of Object.keys(endings)) {
    void buying.buy(requestFor(await testClient(`killed ${ending}`), ending));
  }
  await world.clock.advance(0);
  await recoverFor(instance(world), 90_000);
  for (const [ending, [state, money]] of Object.entries(endings)) {
    const client = `killed ${ending}`;
    const found = await world.find(client, ending);
    assert.deepEqual([found?.state, found?.supplierId, found?.operatorId], [state, -1, 1], ending);
    assert.deepEqual(await world.accountOf(client), moneyBy[money], ending);
  }
  assert.deepEqual([world.orders, world.asked], [[], []]);
  assert.deepEqual(await world.problems(), []);
});

test('a server that takes over a file has the same times for the simulator', async () => {
  const client = await testClient('taken over');
  void createBuying(killed(instance(world))).buy(requestFor(client, '00'));
  await world.clock.advance(0);
  const { fence = 0 } = (await world.find(client, '00')) ?? {};
  await takeOver(instance(world));
  const after = await world.find(client, '00');
  assert.deepEqual([after?.fence, after?.dueAt], [fence + 1, world.clock.now()]);
});

test('an instance answers as the number promises, where it is not killed', async () => {
  const deps = instance(world);
  const buying = createBuying(deps);
  const answered = async (ending: string, ms: number) => {
    const client = await testClient(`answered ${ending}`);
    const bought = buying.buy(requestFor(client, ending));
    await world.clock.advance(ms);
    const result = await bought;
    return result.kind === 'answer' ? result.answer.status : result.kind;
  };
  assert.equal(await answered('00', 0), 200);
  assert.equal(await answered('90', 0), 422);
  assert.equal(await answered('91', 0), 422);
  assert.equal(await answered('92', 3000), 200);
  assert.deepEqual([world.orders, world.asked], [[], []]);
});

test('no other supplier is asked or ordered from, whatever the routes are', async () => {
  const plain = instance(world);
  const [supplier] = plain.registry.all;
  assert.ok(supplier !== undefined);
  const other = { ...supplier, id: 2 };
  const candidates = [supplier, other].map((one) => ({
    supplier: one,
    routeId: null,
    supplierCode: null,
    cost: undefined,
  }));
  const deps: PurchaseDeps = {
    ...plain,
    routing: {
      choose: ({ left }) => ({
        candidates: candidates.filter((one) => !left.includes(one.supplier.id)),
        passedOver: [],
        version: '',
      }),
      renew: async () => {},
      serving: () => [supplier, other],
      record: () => {},
      mostSuppliers: 3,
      giveUpAfterMs: 60_000,
    },
  };
  const client = await testClient('routed');
  void createBuying(killed(deps)).buy(requestFor(client, '88'));
  await world.clock.advance(0);
  const found = await world.find(client, '88');
  assert.ok(found !== undefined && isOpen(found));
  assert.deepEqual([found.supplierId, othersOf(deps, found)], [-1, []]);
  assert.equal(enterNext(deps, found), undefined);
  const live = { ...found, supplierId: 1 };
  assert.deepEqual(
    othersOf(deps, live).map((one) => one.supplier.id),
    [2],
  );
  const next = enterNext(deps, live);
  assert.equal(next?.supplier.id, 2);
  next.leave();
});

test("a client's own purchases go to the operator", async () => {
  const deps = instance(world);
  await world.client('live');
  const result = await createBuying(deps).buy(requestOf('live', 'key'));
  assert.equal(result.kind, 'answer');
  assert.equal(world.orders.length, 1);
  assert.equal((await world.find('live', 'key'))?.supplierId, 1);
  assert.deepEqual(
    suppliersIn(deps.registry).map(({ id }) => id),
    [1, -1],
  );
});
