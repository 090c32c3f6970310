/** Tests the catalogue in the back office: lists, switches, prices and imports, and what clients see of them. */
import assert from 'node:assert/strict';
import { request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { createPasswords } from '../../src/admin/access/passwords/password.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { foldName, nameContains } from '../../src/catalogue/filter.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { readVersion } from '../../src/db/changes/versions.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { at, listOf } from '../support/answers.ts';
import { importProducts } from '../support/import-products.ts';
import { eventually, parsed } from '../support/live.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';

const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };
const command = { accountId: null, name: 'root', address: null };
const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
const here = { 'sec-fetch-site': 'same-origin' };
const base = '/admin/api/catalogue';
const all = demoCatalogue();

let server: TestServer;
let manager: Readonly<Record<string, string>>;

const signIn = async (role: 'viewer' | 'manager'): Promise<Readonly<Record<string, string>>> => {
  const deps = {
    ...server.deps,
    limits,
    passwords: createPasswords({ random: systemRandom }),
    retryLocked: createLockRetry(systemClock),
  };
  const { account } = await createAccount(deps, command, { name: `the-${role}`, role });
  const { token } = await server.deps.db
    .transaction()
    .execute((db) => openSession(db, deps, account, { visitor, stage: 'full' }));
  return { ...here, cookie: `simgate-admin=${token}` };
};

before(async () => {
  server = await startServer({ products: all });
  manager = await signIn('manager');
});
after(() => server.stop());

const get = (path: string): Promise<Answer> =>
  request(server, `${base}/${path}`, { token: null, headers: manager });
const post = (path: string, json: unknown): Promise<Answer> =>
  request(server, `${base}/${path}`, { token: null, headers: manager, json });

const codeIn = ({ body }: Answer): unknown => at(body, 'code');
const idsIn = ({ body }: Answer): unknown[] => listOf(at(body, 'data')).map((one) => at(one, 'id'));
const stored = async (id: number) =>
  (await readCatalogue(server.deps.db)).products.find((one) => one.id === id);
const versionNow = (): Promise<string> => readVersion(server.deps.db, 'catalogue');

/** The newest entries of the audit about the catalogue. */
const audited = async (): Promise<readonly unknown[]> => {
  const path = '/admin/api/audit?subject=catalogue';
  return listOf(at((await request(server, path, { token: null, headers: manager })).body, 'data'));
};

const packageOf = (operatorId: number) => {
  const found = all.find(
    (one) =>
      one.operator_id === operatorId &&
      one.type === 'cell_internet' &&
      ![510, 511].includes(one.id),
  );
  assert.ok(found !== undefined);
  return found;
};

describe('The list of products', () => {
  const listed = async (query: string): Promise<number[]> => {
    const ids: number[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await get(`products?limit=100&page=${page}&${query}`);
      assert.equal(answer.status, 200, answer.text);
      ids.push(...idsIn(answer).map(Number));
      if (ids.length >= Number(at(answer.body, 'total'))) return ids;
      assert.ok(idsIn(answer).length > 0);
    }
  };
  const idsOf = (fits: (one: (typeof all)[number]) => boolean): number[] =>
    all
      .filter(fits)
      .map(({ id }) => id)
      .sort((one, other) => one - other);

  test('finds by each field, by part of a name, by an id, and by several at once', async () => {
    const part = foldName('10 gb');
    const named = (one: (typeof all)[number]): boolean =>
      [one.name, one.name_en ?? ''].some((name) => nameContains(foldName(name), part));
    assert.deepEqual(
      await listed(''),
      idsOf(() => true),
    );
    assert.deepEqual(
      await listed('operator_id=2'),
      idsOf((one) => one.operator_id === 2),
    );
    assert.deepEqual(
      await listed('type=td_lte_internet'),
      idsOf((one) => one.type === 'td_lte_internet'),
    );
    assert.deepEqual(
      await listed('sim_card_type=credit'),
      idsOf((one) => one.sim_card_type === 'credit'),
    );
    assert.deepEqual(
      await listed('on=0'),
      idsOf((one) => one.status === 0),
    );
    assert.deepEqual(
      await listed('category_id=3'),
      idsOf((one) => one.categories.some(({ id }) => id === 3)),
    );
    assert.deepEqual(await listed('search=10+gb'), idsOf(named));
    assert.ok(idsOf(named).length > 1);
    const { id } = packageOf(1);
    assert.ok((await listed(`search=${id}`)).includes(id));
    assert.deepEqual(
      await listed('search=10+gb&operator_id=1&on=1'),
      idsOf((one) => named(one) && one.operator_id === 1 && one.status === 1),
    );
    assert.deepEqual(await listed('search=nothing+has+this+name'), []);
  });

  test('is sorted both ways, in pages, and names its version', async () => {
    const cheap = await listed('sort=price');
    const priceOf = new Map(all.map(({ id, price }) => [id, price]));
    const prices = cheap.map((id) => priceOf.get(id) ?? -1);
    assert.deepEqual(
      prices,
      prices.toSorted((one, other) => one - other),
    );
    assert.deepEqual(await listed('sort=price&order=desc'), cheap.toReversed());
    assert.deepEqual(new Set(await listed('sort=name')), new Set(cheap));
    const page = await get('products?limit=7&page=2');
    assert.deepEqual(idsIn(page), (await listed('')).slice(7, 14));
    assert.equal(at(page.body, 'version'), await versionNow());
    assert.deepEqual(idsIn(await get('products?limit=100&page=1000')), []);
    assert.equal((await get('products?on=maybe')).status, 422);
  });

  test('has each product with all its fields, and categories with their product counts', async () => {
    const { id } = packageOf(3);
    const one = await get(`products/${id}`);
    assert.deepEqual(one.body, { ...(await stored(id)), on: true });
    assert.equal(codeIn(await get('products/999999')), 'PRODUCT_NOT_FOUND');
    const first = listOf(at((await get('categories')).body, 'data'))[0];
    const expected = all.filter(({ categories }) => categories.some((own) => own.id === 1));
    assert.deepEqual([at(first, 'id'), at(first, 'products')], [1, expected.length]);
  });

  test('is exported as a file that equals the catalogue', async () => {
    const { products } = await readCatalogue(server.deps.db);
    for (const format of ['csv', 'json'] as const) {
      const { text, headers } = await get(`export?format=${format}`);
      assert.equal(text, [...printCatalogue(products, format)].join(''));
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`products\\.${format}`));
    }
  });
});

const buy = (id: number, price: number): Promise<Answer> =>
  request(server, '/api/top-up/package/', {
    headers: { 'idempotency-key': `key-${Math.random()}` },
    json: { product_id: id, price, mobile: '989121234500', webservice_code: 'a' },
  });

describe('A product that is switched off', () => {
  test('is listed, not sold, sent to copies as a change, and on again unchanged', async () => {
    const { id, price } = packageOf(1);
    const before = await stored(id);
    const copy = await request(server, '/api/clients/products?updated_since=2100-01-01');
    const since = String(at(copy.body, 'next_updated_since'));
    const off = await post('switch', { product_ids: [id, id], on: false });
    assert.deepEqual([off.status, at(off.body, 'changed')], [200, 1], off.text);
    assert.equal(at(off.body, 'version'), await versionNow());
    assert.equal(codeIn(await buy(id, price)), 'PRODUCT_INACTIVE');
    assert.equal(at((await get(`products/${id}`)).body, 'on'), false);
    const seen = await request(server, `/api/clients/products?updated_since=${since}`);
    assert.deepEqual(idsIn(seen), [id]);
    const between = await stored(id);
    assert.deepEqual({ ...between, status: 1, updated_at: before?.updated_at }, before);
    assert.notEqual(between?.updated_at, before?.updated_at);
    const [entry] = await audited();
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'actor'), at(entry, 'before', 'product_ids')],
      ['catalogue switch', 'the-manager', [id]],
    );
    assert.deepEqual([at(entry, 'before', 'on'), at(entry, 'after', 'on')], [true, false]);
    assert.equal((await post('switch', { product_ids: [id], on: true })).status, 200);
    assert.equal((await buy(id, price)).status, 200);
  });

  test('is switched together with all named ones, or none is', async () => {
    const [version, entries] = [await versionNow(), (await audited()).length];
    const { id } = packageOf(1);
    const wrong = await post('switch', { product_ids: [id, 999_999], on: false });
    assert.deepEqual([wrong.status, codeIn(wrong)], [404, 'PRODUCT_NOT_FOUND']);
    assert.match(String(at(wrong.body, 'message')), /999999/);
    const same = await post('switch', { product_ids: [id], on: true });
    assert.deepEqual(same.body, { changed: 0, version });
    assert.equal(await versionNow(), version);
    assert.equal((await audited()).length, entries);
  });
});

describe('A change of prices', () => {
  const wish = {
    which: { filter: { operator_id: 4, type: 'cell_internet' } },
    change: { percent: '5.5' },
    round_to: 100,
  };

  test('is previewed, then applied exactly; clients buy at the new price at once', async () => {
    const seen = await post('prices/preview', wish);
    assert.equal(seen.status, 200, seen.text);
    const moves = listOf(at(seen.body, 'data'));
    const { id, price } = packageOf(4);
    const move = moves.find((one) => at(one, 'id') === id);
    const next = Math.floor((price * 1055 + 50_000) / 100_000) * 100;
    assert.deepEqual(
      [at(move, 'field'), at(move, 'before'), at(move, 'after')],
      ['price', price, next],
    );
    assert.equal((await stored(id))?.price, price);
    const done = await post('prices', { ...wish, digest: at(seen.body, 'digest') });
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(done.body, { changed: at(seen.body, 'changed'), version: await versionNow() });
    for (const one of moves) {
      const now = at((await get(`products/${String(at(one, 'id'))}`)).body, 'price');
      assert.equal(now, at(one, 'after'));
    }
    assert.equal((await buy(id, price)).status, 422);
    assert.equal((await buy(id, next)).status, 200);
    const [entry] = await audited();
    assert.equal(at(entry, 'action'), 'catalogue prices');
    assert.equal(at(entry, 'after', 'change', 'percent'), '5.5');
    const audit = (side: string): unknown =>
      listOf(at(entry, side, 'prices')).find((one) => at(one, 'id') === id);
    assert.deepEqual(audit('before'), { id, field: 'price', value: price });
    assert.deepEqual(audit('after'), { id, field: 'price', value: next });
    const twice = await post('prices', { ...wish, digest: at(seen.body, 'digest') });
    assert.deepEqual([twice.status, codeIn(twice)], [409, 'CATALOGUE_CHANGED']);
  });

  test('is refused if the catalogue or the request has changed since the preview, and changes nothing', async () => {
    const digest = at((await post('prices/preview', wish)).body, 'digest');
    const before = await versionNow();
    const other = await post('prices', { ...wish, round_to: 10, digest });
    assert.deepEqual([other.status, codeIn(other)], [409, 'CATALOGUE_CHANGED']);
    assert.equal(await versionNow(), before);
    await importProducts(server.deps, [{ ...packageOf(5), description: 'Another one.' }]);
    const version = await versionNow();
    const late = await post('prices', { ...wish, digest });
    assert.deepEqual([late.status, codeIn(late)], [409, 'CATALOGUE_CHANGED']);
    assert.equal(await versionNow(), version);
  });

  test('reports what it cannot change, and invalid requests', async () => {
    const preview = (body: object): Promise<Answer> =>
      post('prices/preview', { ...wish, which: { product_ids: [510, 999_999] }, ...body });
    const { body } = await preview({});
    assert.deepEqual(at(body, 'refused'), [
      { id: 510, code: 'set_by_operator' },
      { id: 999_999, code: 'not_found' },
    ]);
    assert.deepEqual([at(body, 'changed'), at(body, 'refused_count')], [0, 2]);
    for (const wrong of [
      { change: { percent: 'much' } },
      { change: { percent: '1', amount: 1 } },
      { change: {} },
      { which: {} },
      { round_to: 7 },
      { fields: ['minimum_sale'] },
    ]) {
      assert.equal((await preview(wrong)).status, 422, JSON.stringify(wrong));
    }
  });
});

type Lines = { readonly progress: readonly unknown[]; readonly last: unknown };

const send = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<Answer & Lines> => {
  const headers = { ...manager, 'content-type': type };
  const answer = await request(server, `${base}/${path}`, {
    token: null,
    method: 'POST',
    headers,
    body,
  });
  const lines: unknown[] = answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  return { ...answer, progress: lines.slice(0, -1), last: lines.at(-1) };
};

describe('An import', () => {
  const fileOf = (...products: readonly object[]): string => JSON.stringify(products);
  const one = {
    id: 900_001,
    name: 'New',
    price: 5,
    type: 'cell_internet',
    sim_card_type: 'credit',
    operator_id: 1,
  };

  test('is previewed, then applied exactly', async () => {
    const { id, ...rest } = packageOf(5);
    const changed = { ...rest, id, price: 777, updated_at: undefined };
    const file = fileOf(one, changed);
    const seen = await send('import/preview', file);
    assert.equal(seen.status, 200, seen.text);
    assert.match(seen.headers.get('content-type') ?? '', /^application\/x-ndjson/);
    assert.ok(
      seen.progress.length > 0 && seen.progress.every((line) => at(line, 'progress') !== undefined),
    );
    const result = at(seen.last, 'result');
    assert.deepEqual(
      [at(result, 'created'), at(result, 'updated'), at(result, 'removed'), at(result, 'problems')],
      [1, 1, 0, []],
    );
    const [first, second] = listOf(at(result, 'diff'));
    assert.deepEqual([at(first, 'id'), at(first, 'kind')], [one.id, 'new']);
    assert.deepEqual([at(second, 'id'), at(second, 'kind')], [id, 'changed']);
    const price = listOf(at(second, 'fields')).find((field) => at(field, 'field') === 'price');
    assert.deepEqual(price, { field: 'price', before: rest.price, after: 777 });
    assert.equal(await stored(one.id), undefined);
    const digest = String(at(result, 'digest'));
    const other = await send(`import?digest=${digest}`, fileOf(one));
    assert.equal(at(other.last, 'error', 'code'), 'CATALOGUE_CHANGED');
    assert.equal(await stored(one.id), undefined);
    const done = await send(`import?digest=${digest}`, file);
    const version = await versionNow();
    assert.deepEqual(done.last, {
      result: { created: 1, updated: 1, unchanged: 0, removed: 0, version },
    });
    assert.equal(at((await get(`products/${one.id}`)).body, 'price'), 5);
    const [entry] = await audited();
    assert.deepEqual([at(entry, 'action'), at(entry, 'after', 'created')], ['catalogue import', 1]);
    const again = await send(`import?digest=${digest}`, file);
    assert.equal(at(again.last, 'error', 'code'), 'CATALOGUE_CHANGED');
  });

  test('takes CSV with a byte order mark, larger than any other body, and removes what is missing', async () => {
    const { products } = await readCatalogue(server.deps.db);
    const file = `\uFEFF${[
      ...printCatalogue(
        products.filter(({ id }) => id !== one.id),
        'csv',
      ),
    ].join('')}`;
    assert.ok(file.length > 65_536);
    const path = 'format=csv&remove_missing=1';
    const seen = await send(`import/preview?${path}`, file, 'text/csv; charset=utf-8');
    const result = at(seen.last, 'result');
    assert.deepEqual([at(result, 'unchanged'), at(result, 'removed')], [products.length - 1, 1]);
    assert.deepEqual(at(result, 'diff'), [
      { id: one.id, name: 'New', kind: 'removed', fields: [] },
    ]);
    const digest = String(at(result, 'digest'));
    const kept = await send(`import?format=csv&digest=${digest}`, file, 'text/csv');
    assert.equal(
      at(kept.last, 'error', 'code'),
      'CATALOGUE_CHANGED',
      'what is to be removed counts',
    );
    const done = await send(`import?${path}&digest=${digest}`, file, 'text/csv');
    assert.equal(at(done.last, 'result', 'removed'), 1);
    assert.equal((await get(`products/${one.id}`)).status, 404);
  });

  test('with problems lists them by line, and is not applied', async () => {
    const version = await versionNow();
    const file = 'id,name,price,type,sim_card_type,operator_id\n1,a,x,cell_internet,credit,1\n';
    const seen = await send('import/preview', file, 'text/csv');
    const result = at(seen.last, 'result');
    assert.equal(at(result, 'problems', 0, 'line'), 2);
    assert.deepEqual([at(result, 'problem_count'), at(result, 'digest')], [1, null]);
    for (const [path, body] of [
      ['import/preview?remove_missing=1', '[]'],
      ['import/preview', ''],
      ['import/preview', new Uint8Array([0x5b, 0xff, 0x5d])],
    ] as const) {
      const { last } = await send(path, body);
      assert.equal(at(last, 'result', 'problem_count'), 1, path);
    }
    assert.equal(await versionNow(), version);
    assert.equal((await send('import/preview', 'x', 'text/plain')).status, 415);
    assert.equal((await send('import', '[]')).status, 422);
  });

  test('is not read without permission, and otherwise up to its limit', async () => {
    const viewer = await signIn('viewer');
    /** Announces a body and sends none of it: a server that reads it first would wait forever. */
    const announced = (
      headers: Readonly<Record<string, string>>,
      length: number,
    ): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = rawRequest(`${server.url}${base}/import/preview`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/csv', 'content-length': length },
        });
        sent.once('response', (response) => {
          resolve(response.statusCode ?? 0);
          sent.destroy();
        });
        sent.once('error', reject);
        sent.flushHeaders();
      });
    const large = 60 * 1024 * 1024;
    assert.equal(await announced(here, large), 401);
    assert.equal(await announced(viewer, large), 403);
    assert.equal(await announced({ cookie: manager['cookie'] ?? '' }, large), 403, 'forged');
    assert.equal(await announced(manager, 65 * 1024 * 1024), 413);
  });

  test('is one at a time', async () => {
    /** Announces a file and sends none of it; returns the answer, which an accepted one waits for. */
    const announced = (left: AbortSignal): Promise<unknown> =>
      new Promise((resolve) => {
        const sent = rawRequest(`${server.url}${base}/import/preview`, {
          method: 'POST',
          headers: { ...manager, 'content-type': 'text/csv', 'content-length': 1_000_000 },
          signal: left,
        });
        sent.once('error', () => {});
        sent.once('response', (response) => resolve(text(response).then(parsed)));
        sent.flushHeaders();
      });
    const left = new AbortController();
    try {
      const refused = await Promise.race([announced(left.signal), announced(left.signal)]);
      assert.equal(at(refused, 'code'), 'IMPORT_UNDER_WAY');
    } finally {
      left.abort();
    }
    await eventually('the next one is taken', async () => {
      const next = await send('import/preview', '[]');
      return next.status === 200;
    });
  });
});
