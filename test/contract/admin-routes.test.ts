/** Tests routes over the admin API: changes with their audit, history, import with a preview, explanations. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

let server: TestServer;
let office: BackOffice;
let manager: Cookie;
before(async () => {
  const products = [sampleProduct({ id: 101, operator_id: 1, price: 1000 })];
  server = await startServer({ products });
  office = await backOffice(server);
  manager = await office.enter('manager');
});
after(() => server.stop());

const terms = {
  operator_id: 1,
  product_id: 101,
  category_id: null,
  product_type: null,
  client_id: null,
  supplier_id: 2,
  product_code: 'P-1',
  cost: '2.5%',
  allow_dearer: false,
  priority: 5,
  weight: 1,
  hours: '22:00-06:00',
  days: ['sat', 'sun'],
  valid_from: null,
  valid_until: null,
  enabled: true,
};

const send = (method: string, path: string, json?: unknown) =>
  office.send(method, path, manager, json);

const lastAudit = async (): Promise<unknown> =>
  listOf(at((await send('GET', 'audit')).body, 'data'))[0];

describe('A route over the admin API', () => {
  test('is created once per key, changed, shown with its history, and removed', async () => {
    const key = randomUUID();
    const created = await send('POST', 'routes', { key, ...terms });
    assert.equal(created.status, 201, created.text);
    const id = Number(at(created.body, 'id'));
    assert.deepEqual(created.body, { id, ...terms });
    assert.equal((await send('POST', 'routes', { key, ...terms })).text, created.text);
    assert.equal(listOf(at((await send('GET', 'routes')).body, 'data')).length, 1);
    const other = await send('POST', 'routes', { key, ...terms, priority: 6 });
    assert.deepEqual([other.status, at(other.body, 'code')], [409, 'KEY_REUSED']);

    const change = { hours: null, days: [], cost: '900' };
    const changed = await send('PATCH', `routes/${id}`, change);
    assert.deepEqual(changed.body, { id, ...terms, ...change });
    const entry = await lastAudit();
    assert.deepEqual([at(entry, 'action'), at(entry, 'subject')], ['route change', `route ${id}`]);
    assert.deepEqual(at(entry, 'after'), { hours: '', days: '', cost: '900' });

    const explained = await send('GET', 'routes/explain?product_id=101');
    const [first, second] = listOf(at(explained.body, 'data'));
    assert.deepEqual(
      [at(first, 'route', 'id'), at(first, 'place'), at(first, 'share'), at(first, 'cost')],
      [id, 1, 1, 900],
    );
    assert.deepEqual([at(second, 'route', 'id'), at(second, 'place')], [0, 2]);

    assert.equal((await send('DELETE', `routes/${id}`)).status, 204);
    assert.equal((await send('DELETE', `routes/${id}`)).status, 404);
    const versions = listOf(at((await send('GET', `routes/${id}/versions`)).body, 'data'));
    assert.deepEqual(
      versions.map((one) => [at(one, 'version'), at(one, 'closed_at') === null]),
      [
        [2, false],
        [1, false],
      ],
    );
  });

  test('is refused with the fields that are wrong', async () => {
    const bad = { ...terms, key: randomUUID(), hours: '8-9', cost: 'much' };
    const refused = await send('POST', 'routes', bad);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(keysOf(at(refused.body, 'errors')).sort(), ['cost', 'hours']);
    const unknown = { ...terms, key: randomUUID(), supplier_id: 77, product_id: 999 };
    const other = await send('POST', 'routes', unknown);
    assert.deepEqual(keysOf(at(other.body, 'errors')).sort(), ['product_id', 'supplier_id']);
    const codes = await Promise.all([
      send('PATCH', 'routes/4711', { priority: 1 }),
      send('GET', 'routes/4711/versions'),
      send('GET', 'routes/explain?product_id=4711'),
    ]);
    assert.deepEqual(
      codes.map(({ body }) => at(body, 'code')),
      ['ROUTE_NOT_FOUND', 'ROUTE_NOT_FOUND', 'PRODUCT_NOT_FOUND'],
    );
    assert.equal((await send('GET', 'routes/explain?product_id=101&at=soon')).status, 422);
  });
});

test('an import makes exactly the change of its preview, and an export reads back', async () => {
  const csv = 'operator_id,supplier_id,priority\n1,2,5\n1,3,6\n';
  const file = { csv, remove_missing: true };
  const preview = await send('POST', 'routes/import/preview', file);
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual([at(preview.body, 'added'), at(preview.body, 'problems')], [2, []]);
  assert.equal(at(preview.body, 'diff', 0, 'after', 'supplier_id'), 2);
  const version = at(preview.body, 'version');
  const done = await send('POST', 'routes/import', { ...file, version });
  assert.deepEqual([done.status, at(done.body, 'added')], [200, 2], done.text);
  assert.equal(at(await lastAudit(), 'action'), 'route import');
  const again = await send('POST', 'routes/import', { ...file, version });
  assert.deepEqual([again.status, at(again.body, 'code')], [409, 'ROUTES_CHANGED']);

  const exported = await send('GET', 'routes.csv');
  const same = { csv: exported.text, remove_missing: true };
  const unchanged = await send('POST', 'routes/import/preview', same);
  assert.deepEqual(
    ['added', 'changed', 'removed', 'unchanged'].map((name) => at(unchanged.body, name)),
    [0, 0, 0, 2],
  );
  const wrong = { csv: `${csv}1,77,0\n1,77,7\n`, remove_missing: false };
  const problems = await send('POST', 'routes/import/preview', wrong);
  assert.deepEqual(
    listOf(at(problems.body, 'problems')).map((one) => at(one, 'line')),
    [4, 5],
  );
  const refused = await send('POST', 'routes/import', {
    ...wrong,
    version: at(done.body, 'version'),
  });
  assert.equal(at(refused.body, 'code'), 'FILE_INVALID');
  const empty = await send('POST', 'routes/import/preview', {
    csv: 'operator_id,supplier_id,priority\n',
    remove_missing: true,
  });
  assert.match(String(at(empty.body, 'problems', 0, 'message')), /no routes/);
});
