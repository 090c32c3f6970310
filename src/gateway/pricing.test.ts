/** Tests what purchases charge: by the price list in force, once, and the same at every step. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createWorld,
  offer,
  price,
  requestOf,
  type World,
} from '../../test/support/purchase-world.ts';
import { noRules } from '../clients/rules/rules.ts';
import { GatewayError } from '../lib/errors.ts';
import { assignClient, setList, setVersion } from '../pricing/change.ts';
import { createLivePrices, type LivePrices } from '../pricing/live.ts';
import { defaultListId, type EntryTerms } from '../pricing/price-list.ts';
import { type Buying, createBuying } from '../purchases/buy.ts';
import { type Check, createCheck } from '../purchases/check/check.ts';
import type { PurchaseDeps } from '../purchases/deps.ts';
import { createRecovery, type Recovery } from '../purchases/recover.ts';
import type { Routing, Wanted } from '../purchases/routing.ts';
import { createPricing } from './pricing.ts';

const percent = (text: string, scope: Partial<EntryTerms> = {}): EntryTerms => ({
  productId: null,
  categoryId: null,
  operatorId: null,
  productType: null,
  ...scope,
  commission: { kind: 'percent', percent: text },
});

type Shop = World & {
  readonly deps: PurchaseDeps;
  readonly prices: LivePrices;
  readonly buying: Buying;
  readonly recovery: Recovery;
  readonly check: Check;
  /** Another instance writes what a list says, from now or from a moment on. */
  readonly set: (entries: readonly EntryTerms[], from?: number, listId?: number) => Promise<void>;
};

/** A world with a client of the default list. */
const openShop = async (
  balance = 10 * price,
  more: (world: World) => Partial<PurchaseDeps> = () => ({}),
): Promise<Shop> => {
  const world = await createWorld();
  await world.client('a', balance);
  const { db, databaseTime, newId } = world.deps;
  const prices = createLivePrices(db);
  await prices.reload();
  const deps = { ...world.deps, pricing: createPricing(prices), ...more(world) };
  return {
    ...world,
    deps,
    prices,
    buying: createBuying(deps),
    recovery: createRecovery(deps),
    check: createCheck(deps),
    set: async (entries, from, listId = defaultListId) => {
      const rows = entries.map((terms, index) => ({ line: index + 1, terms }));
      await db.transaction().execute(async (db) => {
        const wanted = { from: from ?? null, entries: rows };
        const done = await setVersion({ db, newId, databaseTime }, listId, wanted);
        assert.ok('list' in done, JSON.stringify(done));
      });
    },
  };
};

const statusOf = async (shop: Shop, key: string, fields = {}): Promise<number> => {
  const result = await shop.buying.buy(requestOf('a', key, fields));
  return result.kind === 'answer' ? result.answer.status : 202;
};

const postingsOf = async ({ deps }: Shop): Promise<string[]> => {
  const rows = await deps.db
    .selectFrom('postings')
    .select(['kind', 'amount'])
    .where('purchase_id', 'is not', null)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind, amount }) => `${kind} ${amount}`);
};

describe('A purchase', () => {
  test('holds and captures its price less the commission, and orders the price', async () => {
    const shop = await openShop();
    await shop.set([percent('4')]);
    assert.equal(await statusOf(shop, 'key'), 200);
    assert.deepEqual(await postingsOf(shop), ['hold 9600', 'capture 9600']);
    assert.deepEqual(await shop.accountOf('a'), { available: 10 * price - 9600, held: 0 });
    const found = await shop.find('a', 'key');
    assert.deepEqual([found?.price, found?.charged, found?.priceEntryId], [price, 9600, 1]);
    assert.equal(shop.orders[0]?.amount, price);
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  });

  test('releases and refunds what it charged, whatever the list says by then', async () => {
    const shop = await openShop();
    await shop.set([percent('4')]);
    shop.say({
      buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' }),
    });
    assert.equal(await statusOf(shop, 'failed'), 422);
    shop.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
    assert.equal(await statusOf(shop, 'reversed'), 200);
    const ref = (await shop.find('a', 'reversed'))?.id ?? '';
    await shop.clock.advance(1000);
    await shop.set([percent('50')]);
    shop.say({
      reports: async (cursor) => ({
        kind: 'reports',
        reports: cursor === '1' ? [] : [{ ref, at: 1, kind: 'reversed' }],
        cursor: '1',
      }),
    });
    await shop.recovery.readReports();
    const all = ['hold 9600', 'release 9600', 'hold 9600', 'capture 9600', 'reverse 9600'];
    assert.deepEqual(await postingsOf(shop), all);
    assert.deepEqual(await shop.accountOf('a'), { available: 10 * price, held: 0 });
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  });

  test('is affordable by what it charges, not by its price', async () => {
    const shop = await openShop(9600);
    await shop.set([percent('4')]);
    assert.equal(await statusOf(shop, 'key'), 200);
    assert.equal(await statusOf(shop, 'another'), 402);
    assert.equal((await shop.find('a', 'another'))?.charged, null);
    await shop.end();
  });

  test('is priced by the version in force when it begins, by the clock of the database', async () => {
    const shop = await openShop();
    const from = shop.clock.now() + 60_000;
    await shop.set([percent('4')], from);
    await shop.prices.reload();
    assert.equal(await statusOf(shop, 'before'), 200);
    await shop.clock.advance(59_999);
    assert.equal(await statusOf(shop, 'just before'), 200);
    await shop.clock.advance(1);
    assert.equal(await statusOf(shop, 'from then on'), 200);
    const held = (await postingsOf(shop)).filter((posting) => posting.startsWith('hold'));
    assert.deepEqual(held, ['hold 10000', 'hold 10000', 'hold 9600']);
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  });

  test('that outdated price lists have priced does not begin: it is priced again', async () => {
    const shop = await openShop();
    await shop.set([percent('4')]);
    assert.equal(await statusOf(shop, 'key'), 200);
    await shop.clock.advance(1000);
    await shop.set([percent('5')]);
    assert.equal(await statusOf(shop, 'another'), 200);
    const held = (await postingsOf(shop)).filter((posting) => posting.startsWith('hold'));
    assert.deepEqual(held, ['hold 9600', 'hold 9500']);
    await shop.end();
  });

  test('does not begin while the price lists keep changing, and takes nothing', async () => {
    const shop = await openShop();
    const buying = createBuying({
      ...shop.deps,
      pricing: createPricing({ ...shop.prices, version: () => 'old' }),
    });
    await assert.rejects(buying.buy(requestOf('a', 'key')), (error) => {
      assert.ok(error instanceof GatewayError);
      return error.code === 'OVERLOADED';
    });
    assert.equal(await shop.find('a', 'key'), undefined);
    assert.deepEqual(await postingsOf(shop), []);
    await shop.end();
  });

  test('of a personal offer has the commission of its operator and type', async () => {
    const shop = await openShop();
    await shop.set([percent('10', { operatorId: 1, productType: 'cell_internet' })]);
    const { code, type } = offer;
    const fields = { productId: 510, price: 33_000, offer: { code, type } };
    assert.equal(await statusOf(shop, 'key', fields), 200);
    assert.deepEqual(await postingsOf(shop), ['hold 29700', 'capture 29700']);
    await shop.end();
  });

  test('counts toward the daily limit with what it charges', async () => {
    const shop = await openShop();
    await shop.set([percent('50')]);
    const rules = { ...noRules, dailyLimit: 2 * price };
    for (const key of ['1', '2', '3', '4']) {
      await shop.buying.buy({ ...requestOf('a', key), rules });
    }
    await assert.rejects(
      shop.buying.buy({ ...requestOf('a', '5'), rules }),
      (error) => error instanceof GatewayError && error.code === 'DAILY_LIMIT_REACHED',
    );
    await shop.deps.db.deleteFrom('client_days').execute();
    await assert.rejects(
      shop.buying.buy({ ...requestOf('a', '5'), rules }),
      'also where the day is added up again',
    );
    await shop.end();
  });

  test('from before there were price lists has charged its price', async () => {
    const shop = await openShop();
    shop.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
    const bought = shop.buying.buy(requestOf('a', 'key'));
    await shop.clock.advance(25_000);
    await bought;
    await shop.deps.db.updateTable('purchases').set({ charged_amount: null }).execute();
    await shop.set([percent('4')]);
    shop.say({ status: async () => ({ kind: 'done', ref: 'receipt' }) });
    await shop.recovery.claim();
    await shop.recovery.whenIdle();
    assert.deepEqual(await postingsOf(shop), ['hold 10000', 'capture 10000']);
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  });
});

/** Routes of which each costs something, in this order, by suppliers that answer in turn. */
const costing = (costs: readonly (number | undefined)[], asked: Wanted[]) => (world: World) => {
  const own = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const suppliers = costs.map((_, index) => ({ ...own, id: index + 1, name: `s${index + 1}` }));
  const routing: Routing = {
    choose: (wanted) => {
      asked.push(wanted);
      return {
        candidates: suppliers
          .map((supplier, index) => {
            const cost = costs[index];
            return { supplier, routeId: supplier.id, supplierCode: null, cost };
          })
          .filter(({ supplier }) => !wanted.left.includes(supplier.id))
          .filter(({ cost }) => (cost ?? 0) <= wanted.charged),
        passedOver: [],
        version: '',
      };
    },
    renew: async () => {},
    serving: () => suppliers,
    record: () => {},
    mostSuppliers: 3,
    giveUpAfterMs: 60_000,
  };
  const byId = (id: number) => suppliers.find((one) => one.id === id);
  return { routing, registry: { ...world.deps.registry, all: suppliers, byId } };
};

describe('The cost of the route', () => {
  const outOfStock = {
    kind: 'refused',
    code: 'out_of_stock',
    blame: 'supplier',
    reason: 'none',
  } as const;

  test('is the least that a client pays, unless its list allows less', async () => {
    const shop = await openShop(10 * price, costing([9700], []));
    await shop.set([percent('4')]);
    assert.equal(await statusOf(shop, 'key'), 200);
    const { db, databaseTime, newId } = shop.deps;
    const terms = { name: 'default', parentId: null, allowBelowCost: true };
    await db
      .transaction()
      .execute((db) => setList({ db, newId, databaseTime }, defaultListId, terms));
    assert.equal(await statusOf(shop, 'another'), 200);
    const held = (await postingsOf(shop)).filter((posting) => posting.startsWith('hold'));
    assert.deepEqual(held, ['hold 9700', 'hold 9600']);
    assert.deepEqual(await shop.problems(), []);
    await shop.end();
  });

  test('is no floor where it is not known', async () => {
    const shop = await openShop(10 * price, costing([undefined], []));
    await shop.set([percent('4')]);
    assert.equal(await statusOf(shop, 'key'), 200);
    assert.deepEqual(await postingsOf(shop), ['hold 9600', 'capture 9600']);
    await shop.end();
  });

  test('of a further supplier is within what the client already pays', async () => {
    const asked: Wanted[] = [];
    const shop = await openShop(10 * price, costing([9500, 9700], asked));
    await shop.set([percent('4')]);
    await shop.prices.reload();
    shop.say({ buy: async () => outOfStock });
    assert.equal(await statusOf(shop, 'key'), 422);
    const limits = asked.map(({ left, charged }) => [left.length, charged]);
    assert.deepEqual(limits, [
      [0, price],
      [1, 9600],
    ]);
    await shop.end();
  });
});

test('A check answers what the purchase would charge', async () => {
  const shop = await openShop(9600);
  await shop.set([percent('4')]);
  await shop.prices.reload();
  const checked = await shop.check({ ...requestOf('a', 'key') });
  assert.ok(checked.kind === 'yes');
  assert.deepEqual([checked.price, checked.charged, checked.available], [price, 9600, 9600]);
  await shop.clock.advance(1000);
  await shop.set([percent('3')]);
  await shop.prices.reload();
  const dearer = await shop.check(requestOf('a', 'key'));
  assert.ok(dearer.kind === 'no' && dearer.error.code === 'INSUFFICIENT_BALANCE');
  await shop.end();
});

test('Each client pays by its own list, and another assignment counts from the next purchase on', async () => {
  const shop = await openShop();
  await shop.client('b');
  const { db, databaseTime, newId } = shop.deps;
  await shop.set([percent('4')]);
  await db.transaction().execute(async (db) => {
    const terms = { name: 'partners', parentId: defaultListId, allowBelowCost: false };
    const done = await setList({ db, newId, databaseTime }, null, terms);
    assert.ok('after' in done && done.after.id === 2);
    await assignClient({ db, newId }, 'b', 2);
  });
  await shop.set([percent('6', { productType: 'cell_internet' })], undefined, 2);
  const chargedTo = async (clientId: string, key: string, fields = {}) => {
    await shop.buying.buy(requestOf(clientId, key, fields));
    return (await shop.find(clientId, key))?.charged;
  };
  assert.equal(await chargedTo('a', '1'), 9600);
  assert.equal(await chargedTo('b', '1'), 9400);
  const topUp = { path: 'top-up', productId: 3 } as const;
  assert.equal(await chargedTo('b', '2', topUp), 9600, 'by the parent');
  await db.transaction().execute((db) => assignClient({ db, newId }, 'b', defaultListId));
  assert.equal(await chargedTo('b', '3'), 9600);
  await shop.end();
});
