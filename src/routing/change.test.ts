/** Tests changes of routes in the database: versions, history, imports as a whole, and routes in memory. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { importProducts } from '../../test/support/import-products.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { demoCatalogue } from '../catalogue/demo.ts';
import { readVersion } from '../db/changes/versions.ts';
import { runTransaction } from '../db/transaction.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { importRoutes, type RouteChange, type RouteDeps, removeRoute, setRoute } from './change.ts';
import { createLiveRoutes } from './live.ts';
import { implicitRoute, type RouteTerms } from './route.ts';
import { listRoutes, listRouteVersions } from './store.ts';

const clock = manualClock();
const newId = uuidV7(clock, systemRandom);
const { db, close } = await openTestDatabase();
after(close);
const [product] = demoCatalogue();
if (product === undefined) assert.fail('the demo has products');
await importProducts({ db, clock, newId }, [
  { ...product, id: 101, operator_id: 1, categories: [] },
  { ...product, id: 202, operator_id: 2, categories: [] },
]);
await db
  .insertInto('clients')
  .values({ id: 'client-1', name: 'A', status: 'active', created_at: 0, test: 0 })
  .execute();

const inTransaction = <T>(work: (deps: RouteDeps) => Promise<T>): Promise<T> =>
  runTransaction({ db }, (transaction) =>
    work({
      db: transaction,
      newId,
      databaseTime: async () => clock.now(),
      knowsSupplier: (id) => id <= 5,
    }),
  );

const aTerm = (parts: Partial<RouteTerms> = {}): RouteTerms => {
  const { id: _, ...terms } = implicitRoute(1);
  return { ...terms, supplierId: 2, priority: 10, ...parts };
};

const set = (id: number | null, parts: Partial<RouteTerms>) =>
  inTransaction((deps) => setRoute(deps, id, aTerm(parts)));

/** The id of a route that is created. */
const create = async (parts: Partial<RouteTerms> = {}): Promise<number> => {
  const change = await set(null, parts);
  return 'after' in change ? change.after.id : assert.fail(JSON.stringify(change));
};

const problemsOf = (change: RouteChange): string[] =>
  'problems' in change ? change.problems.map(({ message }) => message.en) : [];

const row = (id: number | null, parts: Partial<RouteTerms> = {}, line = 2) => ({
  line,
  id,
  terms: aTerm(parts),
});

const idsInForce = async (): Promise<number[]> => (await listRoutes(db)).map(({ id }) => id);

const removeAll = async (): Promise<void> => {
  for (const id of await idsInForce()) await inTransaction((deps) => removeRoute(deps, id));
};

describe('A route', () => {
  test('reads back with every term, and a change closes it and adds the next version', async () => {
    const whole: Partial<RouteTerms> = {
      productId: 101,
      productType: 'cell_internet',
      clientId: 'client-1',
      productCode: '۷-Ab',
      cost: { kind: 'percent', percent: '2.50' },
      allowDearer: true,
      weight: 3,
      hours: { from: 1320, to: 360 },
      days: ['mon', 'sun'],
      validFrom: 5,
      validUntil: 6,
      enabled: false,
    };
    const began = clock.now();
    const id = await create(whole);
    const first = { id, version: 1, createdAt: began, closedAt: null, ...aTerm(whole) };
    assert.deepEqual(await listRoutes(db), [first]);
    await clock.advance(1000);
    await set(id, { cost: { kind: 'fixed', amount: 7 } });
    const [now, old] = await listRouteVersions(db, id);
    assert.deepEqual(old, { ...first, closedAt: began + 1000 });
    assert.deepEqual(now, {
      id,
      version: 2,
      createdAt: began + 1000,
      closedAt: null,
      ...aTerm({ cost: { kind: 'fixed', amount: 7 } }),
    });
    await inTransaction((deps) => removeRoute(deps, id));
    assert.deepEqual(await idsInForce(), []);
    assert.equal((await listRouteVersions(db, id)).length, 2, 'the history stays');
    assert.equal(await create(), id + 1, 'an id is never given again');
  });

  test('is refused if it names what does not exist', async () => {
    const cases: readonly (readonly [Partial<RouteTerms>, RegExp])[] = [
      [{ productId: 999 }, /^product_id 999 does not exist\.$/],
      [{ productId: 202 }, /^product_id 202 belongs to operator 2\.$/],
      [{ categoryId: 999 }, /^category_id 999 does not exist\.$/],
      [{ clientId: 'client-9' }, /^client_id client-9 does not exist\.$/],
      [{ supplierId: 9 }, /^supplier_id 9 does not exist\.$/],
    ];
    const before = await readVersion(db, 'routes');
    for (const [parts, said] of cases)
      assert.match(problemsOf(await set(null, parts)).join(), said);
    assert.match(problemsOf(await set(999, {})).join(), /^There is no route 999\./);
    const removed = await inTransaction((deps) => removeRoute(deps, 999));
    assert.equal(removed, undefined);
    assert.equal(await readVersion(db, 'routes'), before, 'and nothing changed');
  });

  test('that says the same again is not written again', async () => {
    const id = await create({ weight: 9 });
    const before = await readVersion(db, 'routes');
    await set(id, { weight: 9 });
    assert.equal(await readVersion(db, 'routes'), before);
    assert.equal((await listRouteVersions(db, id)).length, 1);
  });

  test('is in memory after a reload, with the version that other processes see', async () => {
    const live = createLiveRoutes(db, clock);
    await live.reload();
    const id = await create({ weight: 8 });
    assert.notEqual(live.version(), await readVersion(db, 'routes'));
    await live.reload();
    assert.equal(live.version(), await readVersion(db, 'routes'));
    assert.deepEqual(live.all(), await listRoutes(db));
    assert.ok(live.all().some((route) => route.id === id));
    const everyone = live
      .table()
      .operators.get(1)
      ?.everyone.rest.map(({ route }) => route.id);
    assert.ok(everyone?.includes(id));
  });
});

describe('An import', () => {
  test('adds, changes, keeps and removes in one transaction, by id or by what a route says', async () => {
    await removeAll();
    const [same, other, gone] = [
      await create({ weight: 1 }),
      await create({ weight: 2 }),
      await create({ weight: 3 }),
    ];
    const rows = [row(null, { weight: 1 }), row(other, { weight: 20 }), row(null, { weight: 5 })];
    const kept = await inTransaction((deps) => importRoutes(deps, rows, false));
    const counts = ({ diff }: typeof kept) => [
      diff.added.length,
      diff.changed.map(({ before }) => before.id),
      diff.removed.map(({ id }) => id),
      diff.unchanged,
    ];
    assert.deepEqual(counts(kept), [1, [other], [], 1]);
    assert.deepEqual(kept.ids, [gone + 1]);
    assert.deepEqual(await idsInForce(), [same, other, gone, gone + 1]);
    const again = await inTransaction((deps) => importRoutes(deps, rows, true));
    assert.deepEqual(counts(again), [0, [], [gone], 3]);
    assert.deepEqual(await idsInForce(), [same, other, gone + 1]);
    const before = await readVersion(db, 'routes');
    const last = await inTransaction((deps) => importRoutes(deps, rows, true));
    assert.deepEqual(counts(last), [0, [], [], 3]);
    assert.equal(await readVersion(db, 'routes'), before, 'a third time changes nothing');
  });

  test('with any problem changes nothing, and reports all problems by line', async () => {
    const before = JSON.stringify([await listRoutes(db), await readVersion(db, 'routes')]);
    const rows = [
      row(null, { weight: 50 }, 2),
      row(null, { supplierId: 77 }, 5),
      row(4711, {}, 3),
      row(null, { productId: 999, clientId: 'x' }, 4),
    ];
    const { problems, ids } = await inTransaction((deps) => importRoutes(deps, rows, true));
    assert.deepEqual(
      problems.map(({ line, field }) => [line, field]),
      [
        [3, 'id'],
        [4, 'product_id'],
        [4, 'client_id'],
        [5, 'supplier_id'],
      ],
    );
    assert.deepEqual(ids, []);
    assert.equal(JSON.stringify([await listRoutes(db), await readVersion(db, 'routes')]), before);
  });

  test('of thousands of routes is written and read back', async () => {
    await removeAll();
    const rows = Array.from({ length: 2000 }, (_, index) =>
      row(null, { priority: 1 + (index % 900), weight: 1 + Math.floor(index / 900) }, index + 2),
    );
    const { ids } = await inTransaction((deps) => importRoutes(deps, rows, true));
    assert.deepEqual(await idsInForce(), ids);
    const changed = rows.map((one, index) => ({
      ...one,
      id: ids[index] ?? null,
      terms: { ...one.terms, enabled: false },
    }));
    await inTransaction((deps) => importRoutes(deps, changed, true));
    const stored = await listRoutes(db);
    assert.ok(
      stored.length === 2000 && stored.every(({ enabled, version }) => !enabled && version === 2),
    );
  });
});

test('two changes at the same time get different ids', async () => {
  const ids = await Promise.all([create({ weight: 31 }), create({ weight: 32 })]);
  assert.equal(new Set(ids).size, 2);
});
