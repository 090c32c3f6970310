/** Tests listings against a naive search, and that pages are rendered once in bounded memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { demoCatalogue } from './demo.ts';
import type { ListingQuery } from './filter.ts';
import type { Product } from './product.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const demo = demoCatalogue().map(
  (product): Product => ({ created_at: null, updated_at: null, ...product }),
);
const pattern = demo.find((product) => product.categories.length > 0);
assert.ok(pattern !== undefined);
const model: Product = pattern;

const small = fc.record({
  id: fc.integer({ min: 1, max: 500 }),
  name: fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 4 }),
  name_en: fc.option(fc.string({ unit: fc.constantFrom('b', 'c', 'C'), maxLength: 4 }), {
    nil: null,
  }),
  type: fc.constantFrom('cell_internet', 'cell_direct_charge', 'td_lte_internet'),
  sim_card_type: fc.constantFrom('credit', 'permanent'),
  operator_id: fc.integer({ min: 1, max: 5 }),
  order: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom(0, 1),
});
const catalogue = fc
  .uniqueArray(small, { selector: ({ id }) => id, maxLength: 40 })
  .map((list) => list.map((fields): Product => ({ ...model, ...fields })));

const query: fc.Arbitrary<ListingQuery> = fc.record({
  filter: fc.record(
    {
      name: fc.string({ unit: fc.constantFrom('a', 'B', 'c'), maxLength: 2 }),
      simCardType: fc.constantFrom('credit', 'permanent'),
      type: fc.constantFrom('cell_internet', 'cell_direct_charge', 'td_lte_internet'),
      operatorId: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: [] },
  ),
  order: fc.record({
    by: fc.constantFrom('position', 'id'),
    direction: fc.constantFrom('asc', 'desc'),
  }),
  withCategories: fc.boolean(),
});

/** The same listing done naively, for names of the letters a, b and c. */
const naive = (products: readonly Product[], { filter, order, withCategories }: ListingQuery) => {
  const part = (filter.name ?? '').toLowerCase();
  const sign = order.direction === 'asc' ? 1 : -1;
  return products
    .filter(
      (product) =>
        [product.name, product.name_en ?? ''].some((name) => name.toLowerCase().includes(part)) &&
        (filter.simCardType ?? product.sim_card_type) === product.sim_card_type &&
        (filter.type ?? product.type) === product.type &&
        (filter.operatorId ?? product.operator_id) === product.operator_id,
    )
    .sort((a, b) => sign * ((order.by === 'id' ? 0 : a.order - b.order) || a.id - b.id))
    .map((product) => (withCategories ? product : { ...product, categories: [] }));
};

const parsed = (data: Buffer): unknown[] => {
  const text = data.toString();
  const beginning = '{"data":';
  assert.ok(text.startsWith(beginning));
  const value: unknown = JSON.parse(text.slice(beginning.length));
  assert.ok(Array.isArray(value));
  return value;
};

const all = (snapshot: Snapshot, query: ListingQuery): unknown[] => {
  const listing = snapshot.list(query);
  return parsed(listing.data(0, listing.total));
};

const everything: ListingQuery = {
  filter: {},
  order: { by: 'position', direction: 'asc' },
  withCategories: true,
};

test('every listing of every catalogue equals a naive search, cached or not', () => {
  fc.assert(
    fc.property(catalogue, fc.array(query, { maxLength: 6 }), (products, queries) => {
      const snapshot = createSnapshot('v', products);
      for (const query of [...queries, ...queries]) {
        const expected = naive(products, query);
        assert.equal(snapshot.list(query).total, expected.length);
        assert.deepEqual(all(snapshot, query), expected);
      }
    }),
    { numRuns: 300 },
  );
});

test('the pages of a listing, one after another, are the whole listing', () => {
  fc.assert(
    fc.property(catalogue, query, fc.integer({ min: 1, max: 15 }), (products, query, perPage) => {
      const snapshot = createSnapshot('v', products);
      const { total, data } = snapshot.list(query);
      const pages: unknown[] = [];
      for (let start = 0; start < total; start += perPage) {
        const page = parsed(data(start, Math.min(start + perPage, total)));
        assert.equal(page.length, Math.min(perPage, total - start));
        pages.push(...page);
      }
      assert.deepEqual(pages, all(snapshot, query));
    }),
    { numRuns: 300 },
  );
});

test('an empty range is an empty list', () => {
  const listing = createSnapshot('v', demo).list(everything);
  assert.equal(listing.data(listing.total, listing.total).toString(), '{"data":[]');
  assert.equal(createSnapshot('v', []).list(everything).data(0, 0).toString(), '{"data":[]');
});

test('a page is rendered once: later requests get the same bytes', () => {
  const snapshot = createSnapshot('v', demo);
  const filtered: ListingQuery = { ...everything, filter: { operatorId: 2 } };
  for (const query of [everything, filtered]) {
    const first = snapshot.list(query).data(0, 10);
    assert.equal(snapshot.list(structuredClone(query)).data(0, 10), first);
    assert.notEqual(snapshot.list(query).data(10, 20), first);
    const without = snapshot.list({ ...query, withCategories: false }).data(0, 10);
    assert.notEqual(without, first);
  }
});

test('a page of a large catalogue costs no more than one of a small catalogue', () => {
  const large = createSnapshot(
    'v',
    Array.from({ length: 20_000 }, (_, index) => ({ ...model, id: index + 1, order: 0 })),
  );
  assert.equal(large.size, 20_000);
  const listing = large.list(everything);
  const touched: number[] = [];
  const page = listing.data(10_000, 10_100);
  for (const one of parsed(page)) {
    if (typeof one === 'object' && one !== null && 'id' in one) touched.push(Number(one.id));
  }
  assert.deepEqual(
    touched,
    Array.from({ length: 100 }, (_, index) => 10_001 + index),
  );
  assert.ok(page.length < 200_000, 'what is rendered is the page and not the catalogue');
  assert.equal(large.list(everything).data(10_000, 10_100), page);
});

test('rendering a page reads its own products only, and a cached page reads none', () => {
  const rendered: number[] = [];
  const products = Array.from({ length: 10_000 }, (_, index) => {
    const product = { ...model, id: index + 1, order: index };
    const toJSON = (): Product => {
      rendered.push(product.id);
      return product;
    };
    return { ...product, toJSON };
  });
  const snapshot = createSnapshot('v', products);
  const page = (start: number): Buffer => snapshot.list(everything).data(start, start + 100);
  const cold = [0, 9900].map((start) => {
    const bytes = page(start);
    const own = Array.from({ length: 100 }, (_, index) => start + index + 1);
    const once = rendered.splice(0).sort((one, other) => one - other);
    assert.deepEqual(once, own);
    const inOrder = own.map((id) => ({ ...model, id, order: id - 1 }));
    assert.equal(bytes.toString(), `{"data":${JSON.stringify(inOrder)}`);
    return { start, bytes };
  });
  for (const { start, bytes } of cold) assert.equal(page(start), bytes);
  assert.deepEqual(rendered, []);
});

test('the cache is bounded: pages unused for long make room, those in use stay', () => {
  const wide = Array.from({ length: 400 }, (_, index) => ({
    ...model,
    id: index + 1,
    order: index,
    description: 'x'.repeat(2000),
  }));
  const { data } = createSnapshot('v', wide).list(everything);
  const [old, inUse] = [data(0, 100), data(100, 200)];
  assert.equal(data(0, 100), old);
  // Some 60 MB of pages in all, each a little different.
  for (let start = 1; start < 300; start += 1) {
    data(start, start + 100 - (start % 7) - 1);
    assert.equal(data(100, 200), inUse);
  }
  assert.notEqual(data(0, 100), old);
  assert.deepEqual(data(0, 100), old);
});

test('the cache is bounded also for long names without matches', () => {
  const snapshot = createSnapshot('v', demo);
  const search = (name: string): Buffer =>
    snapshot.list({ ...everything, filter: { name } }).data(0, 0);
  const first = search('nothing has this name');
  assert.equal(search('nothing has this name'), first);
  for (let count = 0; count < 400; count += 1) search(`${count}${'x'.repeat(60_000)}`);
  assert.notEqual(search('nothing has this name'), first);
});

test('a product is found by its id', () => {
  const snapshot = createSnapshot('v', demo);
  for (const product of demo) assert.equal(snapshot.product(product.id), product);
  assert.equal(snapshot.product(0), undefined);
  assert.equal(snapshot.size, demo.length);
  assert.equal(snapshot.version, 'v');
});

test('a listing leaves its products unchanged', () => {
  const before = JSON.stringify(demo);
  const snapshot = createSnapshot('v', demo);
  for (const direction of ['asc', 'desc'] as const) {
    for (const by of ['id', 'position'] as const) {
      all(snapshot, { filter: {}, order: { by, direction }, withCategories: false });
    }
  }
  assert.equal(JSON.stringify(demo), before);
});
