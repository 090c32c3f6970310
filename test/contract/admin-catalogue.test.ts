/** Tests the catalogue in the back office: lists, products, switches, prices and imports, and what clients see of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import { revisionOf } from '../../src/admin/catalogue/revision.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { foldName, nameContains } from '../../src/catalogue/filter.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { readVersion } from '../../src/db/changes/versions.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { at, listOf } from '../support/answers.ts';
import { importProducts } from '../support/import-products.ts';
import { eventually, parsed } from '../support/live.ts';
import { quickPasswords } from '../support/passwords.ts';
import { removeProducts } from '../support/remove-products.ts';
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
    passwords: quickPasswords,
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
      await listed('price_from=100000&price_to=500000'),
      idsOf((one) => one.price >= 100_000 && one.price <= 500_000),
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
    for (const sort of ['name', 'name_en', 'operator_id', 'type', 'period', 'updated_at']) {
      assert.deepEqual(new Set(await listed(`sort=${sort}`)), new Set(cheap), sort);
    }
    const latin = new Map(all.map((one) => [one.id, foldName(one.name_en ?? one.name).letters]));
    const names = (await listed('sort=name_en')).map((id) => latin.get(id) ?? '');
    assert.deepEqual(
      names,
      names.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)),
    );
    const page = await get('products?limit=7&page=2');
    assert.deepEqual(idsIn(page), (await listed('')).slice(7, 14));
    assert.equal(at(page.body, 'version'), await versionNow());
    assert.deepEqual(idsIn(await get('products?limit=100&page=1000')), []);
    assert.equal((await get('products?on=maybe')).status, 422);
  });

  test('has each product with all its fields, and categories with their product counts', async () => {
    const { id } = packageOf(3);
    const one = await get(`products/${id}`);
    const product = await stored(id);
    assert.ok(product !== undefined);
    assert.deepEqual(one.body, { ...product, on: true, revision: revisionOf(product) });
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

  test('is exported as the view shows it: filtered and sorted', async () => {
    const { products } = await readCatalogue(server.deps.db);
    const shown = products
      .filter((one) => one.operator_id === 2 && one.type === 'td_lte_internet')
      .sort((one, other) => other.price - one.price || other.id - one.id);
    assert.ok(shown.length > 1);
    const { text } = await get('export?operator_id=2&type=td_lte_internet&sort=price&order=desc');
    assert.equal(text, [...printCatalogue(shown, 'csv')].join(''));
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
    assert.deepEqual(done.body, {
      changed: at(seen.body, 'changed'),
      version: await versionNow(),
      change_id: at(done.body, 'change_id'),
    });
    assert.equal(typeof at(done.body, 'change_id'), 'string');
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
      { which: { filter: {} } },
      { which: { everything: false } },
      { which: { everything: true, filter: { operator_id: 4 } } },
      { round_to: 7 },
      { fields: ['minimum_sale'] },
    ]) {
      assert.equal((await preview(wrong)).status, 422, JSON.stringify(wrong));
    }
  });
});

const patch = (id: number, json: unknown): Promise<Answer> =>
  request(server, `${base}/products/${id}`, {
    token: null,
    headers: manager,
    method: 'PATCH',
    json,
  });

const revisionNow = async (id: number): Promise<unknown> =>
  at((await get(`products/${id}`)).body, 'revision');

/** The price history of a product: how, by whom, and its prices. */
const historyOf = async (id: number) =>
  listOf(at((await get(`products/${id}/prices`)).body, 'data')).map((one) => [
    at(one, 'via'),
    at(one, 'actor'),
    at(one, 'prices'),
  ]);

describe('A single product', () => {
  const fields = {
    name: 'بستهٔ تازه',
    price: 40_000,
    type: 'cell_internet',
    sim_card_type: 'credit',
    operator_id: 1,
    category_ids: [3],
  };

  test('is created once per key, sold at once, and audited', async () => {
    const before = await versionNow();
    const json = { fields, key: randomUUID() };
    const made = await post('products', json);
    assert.equal(made.status, 201, made.text);
    const id = Number(at(made.body, 'id'));
    assert.ok(all.every((one) => one.id < id));
    const product = await stored(id);
    const [category] = product?.categories ?? [];
    const known = all.flatMap(({ categories }) => categories).find((one) => one.id === 3);
    assert.deepEqual([category?.name, category?.data], [known?.name, known?.data]);
    assert.deepEqual([product?.status, product?.name_en], [1, null]);
    assert.equal((await buy(id, 40_000)).status, 200);
    const version = await versionNow();
    assert.notEqual(version, before);
    const again = await post('products', json);
    assert.deepEqual([again.status, again.body], [201, made.body]);
    const other = await post('products', { ...json, fields: { ...fields, price: 1 } });
    assert.deepEqual([other.status, codeIn(other)], [409, 'KEY_REUSED']);
    assert.equal(await versionNow(), version);
    const path = `/admin/api/audit?subject=product+${id}`;
    const { body } = await request(server, path, { token: null, headers: manager });
    const [entry, ...more] = listOf(at(body, 'data'));
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'after', 'price')],
      ['product create', 40_000],
    );
    assert.equal(more.length, 0);
  });

  test('is changed in the named fields only, by its current revision, once per key', async () => {
    const { id } = packageOf(3);
    const before = await stored(id);
    const revision = await revisionNow(id);
    const json = { fields: { price: 12_345, sku: 'A-1' }, revision, key: randomUUID() };
    const done = await patch(id, json);
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(done.body, { id, version: await versionNow() });
    const now = await stored(id);
    assert.deepEqual(now, {
      ...before,
      price: 12_345,
      sku: 'A-1',
      updated_at: now?.updated_at,
    });
    assert.equal((await buy(id, 12_345)).status, 200);
    assert.deepEqual((await patch(id, json)).body, done.body);
    const late = await patch(id, { ...json, fields: { price: 1 }, key: randomUUID() });
    assert.deepEqual([late.status, codeIn(late)], [409, 'PRODUCT_CHANGED']);
    assert.deepEqual(await stored(id), now);
    const [newest] = await historyOf(id);
    const prices = [{ field: 'price', before: before?.price, after: 12_345 }];
    assert.deepEqual(newest, ['edit', 'the-manager', prices]);
    const same = await patch(id, {
      fields: { price: 12_345 },
      revision: await revisionNow(id),
      key: randomUUID(),
    });
    assert.deepEqual(same.body, done.body, 'nothing differs, so nothing is written');
  });

  test('is validated like a line of an import, and refused with its fields named', async () => {
    const version = await versionNow();
    const { id } = packageOf(3);
    const key = randomUUID();
    const revision = await revisionNow(id);
    for (const [json, field] of [
      [{ fields: { ...fields, name: ' ' } }, 'name'],
      [{ fields: { ...fields, second_price: 1 } }, 'second_price'],
      [{ fields: { ...fields, type: 'td_lte_internet' } }, 'type'],
      [{ fields: { ...fields, category_ids: [77_777] } }, 'category_ids'],
      [{ fields: { name: 'x' } }, 'price'],
    ] as const) {
      const refused = await post('products', { ...json, key });
      assert.deepEqual([refused.status, codeIn(refused)], [422, 'VALIDATION_FAILED'], field);
      assert.ok(at(refused.body, 'errors', field) !== undefined, refused.text);
    }
    const wrong = await patch(id, { fields: { second_price: 1 }, revision, key });
    assert.ok(at(wrong.body, 'errors', 'second_price') !== undefined, wrong.text);
    for (const fields of [{ price: 'x' }, { id: 5 }, { colour: 'red' }]) {
      assert.equal((await patch(id, { fields, revision, key })).status, 422);
    }
    const taken = await post('products', { id, fields, key });
    assert.deepEqual([taken.status, codeIn(taken)], [409, 'PRODUCT_EXISTS']);
    const missing = await patch(999_999, { fields: { price: 1 }, revision, key });
    assert.deepEqual([missing.status, codeIn(missing)], [404, 'PRODUCT_NOT_FOUND']);
    assert.equal((await get('products/999999/prices')).status, 404);
    assert.equal(await versionNow(), version);
  });

  test('is out of reach of a client’s token', async () => {
    for (const [method, path] of [
      ['POST', 'products'],
      ['PATCH', 'products/1'],
      ['GET', 'products/1/prices'],
      ['GET', 'price-changes'],
      ['POST', 'price-changes/x/revert'],
    ] as const) {
      const json = method === 'GET' ? {} : { json: {} };
      const answer = await request(server, `${base}/${path}`, { method, headers: here, ...json });
      assert.deepEqual([answer.status, codeIn(answer)], [401, 'SESSION_MISSING'], path);
    }
  });
});

describe('A revert', () => {
  const which = { filter: { operator_id: 2, type: 'cell_internet' } };
  const revert = (id: unknown, key: string): Promise<Answer> =>
    post(`price-changes/${String(id)}/revert`, { key });

  /** Applies a change; returns its ID and its prices. */
  const changed = async (): Promise<{ id: unknown; moves: readonly unknown[] }> => {
    const wish = { which, change: { percent: '7.5' }, round_to: 1000 };
    const { body } = await post('prices/preview', wish);
    const done = await post('prices', { ...wish, digest: at(body, 'digest') });
    assert.equal(done.status, 200, done.text);
    return { id: at(done.body, 'change_id'), moves: listOf(at(body, 'data')) };
  };

  test('restores exactly what is as the change left it, once, and lists the rest', async () => {
    const before = (await readCatalogue(server.deps.db)).products;
    const { id, moves } = await changed();
    const ids = moves.map((move) => Number(at(move, 'id')));
    const [edited = 0, removed = 0] = ids;
    const fields = { price: 777 };
    await patch(edited, { fields, revision: await revisionNow(edited), key: randomUUID() });
    await removeProducts(server.deps, [removed]);
    await server.reloadCatalogue();

    const seen = await request(server, `${base}/price-changes/${String(id)}/revert/preview`, {
      token: null,
      headers: manager,
      method: 'POST',
    });
    assert.equal(seen.status, 200, seen.text);
    assert.deepEqual([at(seen.body, 'prices'), at(seen.body, 'kept_count')], [ids.length - 2, 2]);
    const codes = listOf(at(seen.body, 'kept')).map((one) => [
      at(one, 'product_id'),
      at(one, 'code'),
    ]);
    assert.deepEqual(codes, [
      [edited, 'changed_since'],
      [removed, 'removed'],
    ]);
    const key = randomUUID();
    const done = await revert(id, key);
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(
      [at(done.body, 'prices'), at(done.body, 'kept')],
      [ids.length - 2, at(seen.body, 'kept')],
    );
    const now = new Map(
      (await readCatalogue(server.deps.db)).products.map((one) => [one.id, one.price]),
    );
    for (const one of before) {
      const expected = one.id === edited ? 777 : one.id === removed ? undefined : one.price;
      assert.equal(now.get(one.id), expected, String(one.id));
    }
    assert.deepEqual((await revert(id, key)).body, done.body);
    const twice = await revert(id, randomUUID());
    assert.deepEqual([twice.status, codeIn(twice)], [409, 'NOTHING_TO_REVERT']);

    const [last = 0] = ids.slice(-1);
    const vias = (await historyOf(last)).map(([via]) => via);
    assert.deepEqual(vias.slice(0, 2), ['revert', 'bulk']);
    const [entry] = await audited();
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'after', 'change_id'), at(entry, 'after', 'kept')],
      ['catalogue prices revert', id, 2],
    );
  });

  test('can be reverted itself, and both are listed with their prices', async () => {
    const { id, moves } = await changed();
    const back = await revert(id, randomUUID());
    const forth = await revert(at(back.body, 'change_id'), randomUUID());
    assert.equal(forth.status, 200, forth.text);
    for (const move of moves) {
      assert.equal((await stored(Number(at(move, 'id'))))?.price, at(move, 'after'));
    }
    const [newest, middle, oldest] = listOf(at((await get('price-changes')).body, 'data'));
    assert.deepEqual(
      [at(newest, 'via'), at(newest, 'reverts'), at(middle, 'reverted_by')],
      ['revert', at(middle, 'id'), at(newest, 'id')],
    );
    assert.deepEqual(
      [at(oldest, 'id'), at(oldest, 'asked'), at(oldest, 'reverted_by')],
      [id, { change: { percent: '7.5' }, fields: ['price'], round_to: 1000 }, at(middle, 'id')],
    );
    const page = await get('price-changes?limit=1');
    assert.equal(at(page.body, 'next'), at(newest, 'id'));
    const rest = await get(`price-changes?limit=1&before=${String(at(newest, 'id'))}`);
    assert.deepEqual(idsIn(rest), [at(middle, 'id')]);
    const one = await get(`price-changes/${String(id)}`);
    const prices = listOf(at(one.body, 'data')).map((move) => at(move, 'after'));
    assert.deepEqual(
      prices,
      moves.map((move) => at(move, 'after')),
    );
    const missing = await revert('nothing', randomUUID());
    assert.deepEqual([missing.status, codeIn(missing)], [404, 'PRICE_CHANGE_NOT_FOUND']);
    assert.equal((await get('price-changes/nothing')).status, 404);
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
    const [newest] = await historyOf(id);
    const moved = [{ field: 'price', before: rest.price, after: 777 }];
    assert.deepEqual(newest, ['import', 'the-manager', moved]);
    assert.deepEqual(await historyOf(one.id), [], 'a first price is no change');
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
