/** Tests that the sums of what was sold equal a second computation, whatever fails in between. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import {
  liftConstraints,
  openBesideTest,
  openTestDatabase,
  type TestDatabase,
} from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/live.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { purchaseRequestOf } from '../../../test/support/purchase-world.ts';
import type { Db } from '../../db/types.ts';
import { openAccount, writePostings } from '../../ledger/store.ts';
import { daysIn } from '../../lib/business-day.ts';
import { formatDay, readDay } from '../../lib/calendar-day.ts';
import { verifyFloats } from '../floats/verify.ts';
import { begin } from '../purchase.ts';
import { addStats } from '../stats/store.ts';
import { noCounts } from '../stats/tally.ts';
import { insertPurchases } from '../store.ts';
import { type CountDeps, countEveryMs, countRound, startCounting } from './count.ts';
import { type Dimension, dimensions, type Period } from './report/query.ts';
import { readRefused } from './report/refused.ts';
import { readGroups, readReport, textOfKey } from './report/report.ts';
import { readProgress } from './store.ts';
import { noSums, type Sums, sumKinds } from './sums.ts';
import { verifySales } from './verify/verify.ts';

let database: TestDatabase;
/** Two instances on one database; one server on a file. */
let instances: readonly Db[];
before(async () => {
  database = await openTestDatabase();
  const { DATABASE_URL: url } = database.env;
  instances = [database.db, url === undefined ? database.db : openBesideTest(url).db];
});
after(() => database.close());

const clients = ['a', 'b', 'c'];
const zones = ['UTC', 'Asia/Tehran', 'America/New_York'];
const balance = 1_000_000_000;
const start = Date.UTC(2026, 0, 30, 20);

const forget = async (): Promise<void> => {
  const { db } = database;
  for (const table of [
    'sales',
    'supplier_costs',
    'chain_ends',
    'chain_moves',
    'chain_breaks',
    'sales_cursors',
    'sales_zones',
    'postings',
    'purchases',
    'accounts',
    'clients',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  for (const id of clients) {
    const client = { id, name: id, status: 'active', created_at: 0, test: 0 } as const;
    await db.insertInto('clients').values(client).execute();
    await openAccount(db, id);
    await writePostings(db, id, [{ kind: 'deposit', amount: balance }], start);
  }
};

let made = 0;
const terms = { sendBefore: 1, quietAt: 1, dueAt: 1 };

type Bought = {
  readonly clientId: string;
  readonly productId: number;
  readonly operatorId: number;
  readonly price: number;
  readonly commission?: number;
  /** Null or absent where it is not known. */
  readonly cost?: number | null;
  readonly supplierId?: number | null;
};

const chargedFor = ({ price, commission = 0 }: Bought): number => price - commission;

const reversalOf = (bought: Bought, purchaseId: string) =>
  ({
    kind: 'reverse',
    amount: chargedFor(bought),
    purchaseId,
    supplierId: bought.supplierId ?? null,
    cost: typeof bought.cost === 'number' ? 0 - bought.cost : null,
  }) as const;

/** A purchase with its postings; returns its id. */
const buy = async (bought: Bought, end: 'capture' | 'release', at: number): Promise<string> => {
  made += 1;
  const purchaseId = `purchase ${made}`;
  const { clientId, cost = null, supplierId = null } = bought;
  const amount = chargedFor(bought);
  await database.db.transaction().execute(async (db) => {
    const request = purchaseRequestOf({ ...bought, id: purchaseId });
    await insertPurchases(db, [begin(request, at, terms).after]);
    const of = { amount, purchaseId };
    const ended = end === 'capture' ? { kind: end, ...of, cost, supplierId } : { kind: end, ...of };
    await writePostings(db, clientId, [{ kind: 'hold', ...of }, ended], at);
  });
  return purchaseId;
};

const depsOf = (db: Db, more: Partial<CountDeps> = {}): CountDeps => ({
  db,
  clock: manualClock(),
  retryLocked: (work) => work(),
  log: { error: () => {} },
  timeZone: async () => 'UTC',
  ...more,
});

const countAll = async (deps: CountDeps): Promise<void> => {
  while ((await countRound(deps)).left > 0);
};

/** The process dies after a number of statements: what it had not committed is gone. */
const dyingAfter = (db: Db, statements: number): Db => {
  let left = statements;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      left -= 1;
      if (left < 0) throw new Error('The process died.');
      return result;
    },
  };
  return db.withPlugin(plugin);
};

/** The database is restored to before these purchases. */
const loseBought = async (clientId: string): Promise<void> => {
  const { db } = database;
  await db.deleteFrom('postings').where('client_id', '=', clientId).where('seq', '>', 1).execute();
  await db.deleteFrom('purchases').where('client_id', '=', clientId).execute();
  const account = { seq: 1, available: balance };
  await db.updateTable('accounts').set(account).where('client_id', '=', clientId).execute();
};

test('a restore during a round leaves nothing uncounted that is sold after it', async () => {
  await forget();
  const sale = { clientId: 'a', productId: 1, operatorId: 1, price: 1000 };
  await buy(sale, 'capture', start);
  const restoredBefore = (batch: number) => {
    let left = batch;
    return async <T>(work: () => Promise<T>): Promise<T> => {
      if (left === 0) await loseBought('a');
      left -= 1;
      return work();
    };
  };
  await countRound(depsOf(database.db, { retryLocked: restoredBefore(1) }));
  await buy(sale, 'capture', start);
  await countAll(depsOf(database.db));
  const { sales, problems } = await verifySales(database.db);
  assert.deepEqual([sales, problems], [1, []]);
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      clientId: fc.constantFrom(...clients),
      productId: fc.integer({ min: 1, max: 3 }),
      operatorId: fc.integer({ min: 1, max: 2 }),
      price: fc.integer({ min: 1000, max: 1_000_000 }),
      commission: fc.integer({ min: 0, max: 999 }),
      cost: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { freq: 3 }),
      supplierId: fc.option(fc.integer({ min: 101, max: 103 }), { freq: 3 }),
      end: fc.constantFrom('capture', 'capture', 'release'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 40 * 3_600_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('zone' as const), zone: fc.constantFrom(...zones) }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'count' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('die' as const),
      after: fc.integer({ min: 0, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lost answer' as const }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Sale = Bought & { readonly id: string };

/** What the steps have done, apart from the database. */
type World = {
  now: number;
  zone: string;
  readonly sales: Sale[];
  readonly reversed: Sale[];
  readonly failed: Sale[];
};

// Few, so that a past takes several rounds, and a death leaves a client half counted.
const most = 3;

const runStep = async (world: World, one: Step): Promise<void> => {
  const deps = (db: Db): CountDeps => depsOf(db, { timeZone: async () => world.zone });
  switch (one.kind) {
    case 'buy': {
      const { kind: _, end, ...bought } = one;
      const id = await buy(bought, end, world.now);
      (end === 'capture' ? world.sales : world.failed).push({ ...bought, id });
      return;
    }
    case 'reverse': {
      const left = world.sales.filter((sale) => !world.reversed.includes(sale));
      const sale = left[one.which % Math.max(left.length, 1)];
      if (sale === undefined) return;
      await database.db
        .transaction()
        .execute((db) => writePostings(db, sale.clientId, [reversalOf(sale, sale.id)], world.now));
      world.reversed.push(sale);
      return;
    }
    case 'wait':
      world.now += one.ms;
      return;
    case 'zone':
      world.zone = one.zone;
      return;
    case 'count':
      // Both at once, as instances do.
      await Promise.all(instances.map((db) => countRound(deps(db), { most })));
      return;
    case 'die':
      await Promise.allSettled([
        countRound(deps(dyingAfter(database.db, one.after)), { most }),
        countRound(deps(instances[1] ?? database.db), { most }),
      ]);
      return;
    case 'lost answer':
      // It is committed, and the process that did it does not know.
      await countRound(
        {
          ...deps(database.db),
          retryLocked: async (work) => {
            await work();
            throw new Error('The connection broke.');
          },
        },
        { most },
      ).catch(() => {});
  }
};

type Expected = Map<string, Sums>;

const add = (to: Expected, key: readonly unknown[], more: Partial<Sums>): void => {
  const sums = to.get(key.join(' ')) ?? noSums();
  for (const kind of sumKinds) sums[kind] += more[kind] ?? 0;
  to.set(key.join(' '), sums);
};

/** What a sale adds when it is captured, and when it is reversed. */
const sumsOf = ({
  price,
  charged,
  cost,
}: {
  readonly price: number;
  readonly charged: number;
  readonly cost: number | null | undefined;
}): { readonly capture: Partial<Sums>; readonly reverse: Partial<Sums> } => {
  const sold = { sold: 1, sold_price: price, sold_amount: charged };
  const reversed = { reversed: 1, reversed_price: price, reversed_amount: charged };
  return cost === null || cost === undefined
    ? {
        capture: { ...sold, sold_uncosted: 1, sold_uncosted_amount: charged },
        reverse: { ...reversed, reversed_uncosted: 1, reversed_uncosted_amount: charged },
      }
    : {
        capture: { ...sold, sold_cost: cost },
        reverse: { ...reversed, reversed_cost: Math.max(cost, 0 - cost) },
      };
};

const sumsOfSale = (sale: Bought) =>
  sumsOf({ price: sale.price, charged: chargedFor(sale), cost: sale.cost });

/** The sums by day as the postings have them, without SQL that adds, and without the code that counts. */
const recompute = async (by: readonly Dimension[]): Promise<Expected> => {
  const { db } = database;
  const purchases = new Map(
    (await db.selectFrom('purchases').selectAll().execute()).map((one) => [one.id, one]),
  );
  const zonesOf = await db.selectFrom('sales_zones').selectAll().orderBy('after_seq').execute();
  const expected: Expected = new Map();
  for (const posting of await db.selectFrom('postings').selectAll().execute()) {
    const { kind, cost } = posting;
    if (kind !== 'capture' && kind !== 'reverse' && kind !== 'release') continue;
    const purchase = purchases.get(posting.purchase_id ?? '') ?? assert.fail();
    const zone = zonesOf.findLast(
      (one) => one.client_id === posting.client_id && one.after_seq < posting.seq,
    );
    const [timeZone, rules] = zone?.time_zone.split(' ') ?? assert.fail('it has no time zone');
    assert.equal(rules, process.versions['tz']);
    const place = {
      day: readDay(new Date(posting.at).toLocaleDateString('sv-SE', { timeZone })),
      client: posting.client_id,
      product: purchase.product_id,
      operator: purchase.operator_id,
      supplier: posting.supplier_id ?? purchase.supplier_id ?? 0,
    };
    const key = by.map((dimension) => place[dimension]);
    const sums = sumsOf({ price: purchase.amount, charged: posting.amount, cost });
    add(expected, key, kind === 'release' ? { failed: 1 } : sums[kind]);
  }
  return expected;
};

const pairs = dimensions.flatMap((one, index) =>
  dimensions.slice(index + 1).map((other) => [one, other] as const),
);

const all: Period = { from: readDay('2025-11-15') ?? 0, to: readDay('2026-10-20') ?? 0 };

const readAs = async (by: readonly Dimension[], period = all): Promise<Expected> => {
  const groups = await readGroups(database.db, { period, by });
  return new Map(
    [...groups.values()].map(({ key, sums }) => [by.map((one) => key[one]).join(' '), sums]),
  );
};

test('any history with deaths, lost answers and two instances adds up to its postings, to the unit', async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await forget();
      const world: World = {
        now: start,
        zone: 'Asia/Tehran',
        sales: [],
        reversed: [],
        failed: [],
      };
      for (const one of steps) {
        reached.add(one.kind);
        await runStep(world, one);
      }
      await countAll(depsOf(database.db, { timeZone: async () => world.zone }));

      for (const by of pairs) assert.deepEqual(await readAs(by), await recompute(by), by.join());
      const totals: Expected = new Map();
      for (const sale of world.sales) add(totals, [sale.clientId], sumsOfSale(sale).capture);
      for (const sale of world.reversed) add(totals, [sale.clientId], sumsOfSale(sale).reverse);
      for (const sale of world.failed) add(totals, [sale.clientId], { failed: 1 });
      assert.deepEqual(await readAs(['client']), totals);
      const { sales, problems } = await verifySales(database.db);
      assert.deepEqual(problems, []);
      const { length } = [...world.sales, ...world.reversed, ...world.failed];
      assert.equal(sales, length);
    }),
    { numRuns: 20 },
  );
  assert.equal(reached.size, 7, 'the histories reach every step');
});

describe('Sales', () => {
  const at = Date.UTC(2026, 0, 31, 20, 29);
  const bought = {
    clientId: 'a',
    productId: 1,
    operatorId: 1,
    price: 500,
    cost: 450,
    supplierId: 1,
  };
  const soldOf = (sale: Bought): Sums => ({ ...noSums(), ...sumsOfSale(sale).capture });

  test('count on the day of the capture, and reversals on their own day', async () => {
    await forget();
    const deps = depsOf(database.db, { timeZone: async () => 'Asia/Tehran' });
    const id = await buy(bought, 'capture', at);
    await buy({ ...bought, price: 700 }, 'capture', at + 60_000);
    await writePostings(database.db, 'a', [reversalOf(bought, id)], at + 86_400_000);
    await countAll(deps);
    const days = [...(await readAs(['day']))].map(([day, sums]) => [formatDay(Number(day)), sums]);
    assert.deepEqual(Object.fromEntries(days), {
      '2026-01-31': soldOf(bought),
      '2026-02-01': { ...soldOf({ ...bought, price: 700 }), ...sumsOfSale(bought).reverse },
    });
  });

  test('keep the day that they were counted under when the time zone changes', async () => {
    await forget();
    await buy(bought, 'capture', at + 60_000);
    await countAll(depsOf(database.db, { timeZone: async () => 'Asia/Tehran' }));
    await buy(bought, 'capture', at + 60_000);
    await countAll(depsOf(database.db));
    assert.deepEqual([...(await readAs(['day'])).keys()].map(Number).map(formatDay).sort(), [
      '2026-01-31',
      '2026-02-01',
    ]);
    assert.deepEqual((await verifySales(database.db)).problems, []);
  });

  test('are counted once, whichever statement of a batch the process dies after', async () => {
    let deaths = 0;
    for (let isAlive = false; !isAlive; ) {
      await forget();
      const id = await buy(bought, 'capture', at);
      await writePostings(database.db, 'a', [reversalOf(bought, id)], at);
      await buy({ ...bought, clientId: 'b' }, 'capture', at);
      const dying = depsOf(dyingAfter(database.db, deaths));
      isAlive = await countRound(dying).then(
        () => true,
        () => false,
      );
      if (!isAlive) deaths += 1;
      await countAll(depsOf(database.db));
      assert.deepEqual(
        new Map(await readAs(['client'])),
        new Map([
          ['a', { ...soldOf(bought), ...sumsOfSale(bought).reverse }],
          ['b', soldOf(bought)],
        ]),
        `after ${deaths} statements`,
      );
      assert.deepEqual(await verifyFloats(database.db), [], `after ${deaths} statements`);
    }
    // The list, the new cursors, their locks, the postings, the costs, the chains, the sums, the zones, the cursors.
    assert.equal(deaths, 9);
  });

  test('say how far they are while a past is counted, and from when they lack something', async () => {
    await forget();
    for (let index = 0; index < 4; index += 1) await buy(bought, 'capture', at + index);
    const before = await readProgress(database.db);
    assert.deepEqual(before, { postings: 11, counted: 0, firstUncountedAt: start });
    const { left } = await countRound(depsOf(database.db), { most: 6 });
    assert.equal(left, 3);
    assert.deepEqual(await readProgress(database.db), {
      postings: 11,
      counted: 8,
      firstUncountedAt: at + 2,
    });
    await countAll(depsOf(database.db));
    assert.deepEqual(await readProgress(database.db), {
      postings: 11,
      counted: 11,
      firstUncountedAt: null,
    });
  });

  test('are counted by the running job until it stops', async () => {
    await forget();
    const clock = manualClock();
    const left: number[] = [];
    const postingsLeft = (count: number) => left.push(count);
    const stop = startCounting(depsOf(database.db, { clock, postingsLeft }));
    const postings = Array.from({ length: 600 }, () => ({ kind: 'deposit' as const, amount: 1 }));
    await writePostings(database.db, 'b', postings, at);
    await buy(bought, 'capture', at);
    await clock.advance(countEveryMs);
    await eventually('all is counted', async () => left.at(-1) === 0);
    await stop();
    assert.deepEqual(left, [351, 0]);
    assert.deepEqual([...(await readAs(['client']))], [['a', soldOf(bought)]]);
    await buy(bought, 'capture', at);
    await clock.advance(10 * countEveryMs);
    assert.equal((await readProgress(database.db)).firstUncountedAt, at);
  });
});

describe('A report', () => {
  const day = readDay('2026-01-31') ?? 0;
  const at = (offset: number): number => (day + offset) * 86_400_000;
  const sale = (productId: number, price: number) => ({
    clientId: 'a',
    productId,
    operatorId: 1,
    price,
  });

  test('shows the largest groups with those of the period before, and what is left', async () => {
    await forget();
    await buy(sale(1, 10), 'capture', at(-3));
    for (const [product, price] of [
      [1, 100],
      [2, 300],
      [3, 50],
    ] as const) {
      await buy(sale(product, price), 'capture', at(0));
    }
    await countAll(depsOf(database.db));
    const query = { period: { from: day - 2, to: day }, by: ['product'] as const };
    const report = await readReport(database.db, query, { limit: 2, compare: true });
    const sold = (count: number, amount: number): Sums => ({
      ...noSums(),
      sold: count,
      sold_price: amount,
      sold_amount: amount,
      sold_uncosted: count,
      sold_uncosted_amount: amount,
    });
    assert.deepEqual(report, {
      period: query.period,
      rows: [
        { key: { product: 2 }, sums: sold(1, 300), before: noSums() },
        { key: { product: 1 }, sums: sold(1, 100), before: sold(1, 10) },
      ],
      totals: sold(3, 450),
      left: { groups: 1, sums: sold(1, 50) },
      before: { period: { from: day - 5, to: day - 3 }, totals: sold(1, 10) },
    });
    await buy(sale(4, 20), 'capture', at(-4));
    await countAll(depsOf(database.db));
    const gone = await readReport(
      database.db,
      { ...query, by: ['product', 'day'] },
      { limit: 9, compare: true },
    );
    const zeros = gone.rows.filter(({ sums }) => sums.sold === 0);
    assert.deepEqual(zeros, [
      { key: { day: day - 1, product: 4 }, sums: noSums(), before: sold(1, 20) },
    ]);
    const byDay = { period: { from: day - 5, to: day }, by: ['day', 'operator'] as const };
    const days = await readReport(database.db, byDay, { limit: 10, compare: false });
    assert.deepEqual(
      days.rows.map(({ key }) => key.day),
      [day - 4, day - 3, day],
    );
  });

  test('adds up whole months and single days, for any period and filter', async () => {
    await forget();
    const prices: number[] = [];
    for (let offset = 0; offset < 100; offset += 7) {
      prices.push(offset + 1);
      await buy(sale(1 + (offset % 2), offset + 1), 'capture', at(offset));
    }
    await countAll(depsOf(database.db));
    const expected = (from: number, to: number, product: number): number =>
      prices.reduce((sum, price) => {
        const offset = price - 1;
        const fits = offset >= from && offset <= to && 1 + (offset % 2) === product;
        return fits ? sum + price : sum;
      }, 0);
    const offset = fc.integer({ min: -40, max: 140 });
    await fc.assert(
      fc.asyncProperty(offset, offset, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const period = { from: day + from, to: day + to };
        const filter = { product: 2, operator: 1 };
        for (const by of [['client'], ['client', 'day'], [], ['operator']] as const) {
          const groups = await readGroups(database.db, { period, by, filter });
          const total = [...groups.values()].reduce((sum, { sums }) => sum + sums.sold_amount, 0);
          assert.equal(total, expected(from, to, 2), `${by.join()} ${from} ${to}`);
        }
      }),
      { numRuns: 30 },
    );
  });
});

test('Refused requests count by business day and operator, and not by client, product or supplier', async () => {
  const { db } = database;
  const dayAt = daysIn('Asia/Tehran');
  const day = readDay('2026-01-31') ?? 0;
  const of = (at: number, operator_id: number, refused: number) => ({
    span: 'day' as const,
    at,
    operator_id,
    ...noCounts(),
    refused,
  });
  const { begins, ends } = dayAt(start);
  assert.equal(formatDay(dayAt(start).date), '2026-01-30');
  const counts = [of(begins, 1, 7), of(ends, 1, 5), of(ends, 2, 3)];
  await addStats(db, { counts, times: [] });
  const query = { period: { from: day, to: day }, by: ['day', 'operator'] } as const;
  const refused = await readRefused(db, query, dayAt);
  assert.equal(refused?.total, 8);
  assert.equal(refused.of.get(textOfKey({ day, operator: 1 })), 5);
  const one = await readRefused(db, { ...query, by: ['day'], filter: { operator: 2 } }, dayAt);
  assert.deepEqual([...(one?.of ?? [])], [[textOfKey({ day }), 3]]);
  for (const more of [{ by: ['supplier'] as const }, { filter: { client: 'a' } }]) {
    assert.equal(await readRefused(db, { ...query, ...more }, dayAt), undefined);
  }
});

describe('Verification of sales', () => {
  const problemsAfter = async (tamper: (db: Db) => Promise<unknown>): Promise<string[]> => {
    await forget();
    const bought = { clientId: 'a', productId: 1, operatorId: 1, price: 500 };
    await buy(bought, 'capture', start);
    await buy({ ...bought, clientId: 'b' }, 'capture', start);
    await countAll(depsOf(database.db));
    assert.deepEqual((await verifySales(database.db)).problems, []);
    await tamper(database.db);
    const { problems } = await verifySales(database.db);
    return problems.map(({ client, problem }) => `${client ?? 'all'}: ${problem}`);
  };

  before(() => liftConstraints(database.db));

  const raise = (kind: 'full' | 'month' | 'client' | 'product') => (db: Db) =>
    db
      .updateTable('sales')
      .set((set) => ({ sold_amount: set('sold_amount', '+', 1) }))
      .where('kind', '=', kind)
      .where('client_id', 'in', ['a', ''])
      .execute();

  test('finds a sum that is off by one, of every kind', async () => {
    const full = await problemsAfter(raise('full'));
    assert.match(full[0] ?? '', /^a: the sums of what was sold are not those of its postings$/);
    for (const kind of ['month', 'client', 'product'] as const) {
      const [first = '', ...more] = await problemsAfter(raise(kind));
      assert.match(first, new RegExp(`^all: 2 sums of what was sold by ${kind}\\b`));
      assert.deepEqual(more, []);
    }
  });

  test('finds sales counted on another day, twice, or not at all', async () => {
    const moved = await problemsAfter((db) =>
      db
        .updateTable('sales')
        .set((set) => ({ day: set('day', '+', 1) }))
        .where('kind', 'in', ['full', 'client', 'product'])
        .execute(),
    );
    assert.equal(moved.length, 2, moved.join('\n'));
    const back = await problemsAfter(async (db) => {
      await db.updateTable('sales_cursors').set({ seq: 1 }).where('client_id', '=', 'a').execute();
      await countAll(depsOf(db));
    });
    assert.match(back[0] ?? '', /^a: /);
    const skipped = await problemsAfter(async (db) => {
      await buy({ clientId: 'b', productId: 1, operatorId: 1, price: 1 }, 'capture', start);
      await db.updateTable('sales_cursors').set({ seq: 5 }).where('client_id', '=', 'b').execute();
    });
    assert.match(skipped[0] ?? '', /^b: /);
  });

  test('compares without days what other rules of time zones have dated', async () => {
    const olderRules = (client: string) => (db: Db) =>
      db
        .updateTable('sales_zones')
        .set({ time_zone: 'Asia/Gone 1999a' })
        .where('client_id', '=', client)
        .execute();
    const moveDay = (db: Db) =>
      db
        .updateTable('sales')
        .set((set) => ({ day: set('day', '+', 1) }))
        .where('kind', 'in', ['full', 'client', 'product'])
        .execute();
    const moved = await problemsAfter(async (db) => {
      await olderRules('a')(db);
      await moveDay(db);
    });
    assert.deepEqual(moved, ['b: the sums of what was sold are not those of its postings']);
    const raised = await problemsAfter(async (db) => {
      await olderRules('a')(db);
      await raise('full')(db);
    });
    assert.match(raised[0] ?? '', /^a: the sums of what was sold are not those of its postings$/);
    await problemsAfter(async (db) => {
      assert.deepEqual((await verifySales(db, '2099z')).problems, []);
      // What is counted next is dated by the rules of today.
      await db.updateTable('sales_cursors').set({ time_zone: 'UTC 1999a' }).execute();
      await buy({ clientId: 'a', productId: 1, operatorId: 1, price: 1 }, 'capture', start);
      await countAll(depsOf(db));
      const rows = await db.selectFrom('sales_zones').select('time_zone').execute();
      const today = `UTC ${process.versions['tz']}`;
      assert.deepEqual(
        rows.map(({ time_zone }) => time_zone),
        [today, today, today, today],
      );
    });
  });

  test('finds cursors beyond the postings, and postings without a time zone', async () => {
    const far = await problemsAfter((db) =>
      db.updateTable('sales_cursors').set({ seq: 9 }).execute(),
    );
    assert.match(far[0] ?? '', /^a: sales are counted up to posting 9, which is not there$/);
    const undated = await problemsAfter((db) => db.deleteFrom('sales_zones').execute());
    assert.match(undated[0] ?? '', /^a: sales are counted by an unknown time zone$/);
  });
});
