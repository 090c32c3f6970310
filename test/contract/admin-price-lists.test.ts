/** Tests price lists over the admin API: changes with their audit, dates, import with a preview, explanations. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';

import { addClient, startServer, type TestServer } from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

let server: TestServer;
let office: BackOffice;
let manager: Cookie;
before(async () => {
  const products = [sampleProduct({ id: 101, operator_id: 2, price: 1000 })];
  server = await startServer({ products });
  office = await backOffice(server);
  manager = await office.enter('manager');
});
after(() => server.stop());

const send = (method: string, path: string, json?: unknown) =>
  office.send(method, path, manager, json);

const lastAudit = async (): Promise<unknown> =>
  listOf(at((await send('GET', 'audit')).body, 'data'))[0];

const terms = { name: 'Partners', parent_id: 1, allow_below_cost: false };
const scope = {
  product_id: null,
  category_id: null,
  operator_id: 2,
  product_type: 'cell_internet',
};
const tomorrow = '2126-01-31T00:00:00.000000Z';

const newList = async (name: string): Promise<number> => {
  const made = await send('POST', 'price-lists', { key: randomUUID(), ...terms, name });
  assert.equal(made.status, 201, made.text);
  return Number(at(made.body, 'id'));
};

describe('A price list over the admin API', () => {
  test('is created once per key, dated, assigned, explained and removed', async () => {
    const key = randomUUID();
    const made = await send('POST', 'price-lists', { key, ...terms });
    assert.equal(made.status, 201, made.text);
    const id = Number(at(made.body, 'id'));
    assert.deepEqual(made.body, { id, ...terms, clients: 0, versions: [] });
    assert.equal((await send('POST', 'price-lists', { key, ...terms })).text, made.text);

    const entry = { ...scope, commission: '4%', valid_from: tomorrow };
    const dated = await send('POST', `price-lists/${id}/entries`, entry);
    assert.equal(dated.status, 200, dated.text);
    assert.deepEqual([at(dated.body, 'number'), at(dated.body, 'valid_from')], [1, tomorrow]);
    const audit = await lastAudit();
    assert.deepEqual(
      [at(audit, 'action'), at(audit, 'subject'), at(audit, 'after', 'entries')],
      ['price list version', `price list ${id}`, 'operator_id 2, product_type cell_internet: 4%'],
    );
    const again = await send('POST', `price-lists/${id}/entries`, entry);
    assert.equal(at(again.body, 'number'), null, 'it says that already');

    const client = await addClient(server, {});
    const assigned = await send('PUT', `clients/${client.id}/price-list`, { price_list_id: id });
    assert.deepEqual(assigned.body, { price_list_id: id, price_list: 'Partners' });
    assert.deepEqual(at(await lastAudit(), 'subject'), client.id);
    assert.deepEqual((await send('GET', `clients/${client.id}/price-list`)).body, assigned.body);

    const explain = `price-lists/explain?product_id=101&client_id=${client.id}`;
    const now = await send('GET', explain);
    assert.deepEqual([at(now.body, 'charged_amount'), at(now.body, 'commission')], [1000, 0]);
    const then = await send('GET', `${explain}&at=2126-02-01T00:00:00Z`);
    assert.deepEqual([at(then.body, 'charged_amount'), at(then.body, 'cost')], [960, null]);
    assert.equal(at(then.body, 'steps', 0, 'code'), 'decides');

    const shown = await send('GET', `price-lists/${id}?at=2126-02-01T00:00:00Z`);
    assert.deepEqual(at(shown.body, 'entries'), [{ ...scope, commission: '4%' }]);
    assert.deepEqual(at((await send('GET', `price-lists/${id}`)).body, 'entries'), []);
    const [, listed] = listOf(at((await send('GET', 'price-lists')).body, 'data'));
    assert.deepEqual([at(listed, 'clients'), at(listed, 'versions', 0, 'entries')], [1, 1]);

    assert.equal((await send('DELETE', `price-lists/${id}`)).status, 422, 'it has a client');
    await send('PUT', `clients/${client.id}/price-list`, { price_list_id: 1 });
    assert.equal((await send('DELETE', `price-lists/${id}/versions/1`)).status, 204);
    assert.equal((await send('DELETE', `price-lists/${id}/versions/1`)).status, 422);
    assert.equal((await send('DELETE', `price-lists/${id}`)).status, 204);
    assert.equal((await send('GET', `price-lists/${id}`)).status, 404);
    assert.equal((await send('DELETE', 'price-lists/1')).status, 422, 'it is the default one');
  });

  test('is refused with the fields that are wrong', async () => {
    const [one, two] = [await newList('One'), await newList('Two')];
    await send('PATCH', `price-lists/${two}`, { parent_id: one });
    const wrong: readonly (readonly [method: string, path: string, json: object, field: string])[] =
      [
        ['PATCH', `price-lists/${one}`, { parent_id: two }, 'parent_id'],
        ['PATCH', `price-lists/${one}`, { parent_id: one }, 'parent_id'],
        ['PATCH', `price-lists/${one}`, { parent_id: 4711 }, 'parent_id'],
        ['PATCH', `price-lists/${one}`, { name: 'Two' }, 'name'],
        ['PATCH', `price-lists/${one}`, { name: ' ' }, 'name'],
      ];
    const entry = { ...scope, commission: '4%', valid_from: null };
    const faulty = [
      [{ ...entry, commission: '101%' }, 'commission'],
      [{ ...entry, product_id: 101 }, 'product_id'],
      [{ ...entry, category_id: 4711 }, 'category_id'],
      [{ ...entry, valid_from: '2026-01-01T00:00:00Z' }, 'from'],
      [{ ...entry, valid_from: 'soon' }, 'valid_from'],
    ] as const;
    for (const [json, field] of faulty) {
      const refused = await send('POST', `price-lists/${one}/entries`, json);
      assert.deepEqual([refused.status, keysOf(at(refused.body, 'errors'))], [422, [field]]);
    }
    for (const [method, path, json, field] of wrong) {
      const refused = await send(method, path, json);
      assert.deepEqual([refused.status, keysOf(at(refused.body, 'errors'))], [422, [field]], path);
    }
    const missing = await Promise.all([
      send('PATCH', 'price-lists/4711', { name: 'x' }),
      send('POST', 'price-lists/4711/entries', entry),
      send('PUT', 'clients/none/price-list', { price_list_id: 1 }),
      send('GET', 'price-lists/explain?product_id=4711'),
    ]);
    assert.deepEqual(
      missing.map(({ body }) => at(body, 'code')),
      ['PRICE_LIST_NOT_FOUND', 'PRICE_LIST_NOT_FOUND', 'CLIENT_NOT_FOUND', 'PRODUCT_NOT_FOUND'],
    );
  });

  test('takes the cost of the route as the least that a client pays', async () => {
    const id = await newList('Generous');
    const client = await addClient(server, {});
    await send('PUT', `clients/${client.id}/price-list`, { price_list_id: id });
    await send('POST', `price-lists/${id}/entries`, {
      ...scope,
      commission: '10%',
      valid_from: null,
    });
    const route = { operator_id: 2, supplier_id: 2, priority: 1, cost: '5%', weight: 1 };
    const rest = {
      product_id: null,
      category_id: null,
      product_type: null,
      client_id: client.id,
      product_code: null,
      allow_dearer: false,
      hours: null,
      days: [],
      valid_from: null,
      valid_until: null,
      enabled: true,
    };
    await send('POST', 'routes', { key: randomUUID(), ...route, ...rest });
    const explain = `price-lists/explain?product_id=101&client_id=${client.id}`;
    const floored = await send('GET', explain);
    assert.deepEqual([at(floored.body, 'charged_amount'), at(floored.body, 'cost')], [950, 950]);
    await send('PATCH', `price-lists/${id}`, { allow_below_cost: true });
    assert.equal(at((await send('GET', explain)).body, 'charged_amount'), 900);
  });
});

test('an import makes exactly the change of its preview, and an export reads back', async () => {
  const id = await newList('Imported');
  const csv = 'operator_id,product_type,commission\n2,cell_internet,4%\n3,,500\n';
  const file = { csv, valid_from: null };
  const path = `price-lists/${id}/import`;
  const preview = await send('POST', `${path}/preview`, file);
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual([at(preview.body, 'added'), at(preview.body, 'problems')], [2, []]);
  assert.deepEqual(at(preview.body, 'diff', 0, 'after'), { ...scope, commission: '4%' });
  assert.equal(at(preview.body, 'last_days', 'sold'), 0);
  const version = at(preview.body, 'version');
  const done = await send('POST', path, { ...file, version });
  assert.deepEqual([done.status, at(done.body, 'added')], [200, 2], done.text);
  const again = await send('POST', path, { ...file, version });
  assert.deepEqual([again.status, at(again.body, 'code')], [409, 'PRICES_CHANGED']);
  const exported = await send('GET', `price-lists/${id}/entries.csv`);
  assert.match(exported.text, /^product_id,.*\r?\n,,2,cell_internet,4%\r?\n,,3,,500\r?\n$/);
  const bad = { csv: 'operator_id,commission\n2,4%\n2,5%\nx,1\n', valid_from: null };
  const found = await send('POST', `${path}/preview`, bad);
  assert.deepEqual(
    listOf(at(found.body, 'problems')).map((problem) => at(problem, 'line')),
    [3, 4],
  );
  const refused = await send('POST', path, { ...bad, version: 'x' });
  assert.deepEqual([refused.status, at(refused.body, 'code')], [422, 'FILE_INVALID']);
  const empty = await send('POST', `${path}/preview`, { csv: 'commission\n', valid_from: null });
  assert.equal(listOf(at(empty.body, 'problems')).length, 1);
});

test('a client pays by its list from the next purchase on', async () => {
  const id = await newList('Buyers');
  const client = await addClient(server, { balance: 960 });
  await send('PUT', `clients/${client.id}/price-list`, { price_list_id: id });
  await send('POST', `price-lists/${id}/entries`, { ...scope, commission: '4%', valid_from: null });
  const response = await fetch(`${server.url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': 'key' },
    body: new URLSearchParams({
      product_id: '101',
      price: '1000',
      mobile: '989123456700',
      webservice_code: 'code',
    }),
  });
  assert.equal(response.status, 200, await response.text());
});
