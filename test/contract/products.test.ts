/** Tests the product list on a real server, as the contract and our decisions describe it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { createToken, deposit, updateClient } from '../support/clients.ts';
import { importProducts } from '../support/import-products.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  shareServer,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';
import { rawRequest } from './raw-request.ts';
import { sampleCategory, sampleProduct } from './sample-product.ts';

const path = '/api/clients/products';

const PageSchema = Type.Object({
  data: Type.Array(Type.Object({ id: Type.Integer() })),
  links: Type.Object({
    first: Type.String(),
    last: Type.String(),
    prev: Type.Union([Type.String(), Type.Null()]),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
  meta: Type.Object({
    current_page: Type.Integer(),
    from: Type.Union([Type.Integer(), Type.Null()]),
    last_page: Type.Integer(),
    path: Type.String(),
    per_page: Type.Integer(),
    to: Type.Union([Type.Integer(), Type.Null()]),
    total: Type.Integer(),
  }),
  balance: Type.Number(),
});

const ErrorSchema = Type.Object({
  message: Type.String({ minLength: 1 }),
  code: Type.String(),
  charged: Type.String(),
  retry: Type.String(),
  request_id: Type.String({ minLength: 1 }),
  docs: Type.String({ minLength: 1 }),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

const pageOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
  assert.equal(status, 200, text);
  const body: unknown = JSON.parse(text);
  if (!Value.Check(PageSchema, body)) assert.fail(`not a page of products: ${text}`);
  return body;
};

const errorOf = ({ body, text }: Answer) => {
  if (!Value.Check(ErrorSchema, body)) assert.fail(`not an error: ${text}`);
  return body;
};

const idsOf = (answer: Answer): number[] => pageOf(answer).data.map(({ id }) => id);

/** Runs a test on a server of its own. */
const withServer = async (
  options: TestOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer(options);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

const fieldNames = [
  'id',
  'name',
  'name_en',
  'description',
  'description_full',
  'sku',
  'price',
  'second_price',
  'showable_price',
  'type',
  'minimum_sale',
  'dimension',
  'score',
  'status',
  'options',
  'deliverable',
  'third_party_id',
  'capacity',
  'period',
  'sim_card_type',
  'operator_id',
  'profile_id',
  'order',
  'created_at',
  'updated_at',
  'categories',
];

/** The contract's fields in the contract's order, each filled. */
const filled = {
  id: 31,
  name: 'بسته ۳۰ روزه',
  name_en: '30 days "unlimited"',
  description: 'ten gigabytes',
  description_full: 'ten gigabytes\nfor a month',
  sku: 'A-31',
  price: 330_000,
  second_price: 440_000,
  showable_price: 350_000,
  type: 'td_lte_internet',
  minimum_sale: 2,
  dimension: { width: 1, depth: [null, 2.5] },
  score: -4,
  status: 0,
  options: ['a', { b: false }],
  deliverable: 1,
  third_party_id: 'x-7',
  capacity: 10_240,
  period: 30,
  sim_card_type: 'permanent',
  operator_id: 2,
  profile_id: '0042',
  order: 5,
  created_at: '2026-01-31T09:30:00.000000Z',
  updated_at: '2026-02-01T23:59:59.123000Z',
  categories: [
    {
      id: 8,
      name: 'Monthly',
      data: '[{"id":81,"text":"30 days","parent":0}]',
      created_at: '2025-12-01T00:00:00.000000Z',
      updated_at: null,
      pivot: {
        categorizable_type: 'Product',
        categorizable_id: 31,
        category_id: 8,
        address: '81',
      },
    },
  ],
} as const;

const filledProduct: ImportedProduct = {
  ...filled,
  categories: filled.categories.map((category) => ({ ...category })),
};

describe('a product in the list', () => {
  let server: TestServer;
  before(async () => {
    const twoCategories = [sampleCategory(33, 9), sampleCategory(33, 7)];
    const { created_at: _, updated_at: __, ...undated } = sampleProduct({ id: 34 });
    server = await startServer({
      products: [
        filledProduct,
        sampleProduct({ id: 32, order: 6 }),
        sampleProduct({ id: 33, order: 7, categories: twoCategories }),
        { ...undated, order: 8 },
      ],
    });
  });
  after(() => server.stop());

  const RowsSchema = Type.Object({ data: Type.Array(Type.Record(Type.String(), Type.Unknown())) });
  const row = async (id: number): Promise<Record<string, unknown>> => {
    const { body } = await request(server, path);
    if (!Value.Check(RowsSchema, body)) assert.fail('not a page of products');
    const found = body.data.find((product) => product['id'] === id);
    assert.ok(found);
    return found;
  };

  test('has all 26 fields of the contract, in its order', async () => {
    assert.equal(fieldNames.length, 26);
    assert.deepEqual(Object.keys(await row(31)), fieldNames);
  });

  test('prints each value in the type that the contract names', async () => {
    assert.equal(JSON.stringify(await row(31)), JSON.stringify(filled));
  });

  test('omits profile_id if the product has none, and nothing else', async () => {
    const others = fieldNames.filter((name) => name !== 'profile_id');
    assert.deepEqual(Object.keys(await row(32)), others);
  });

  test('prints null for unset values, and an empty list for no categories', async () => {
    const product = await row(32);
    const empty = Object.keys(product).filter((name) => product[name] === null);
    assert.deepEqual(empty, [
      'name_en',
      'description_full',
      'sku',
      'second_price',
      'showable_price',
      'minimum_sale',
      'dimension',
      'options',
      'third_party_id',
      'capacity',
      'period',
      'created_at',
      'updated_at',
    ]);
    assert.deepEqual(product['categories'], []);
  });

  test('is listed with status 0 when it is switched off, and with 1 when it is not', async () => {
    assert.equal((await row(31))['status'], 0);
    assert.equal((await row(32))['status'], 1);
  });

  test('carries times like 2026-01-31T09:30:00.000000Z, even if the import set them', async () => {
    const { created_at, updated_at } = await row(34);
    for (const time of [created_at, updated_at]) {
      assert.match(String(time), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}000Z$/);
      assert.ok(!Number.isNaN(Date.parse(String(time))));
    }
  });

  test('carries its categories in its own order, each with the link as pivot', async () => {
    const { categories } = await row(33);
    assert.deepEqual(categories, [sampleCategory(33, 9), sampleCategory(33, 7)]);
  });
});

describe('the envelope', () => {
  test('has data, links, meta and balance, in this order, as JSON in UTF-8', async () => {
    await withServer({ products: [sampleProduct({ id: 1 })] }, async (server) => {
      const { body, headers } = await request(server, path);
      if (!Value.Check(PageSchema, body)) assert.fail('not a page');
      assert.deepEqual(Object.keys(body), ['data', 'links', 'meta', 'balance']);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });
  });

  test('of an empty catalogue is page 1 of 1 without items', async () => {
    await withServer({}, async (server) => {
      const { data, links, meta } = pageOf(await request(server, path));
      const url = `${server.url}${path}?page=1`;
      assert.deepEqual(data, []);
      assert.deepEqual(links, { first: url, last: url, prev: null, next: null });
      assert.deepEqual([meta.from, meta.to, meta.total, meta.last_page], [null, null, 0, 1]);
      assert.equal(meta.per_page, 100);
    });
  });
});

describe('access', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('a request without a token is 401 TOKEN_MISSING', async () => {
    const answer = await request(server, path, { token: null });
    assert.equal(answer.status, 401);
    assert.equal(errorOf(answer).code, 'TOKEN_MISSING');
  });

  test('a token without the scope of the catalogue is 403 SCOPE_MISSING', async () => {
    const { token } = await createToken(server.deps, server.client.id, { scopes: ['offers'] });
    const answer = await request(server, path, { token });
    assert.equal(answer.status, 403);
    assert.equal(errorOf(answer).code, 'SCOPE_MISSING');
  });

  test('another method than GET and HEAD is 405 and says what is allowed', async () => {
    const answer = await request(server, path, { method: 'DELETE' });
    assert.equal(answer.status, 405);
    assert.equal(errorOf(answer).code, 'METHOD_NOT_ALLOWED');
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  });
});

describe('the order', () => {
  let server: TestServer;
  const position = new Map([
    [1, 20],
    [2, 10],
    [3, 20],
    [4, -5],
    [5, 10],
  ]);
  before(async () => {
    const products = [3, 1, 5, 2, 4].map((id) =>
      sampleProduct({ id, order: position.get(id) ?? 0 }),
    );
    server = await startServer({ products });
  });
  after(() => server.stop());

  const listed = async (query: string): Promise<number[]> =>
    idsOf(await request(server, path + query));

  test('is by `order` and then by `id` by default', async () => {
    assert.deepEqual(await listed(''), [4, 2, 5, 1, 3]);
  });

  test('is by id for order=id', async () => {
    assert.deepEqual(await listed('?order=id'), [1, 2, 3, 4, 5]);
  });

  test('is ascending for type_order=asc, as without it', async () => {
    assert.deepEqual(await listed('?type_order=asc'), [4, 2, 5, 1, 3]);
    assert.deepEqual(await listed('?order=id&type_order=asc'), [1, 2, 3, 4, 5]);
  });

  test('is reversed in all its keys for type_order=desc', async () => {
    assert.deepEqual(await listed('?type_order=desc'), [3, 1, 5, 2, 4]);
    assert.deepEqual(await listed('?order=id&type_order=desc'), [5, 4, 3, 2, 1]);
  });

  test('takes type_order in either case of letters', async () => {
    for (const word of ['DESC', 'Desc', 'dEsC']) {
      assert.deepEqual(await listed(`?order=id&type_order=${word}`), [5, 4, 3, 2, 1]);
    }
    assert.deepEqual(await listed('?order=id&type_order=ASC'), [1, 2, 3, 4, 5]);
  });

  test('takes an empty value for an absent one', async () => {
    assert.deepEqual(await listed('?order=&type_order='), [4, 2, 5, 1, 3]);
    assert.deepEqual(await listed('?order&type_order'), [4, 2, 5, 1, 3]);
    assert.deepEqual(await listed('?order=%20&type_order=desc'), [3, 1, 5, 2, 4]);
  });

  test('runs on from page to page', async () => {
    const pages = ['1', '2', '3'].map((page) => listed(`?type_order=desc&per_page=2&page=${page}`));
    assert.deepEqual(await Promise.all(pages), [[3, 1], [5, 2], [4]]);
  });

  test('by anything but id is 422 and says what is allowed', async () => {
    for (const value of ['price', 'ID', 'order', 'id,name']) {
      const answer = await request(server, `${path}?order=${value}`);
      const { code, errors, charged, retry } = errorOf(answer);
      assert.equal(answer.status, 422);
      assert.deepEqual([code, charged, retry], ['VALIDATION_FAILED', 'no', 'no']);
      assert.deepEqual(Object.keys(errors ?? {}), ['order']);
      assert.match(String(errors?.['order']), /one of: id\b/);
    }
  });

  test('in any direction but asc and desc is 422 and says what is allowed', async () => {
    const answer = await request(server, `${path}?type_order=up`);
    assert.equal(answer.status, 422);
    const { errors } = errorOf(answer);
    assert.deepEqual(Object.keys(errors ?? {}), ['type_order']);
    assert.match(String(errors?.['type_order']), /one of: asc, desc\b/);
  });

  test('is reported for both parameters if both are wrong', async () => {
    const answer = await request(server, `${path}?type_order=up&order=down`);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(errorOf(answer).errors ?? {}).sort(), ['order', 'type_order']);
  });
});

describe('paging', () => {
  let server: TestServer;
  before(async () => {
    const products = Array.from({ length: 230 }, (_, index) => sampleProduct({ id: index + 1 }));
    server = await startServer({ products });
  });
  after(() => server.stop());

  const page = async (query: string) => pageOf(await request(server, path + query));

  test('shows 100 products a page by default', async () => {
    const { data, meta } = await page('');
    assert.equal(data.length, 100);
    assert.deepEqual([meta.per_page, meta.last_page, meta.total], [100, 3, 230]);
    assert.deepEqual([meta.current_page, meta.from, meta.to], [1, 1, 100]);
  });

  test('shows as many as per_page asks for, from 1 to 100', async () => {
    for (const count of [1, 7, 99, 100]) {
      const { data, meta } = await page(`?per_page=${count}`);
      assert.deepEqual([data.length, meta.per_page], [count, count]);
    }
  });

  test('shows 100 where per_page asks for more', async () => {
    for (const count of ['101', '1000', '9007199254740991', '99999999999999999999']) {
      const { data, meta } = await page(`?per_page=${count}`);
      assert.deepEqual([data.length, meta.per_page], [100, 100], count);
    }
  });

  const notPositive = ['0', '-1', '', 'abc', '2.0', '1e2', '02', '9007199254740992'];

  test('shows 100 where per_page is not a positive integer', async () => {
    for (const value of notPositive) {
      assert.equal((await page(`?per_page=${value}`)).meta.per_page, 100, value);
    }
  });

  test('shows page 1 where page is not a positive integer', async () => {
    for (const value of notPositive) {
      const { data, meta } = await page(`?page=${value}`);
      assert.deepEqual([data[0]?.id, meta.current_page], [1, 1], value);
    }
  });

  test('takes a leading plus sign and surrounding white space', async () => {
    for (const value of ['%2B3', '+3', '3+', '%203%20', '%093%0A', '+%2B3+']) {
      const { data, meta } = await page(`?per_page=${value}&page=${value}`);
      assert.deepEqual([data.map(({ id }) => id), meta.current_page], [[7, 8, 9], 3], value);
    }
  });

  test('takes the last of duplicates', async () => {
    const { meta } = await page('?page=2&per_page=5&page=4&per_page=10');
    assert.deepEqual([meta.current_page, meta.per_page, meta.from], [4, 10, 31]);
  });

  test('shows the rest on the last page', async () => {
    const { data, links, meta } = await page('?page=3');
    assert.deepEqual([data.length, meta.from, meta.to, links.next], [30, 201, 230, null]);
  });

  test('shows an empty page with status 200 past the end', async () => {
    const { data, links, meta } = await page('?page=9');
    assert.deepEqual(data, []);
    assert.deepEqual([meta.current_page, meta.from, meta.to], [9, null, null]);
    assert.deepEqual([links.prev, links.next], [`${server.url}${path}?page=8`, null]);
  });

  test('takes the largest exact page number', async () => {
    const { data, links, meta } = await page('?page=9007199254740991');
    assert.deepEqual([data, meta.current_page], [[], 9_007_199_254_740_991]);
    assert.equal(links.prev, `${server.url}${path}?page=9007199254740990`);
  });

  test('keeps the other parameters in every link, in their order, with page last', async () => {
    const { links } = await page("?page=2&b=%C3%A9+x&per_page=10&a=(1)&it's=~");
    const kept = 'b=%C3%A9%20x&per_page=10&a=%281%29&it%27s=~';
    assert.equal(links.first, `${server.url}${path}?${kept}&page=1`);
    assert.equal(links.next, `${server.url}${path}?${kept}&page=3`);
  });
});

describe('the balance', () => {
  const withClient = shareServer();
  const balanceOf = async (server: TestServer, token = server.client.token): Promise<number> =>
    pageOf(await request(server, path, { token })).balance;

  test("is the asking client's own", async () => {
    await withClient(async (server) => {
      const other = await addClient(server, { balance: 70 });
      assert.equal(await balanceOf(server), 500);
      assert.equal(await balanceOf(server, other.token), 70);
    }, 500);
  });

  test('shows a deposit at once', async () => {
    await withClient(async (server) => {
      await deposit(server.deps, { clientId: server.client.id, amount: 25 });
      assert.equal(await balanceOf(server), 525);
    }, 500);
  });

  test('excludes funds that are held for purchases in flight', async () => {
    await withClient(async (server) => {
      const post = (kind: 'hold' | 'capture' | 'release', amount: number, purchaseId: string) =>
        server.deps.db
          .transaction()
          .execute((db) => writePostings(db, server.client.id, [{ kind, amount, purchaseId }], 0));
      await post('hold', 120, 'first');
      await post('hold', 80, 'second');
      assert.equal(await balanceOf(server), 300);
      await post('capture', 120, 'first');
      assert.equal(await balanceOf(server), 300);
      await post('release', 80, 'second');
      assert.equal(await balanceOf(server), 380);
    }, 500);
  });
});

describe('caching', () => {
  let server: TestServer;
  const clock = manualClock();
  before(async () => {
    server = await startServer({ products: [1, 2, 3].map((id) => sampleProduct({ id })), clock });
  });
  after(() => server.stop());

  const tagOf = async (
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const answer = await rawRequest(server, target, { headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.headers.etag ?? assert.fail('no ETag');
  };

  test('is private and asks to revalidate, because the answer carries the balance', async () => {
    const { headers } = await request(server, path);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });

  test('gives the same ETag for the same answer, and 304 without a body to a client that has it', async () => {
    const etag = await tagOf(path);
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(await tagOf(path), etag);
    const answer = await request(server, path, { headers: { 'if-none-match': etag } });
    assert.equal(answer.status, 304);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('etag'), etag);
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
  });

  test('answers 304 to a list that holds the ETag, to its weak form, and to a star', async () => {
    const etag = await tagOf(path);
    for (const header of [`"other", ${etag}`, `W/${etag}`, '*']) {
      const { status } = await request(server, path, { headers: { 'if-none-match': header } });
      assert.equal(status, 304, header);
    }
  });

  test('answers in full to a client with another ETag', async () => {
    const answer = await request(server, path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(pageOf(answer).data.length, 3);
  });

  test('gives another ETag for another query', async () => {
    const targets = ['', '?page=2', '?per_page=2', '?order=id', '?x=1'].map(
      (query) => path + query,
    );
    const tags = await Promise.all(targets.map((target) => tagOf(target)));
    assert.equal(new Set(tags).size, targets.length);
  });

  test('gives another ETag for another host, whose links differ', async () => {
    const tags = [
      await tagOf(path, { host: 'a.example' }),
      await tagOf(path, { host: 'b.example' }),
    ];
    assert.notEqual(tags[0], tags[1]);
  });

  test('gives another ETag after the balance has changed', async () => {
    const etag = await tagOf(path);
    await deposit(server.deps, { clientId: server.client.id, amount: 1 });
    const answer = await request(server, path, { headers: { 'if-none-match': etag } });
    assert.equal(pageOf(answer).balance, 1_000_001);
    assert.notEqual(answer.headers.get('etag'), etag);
  });

  test('gives another ETag to a client with another balance', async () => {
    const other = await addClient(server, { balance: 7 });
    const { headers } = await request(server, path, { token: other.token });
    assert.notEqual(headers.get('etag'), await tagOf(path));
  });

  test('gives another ETag and the new products within a second of a change', async () => {
    const etag = await tagOf(path);
    const changed = sampleProduct({ id: 2, name: 'Changed', order: 1 });
    await importProducts(server.deps, [changed, sampleProduct({ id: 4 })]);
    await clock.advance(1000);
    // The poll began within that second; loading the change may still be in progress.
    let answer = await request(server, path, { headers: { 'if-none-match': etag } });
    for (let tries = 0; tries < 100 && answer.status === 304; tries += 1) {
      answer = await request(server, path, { headers: { 'if-none-match': etag } });
    }
    assert.deepEqual(idsOf(answer), [1, 3, 4, 2]);
    assert.match(answer.text, /"name":"Changed"/);
    assert.notEqual(answer.headers.get('etag'), etag);
  });

  test('keeps the ETag where an import changes nothing', async () => {
    const etag = await tagOf(path);
    await importProducts(server.deps, [sampleProduct({ id: 1 })]);
    await clock.advance(1000);
    assert.equal(await tagOf(path), etag);
  });

  test('answers HEAD as GET, without the body', async () => {
    const get = await rawRequest(server, path);
    const head = await rawRequest(server, path, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag']) {
      assert.ok(get.headers[name]);
      assert.equal(head.headers[name], get.headers[name], name);
    }
    const unchanged = await rawRequest(server, path, {
      method: 'HEAD',
      headers: { 'if-none-match': get.headers.etag ?? '' },
    });
    assert.equal(unchanged.status, 304);
  });
});

describe('absolute addresses', () => {
  const products = [1, 2, 3].map((id) => sampleProduct({ id }));
  const forwarded = {
    host: 'inner.example:8080',
    'x-forwarded-host': 'outer.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '192.0.2.7',
  };

  const addresses = async (
    config: TestOptions['config'],
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string[]> => {
    let found: string[] = [];
    await withServer({ products, ...(config === undefined ? {} : { config }) }, async (server) => {
      const { meta, links } = pageOf(await rawRequest(server, target, { headers }));
      found = [meta.path, links.first, links.next ?? ''];
    });
    return found;
  };

  const startingWith = (start: string): string[] => [
    `${start}${path}`,
    `${start}${path}?per_page=2&page=1`,
    `${start}${path}?per_page=2&page=2`,
  ];

  test("start with the request's own scheme and Host", async () => {
    for (const host of ['shop.example', 'shop.example:8443', 'localhost', '[::1]:3000']) {
      const found = await addresses({}, `${path}?per_page=2`, { host });
      assert.deepEqual(found, startingWith(`http://${host}`));
    }
  });

  test('start with PUBLIC_URL if it is set, whatever the Host is', async () => {
    const found = await addresses({ publicUrl: 'https://api.example' }, `${path}?per_page=2`, {
      host: 'inner.example',
    });
    assert.deepEqual(found, startingWith('https://api.example'));
  });

  test('keep the path prefix of PUBLIC_URL', async () => {
    const found = await addresses(
      { publicUrl: 'https://api.example/sim/v1' },
      `${path}?per_page=2`,
    );
    assert.deepEqual(found, startingWith('https://api.example/sim/v1'));
  });

  test('ignore forwarded headers if no proxy is trusted', async () => {
    const found = await addresses({}, `${path}?per_page=2`, forwarded);
    assert.deepEqual(found, startingWith('http://inner.example:8080'));
  });

  test('ignore forwarded headers from an address that is not a trusted proxy', async () => {
    const found = await addresses(
      { trustedProxies: ['192.0.2.1'] },
      `${path}?per_page=2`,
      forwarded,
    );
    assert.deepEqual(found, startingWith('http://inner.example:8080'));
  });

  test('follow forwarded headers from a trusted proxy', async () => {
    const found = await addresses(
      { trustedProxies: ['127.0.0.1'] },
      `${path}?per_page=2`,
      forwarded,
    );
    assert.deepEqual(found, startingWith('https://outer.example'));
  });

  test('start with PUBLIC_URL before forwarded headers of a trusted proxy', async () => {
    const config = { trustedProxies: ['127.0.0.1'], publicUrl: 'https://api.example' };
    const found = await addresses(config, `${path}?per_page=2`, forwarded);
    assert.deepEqual(found, startingWith('https://api.example'));
  });

  test('never carry the trailing slash of the request', async () => {
    const found = await addresses({ publicUrl: 'https://api.example' }, `${path}/?per_page=2`);
    assert.deepEqual(found, startingWith('https://api.example'));
  });

  test('are the same for a request line with an absolute URL, as proxies send it', async () => {
    const found = await addresses({}, `http://shop.example${path}?per_page=2`, {
      host: 'shop.example',
    });
    assert.deepEqual(found, startingWith('http://shop.example'));
  });

  test('are refused as malformed if the Host is invalid', async () => {
    await withServer({ products }, async (server) => {
      const answer = await rawRequest(server, path, { headers: { host: 'a b"<' } });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /"code":"MALFORMED_REQUEST"/);
    });
  });
});

test('the list answers with and without its trailing slash, the same', async () => {
  await withServer({ products: [sampleProduct({ id: 1 })] }, async (server) => {
    for (const query of ['', '?page=2&per_page=1', '?order=id&x=%2F']) {
      const without = await rawRequest(server, path + query);
      const withSlash = await rawRequest(server, `${path}/${query}`);
      assert.equal(without.status, 200);
      assert.equal(withSlash.status, 200);
      assert.equal(withSlash.text, without.text);
      assert.equal(withSlash.headers['cache-control'], without.headers['cache-control']);
      assert.equal(withSlash.headers['etag'], without.headers['etag']);
    }
  });
});

describe('A page that is asked for again', () => {
  const pages = ['', '?page=1', '?per_page=2', '?page=2&per_page=1&x=%D9%BE', '/?page=1'];
  const withClient = shareServer({ products: [1, 2, 3].map((id) => sampleProduct({ id })) });

  /** All but what is new in every answer. */
  const lasting = ({ status, headers, text }: Answer) => {
    const rest = [...headers].filter(
      ([name]) => !['date', 'request-id', 'ratelimit'].includes(name),
    );
    return { status, headers: Object.fromEntries(rest), text };
  };

  test('is the same answer, header for header and byte for byte', () =>
    withClient(async (server) => {
      for (const page of pages) {
        const first = await request(server, path + page);
        const again = await request(server, path + page);
        assert.equal(first.status, 200, first.text);
        assert.deepEqual(lasting(again), lasting(first), page);
        assert.notEqual(again.headers.get('request-id'), first.headers.get('request-id'));
      }
    }));

  test('carries the asking client’s current balance', () =>
    withClient(async (server) => {
      const other = await addClient(server, { balance: 5 });
      const balanceFor = async (token: string): Promise<number> =>
        pageOf(await request(server, path, { token })).balance;
      const { client } = server;
      for (let round = 0; round < 2; round += 1) {
        assert.equal(await balanceFor(client.token), 1_000_000);
        assert.equal(await balanceFor(other.token), 5 + round);
        await deposit(server.deps, { clientId: other.id, amount: 1 });
      }
    }));

  test('is refused to a token without permission, as it was the first time', () =>
    withClient(async (server) => {
      await request(server, path);
      const scopes = ['purchase'] as const;
      const { token } = await createToken(server.deps, server.client.id, { scopes });
      for (let round = 0; round < 3; round += 1) {
        assert.equal(errorOf(await request(server, path, { token })).code, 'SCOPE_MISSING');
        const wrong = await request(server, path, { token: `${server.client.token}x` });
        assert.equal(errorOf(wrong).code, 'TOKEN_INVALID');
      }
    }));

  test('is refused to a client who was suspended, and from a network that is not allowed', () =>
    withClient(async (server) => {
      const away = { networks: ['10.0.0.0/8'] };
      const { token: bound } = await createToken(server.deps, server.client.id, away);
      const other = await addClient(server);
      await updateClient(server.deps, other.id, { status: 'suspended' });
      for (let round = 0; round < 3; round += 1) {
        assert.equal((await request(server, path)).status, 200);
        assert.equal(errorOf(await request(server, path, { token: bound })).code, 'IP_NOT_ALLOWED');
        const { token } = other;
        assert.equal(errorOf(await request(server, path, { token })).code, 'CLIENT_SUSPENDED');
      }
    }));
});
