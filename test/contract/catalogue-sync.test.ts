/** Tests that a client that copies the catalogue and requests its changes stays in sync, whatever happens. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { assertError, at, keysOf } from '../support/answers.ts';
import { importProducts } from '../support/import-products.ts';
import { removeProducts } from '../support/remove-products.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { sampleCategory, sampleProduct } from './sample-product.ts';

const path = '/api/clients/products';
const ever = '1970-01-01';

const ChangesSchema = Type.Object({
  data: Type.Array(Type.Object({ id: Type.Integer(), status: Type.Integer() })),
  links: Type.Object({ next: Type.Union([Type.String(), Type.Null()]) }),
  meta: Type.Object({ total: Type.Integer(), last_page: Type.Integer() }),
  removed: Type.Array(
    Type.Object({ id: Type.Integer(), removed_at: Type.String() }, { additionalProperties: false }),
  ),
  next_updated_since: Type.String(),
});

type Changes = Static<typeof ChangesSchema>;

const changesOf = ({ status, body, text }: Answer): Changes => {
  assert.equal(status, 200, text);
  if (!Value.Check(ChangesSchema, body)) assert.fail(`no changes: ${text}`);
  return body;
};

const idsOf = (items: readonly { readonly id: number }[]): number[] => items.map(({ id }) => id);

let server: TestServer;

before(async () => {
  server = await startServer();
});

after(() => server.stop());

const clockAt = (ms: number) => ({ ...server.deps, clock: { now: () => ms } });
const start = Date.parse('2026-01-31T09:30:00Z');

/** A catalogue of only these, in the given order. */
const fill = async (...products: ImportedProduct[]): Promise<void> => {
  const { products: before } = await readCatalogue(server.deps.db);
  await removeProducts(server.deps, idsOf(before));
  await importProducts(server.deps, products);
  await server.reloadCatalogue();
};

const since = (moment: string, more = ''): Promise<Changes> =>
  request(server, `${path}?updated_since=${moment}${more}`).then(changesOf);

/** A copy that is kept up to date by requesting changes, page by page. */
type Copy = {
  readonly products: Map<number, unknown>;
  moment: string;
  /** Where the next page is, while there is one. */
  next: string | null;
  readonly ask: (copy: Copy) => Promise<Answer>;
  readonly filter: Readonly<Record<string, string>>;
};

const listCopy = (perPage: number): Copy => ({
  products: new Map(),
  moment: ever,
  next: null,
  filter: {},
  ask: ({ next, moment }) =>
    request(
      server,
      next?.replace(server.url, '') ?? `${path}?per_page=${perPage}&updated_since=${moment}`,
    ),
});

const filterCopy = (perPage: number): Copy => ({
  products: new Map(),
  moment: ever,
  next: null,
  filter: { sim_card_type: 'credit' },
  ask: ({ moment, filter }) =>
    request(server, `/api/filter?per_page=${perPage}`, {
      json: {
        table: 'product',
        items: { ...filter, categories: 'categories' },
        updated_since: moment,
      },
    }),
});

/** Applies one page of changes; returns whether it was the last. */
const takePage = async (copy: Copy): Promise<Changes> => {
  const changes = changesOf(await copy.ask(copy));
  for (const product of changes.data) copy.products.set(product.id, product);
  for (const { id } of changes.removed) copy.products.delete(id);
  copy.moment = changes.next_updated_since;
  copy.next = changes.links.next;
  return changes;
};

const wholeList = async (filter: Copy['filter']): Promise<unknown> => {
  const items = { ...filter, categories: 'categories', pagination: 'false' };
  const { body } = await request(server, '/api/filter', { json: { table: 'product', items } });
  return at(body, 'data');
};

const byId = (one: { readonly id: number }, other: { readonly id: number }): number =>
  one.id - other.id;

const assertWhole = async (copy: Copy): Promise<void> => {
  const list = await wholeList(copy.filter);
  assert.ok(Value.Check(ChangesSchema.properties.data, list));
  const own = [...copy.products.values()];
  assert.ok(Value.Check(ChangesSchema.properties.data, own));
  assert.deepEqual(own.toSorted(byId), list.toSorted(byId));
};

const productIds = fc.integer({ min: 1, max: 7 });

const categoryOf = (productId: number, id: number, name: string) => ({
  ...sampleCategory(productId, id),
  name,
});

const imported: fc.Arbitrary<ImportedProduct[]> = fc
  .record({
    // The same for all of a file, as the file's reader wants it.
    names: fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b')),
    rows: fc.uniqueArray(
      fc.record({
        id: productIds,
        price: fc.integer({ min: 1, max: 2 }),
        status: fc.integer({ min: 0, max: 1 }),
        sim_card_type: fc.constantFrom('credit' as const, 'permanent' as const),
        order: fc.integer({ min: 0, max: 2 }),
        // A file may contain any times of change.
        updated_at: fc.constantFrom(null, '2020-01-01T00:00:00.000000Z'),
        in: fc.subarray([1, 2]),
      }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ names, rows }) =>
    rows.map(({ in: categories, ...row }) =>
      sampleProduct({
        ...row,
        categories: categories.map((id) => categoryOf(row.id, id, names[id - 1] ?? '')),
      }),
    ),
  );

const steps = fc.array(
  fc.oneof(
    fc.record({ import: imported, removeMissing: fc.boolean() }),
    fc.record({ remove: fc.uniqueArray(productIds, { minLength: 1, maxLength: 3 }) }),
    // Also not at all, and backwards.
    fc.record({ wait: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ poll: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ poll: fc.integer({ min: 0, max: 1 }) }),
  ),
  { minLength: 8, maxLength: 20 },
);

describe('A copy that asks for changes', () => {
  test('equals the list whenever there are no more changes, whatever happened in between', async () => {
    const run = async (
      todo: typeof steps extends fc.Arbitrary<infer T> ? T : never,
      per: number,
    ) => {
      await fill();
      const copies = [listCopy(per), filterCopy(per)];
      let now = start;
      for (const step of todo) {
        if ('wait' in step) now += step.wait;
        if ('import' in step) {
          const { removeMissing } = step;
          await importProducts(clockAt(now), step.import, { removeMissing });
        }
        if ('remove' in step) await removeProducts(clockAt(now), step.remove);
        if ('import' in step || 'remove' in step) await server.reloadCatalogue();
        const copy = 'poll' in step ? copies[step.poll] : undefined;
        if (copy === undefined) continue;
        if ((await takePage(copy)).links.next === null) await assertWhole(copy);
      }
      for (const copy of copies) {
        while ((await takePage(copy)).links.next !== null);
        await assertWhole(copy);
        const again = await takePage(copy);
        assert.deepEqual([again.data, again.removed], [[], []], 'nothing comes twice');
      }
    };
    await fc.assert(fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), run), { numRuns: 12 });
  });
});

describe('updated_since', () => {
  beforeEach(async () => {
    await fill(...[1, 2, 3].map((id) => sampleProduct({ id, order: -id })));
  });

  test('adds two keys to the envelope, which are absent without it', async () => {
    const [plain, changes] = [
      await request(server, path),
      await request(server, `${path}?updated_since=${ever}`),
    ];
    assert.deepEqual(keysOf(plain.body), ['data', 'links', 'meta', 'balance']);
    assert.deepEqual(keysOf(changes.body), [
      'data',
      'links',
      'meta',
      'removed',
      'next_updated_since',
      'balance',
    ]);
    assert.deepEqual(keysOf(at(changes.body, 'data', 0)), keysOf(at(plain.body, 'data', 0)));
    for (const empty of ['', '%20']) {
      const { body } = await request(server, `${path}?updated_since=${empty}`);
      assert.deepEqual(keysOf(body), keysOf(plain.body), 'empty counts as absent');
    }
  });

  test('shows what is switched off, removed, and back again', async () => {
    const { next_updated_since: first } = await since(ever);
    await importProducts(server.deps, [sampleProduct({ id: 2, order: -2, status: 0 })]);
    await removeProducts(server.deps, [1, 3]);
    await server.reloadCatalogue();
    const changes = await since(first);
    assert.deepEqual(
      changes.data.map(({ id, status }) => [id, status]),
      [[2, 0]],
    );
    assert.deepEqual(idsOf(changes.removed), [1, 3]);
    assert.match(changes.removed[0]?.removed_at ?? '', /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
    await importProducts(server.deps, [sampleProduct({ id: 3 })]);
    await server.reloadCatalogue();
    const back = await since(first);
    assert.deepEqual([idsOf(back.data), idsOf(back.removed)], [[2, 3], [1]]);
    const { next_updated_since: last } = back;
    assert.deepEqual((await since(last)).next_updated_since, last, 'nothing new, the same moment');
  });

  test('counts a change of a category as one of all its products', async () => {
    const product = (id: number, name: string) =>
      sampleProduct({ id, categories: [categoryOf(id, 1, name)] });
    await fill(product(1, 'a'), product(2, 'a'), sampleProduct({ id: 3 }));
    const { next_updated_since: moment } = await since(ever);
    await importProducts(server.deps, [product(2, 'b')]);
    await server.reloadCatalogue();
    assert.deepEqual(idsOf((await since(moment)).data), [2, 1]);
  });

  test('has pages, each of which names the next one’s beginning', async () => {
    const pages: Changes[] = [await since(ever, '&per_page=2&order=id&type_order=desc')];
    const next = pages[0]?.links.next ?? '';
    const address = new URL(next);
    assert.equal(address.searchParams.get('updated_since'), pages[0]?.next_updated_since);
    assert.equal(address.searchParams.get('per_page'), '2');
    assert.equal(address.searchParams.get('page'), null);
    pages.push(changesOf(await request(server, address.pathname + address.search)));
    assert.deepEqual(
      pages.map(({ data }) => idsOf(data)),
      [[1, 2], [3]],
    );
    assert.deepEqual(
      pages.map(({ links }) => links.next === null),
      [false, true],
    );
    assert.equal(pages[0]?.meta.last_page, 2);
    const second = await since(ever, '&per_page=2&page=2');
    assert.deepEqual(second.data, pages[1]?.data, 'by number, as long as nothing changes');
    assert.equal(second.next_updated_since, pages[1]?.next_updated_since);
  });

  test('is an empty 304 if nothing changed, and the next change is a 200', async () => {
    const { next_updated_since: moment } = await since(ever);
    const target = `${path}?updated_since=${moment}`;
    const { headers } = await request(server, target);
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    const unchanged = await request(server, target, known);
    assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
    await removeProducts(server.deps, [2]);
    await server.reloadCatalogue();
    assert.deepEqual(idsOf(changesOf(await request(server, target, known)).removed), [2]);
  });

  test('of the body overrides the query, and a filter lists what no longer matches', async () => {
    const items = { sim_card_type: 'credit' };
    const filtered = (query: string, body: object) =>
      request(server, `/api/filter${query}`, { json: { table: 'product', items, ...body } });
    const all = changesOf(await filtered(`?updated_since=${ever}`, {}));
    assert.deepEqual(idsOf(all.data), [1, 2, 3]);
    const { next_updated_since: moment } = all;
    await importProducts(server.deps, [sampleProduct({ id: 2, sim_card_type: 'permanent' })]);
    await server.reloadCatalogue();
    const after = changesOf(await filtered(`?updated_since=${ever}`, { updated_since: moment }));
    assert.deepEqual([idsOf(after.data), idsOf(after.removed)], [[], [2]]);
  });

  for (const wrong of ['yesterday', '1769851800', '2026-02-30', '2026-01-31T25:00Z']) {
    test(`is refused by its name if it is not a time: ${wrong}`, async () => {
      const answers = [
        await request(server, `${path}?updated_since=${wrong}`),
        await request(server, `/api/filter?updated_since=${wrong}`, {
          json: { table: 'product', items: {} },
        }),
        await request(server, '/api/filter', {
          json: { table: 'product', items: {}, updated_since: wrong },
        }),
      ];
      for (const answer of answers) {
        assertError(answer, 422, 'VALIDATION_FAILED');
        assert.deepEqual(keysOf(at(answer.body, 'errors')), ['updated_since']);
      }
    });
  }
});

describe('A product that was bought and then removed', () => {
  test('cannot be bought again, and its purchases are shown as before', async () => {
    await fill(sampleProduct({ id: 7, type: 'cell_direct_charge', operator_id: 1 }));
    const buy = (key: string) =>
      request(server, '/api/top-up', {
        json: { product_id: 7, mobile: '989123456700', price: 10_000, webservice_code: 'mine' },
        headers: { 'idempotency-key': key },
      });
    const sold = await buy('first');
    assert.equal(sold.status, 200, sold.text);
    const purchase = `/api/purchases/${sold.headers.get('purchase-id')}`;
    const shown = (await request(server, purchase)).text;
    await removeProducts(server.deps, [7]);
    await server.reloadCatalogue();
    assertError(await buy('second'), 404, 'PRODUCT_NOT_FOUND');
    const again = await buy('first');
    assert.deepEqual([again.status, again.text], [sold.status, sold.text]);
    assert.equal((await request(server, purchase)).text, shown);
    const { body } = await request(server, '/api/statement');
    assert.deepEqual(
      [at(body, 'data', 0, 'kind'), at(body, 'data', 1, 'kind'), at(body, 'data', 2, 'kind')],
      ['deposit', 'hold', 'capture'],
    );
  });
});

describe('docs/extend/catalogue-sync.md', () => {
  const page = readFileSync(
    new URL('../../docs/extend/catalogue-sync.md', import.meta.url),
    'utf8',
  );
  const fence = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';

  test('has a first request that begins a copy', async () => {
    await fill(sampleProduct({ id: 1 }));
    const [, asked = ''] = /'http:\/\/127\.0\.0\.1:3000([^']+)'/.exec(fence('sh')) ?? [];
    assert.deepEqual(idsOf(changesOf(await request(server, asked)).data), [1]);
  });

  test('has a function that keeps a copy', async () => {
    const library = new URL('../../sdk/src/index.ts', import.meta.url).href;
    const code = fence('js')
      .replace("'@simgate/client'", JSON.stringify(library))
      .replace("'https://gateway.example'", JSON.stringify(server.url))
      .replace('process.env.SIMGATE_TOKEN', JSON.stringify(server.client.token));
    const example: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const sync = at({ ...Object(example) }, 'sync');
    assert.ok(typeof sync === 'function');
    const copy = { products: new Map<number, unknown>(), since: undefined };
    await fill(...[1, 2, 3].map((id) => sampleProduct({ id })));
    await Reflect.apply(sync, undefined, [copy]);
    assert.deepEqual([...copy.products.keys()], [1, 2, 3]);
    await removeProducts(server.deps, [2]);
    await server.reloadCatalogue();
    await Reflect.apply(sync, undefined, [copy]);
    assert.deepEqual([...copy.products.keys()], [1, 3]);
  });
});
