/** Tests suppliers that the console defines: created, changed and removed in all instances while they sell. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { request, type StartedServer, startServer } from '../support/server.ts';
import { aPackage, assertRefused, assertSold, buy, catalogue } from './buying.ts';
import { routeTerms } from './route-terms.ts';

const metricsToken = 'a-token-of-metrics-0123456789';
const config: Partial<Config> = {
  suppliers: [{ id: 100, name: 'of-the-file', connector: 'simulator', settings: {} }],
  secretsKey: Buffer.alloc(32, 1).toString('base64url'),
  metrics: { ...readConfig({}).metrics, token: metricsToken },
};

let server: StartedServer;
let owner: Ask;
before(async () => {
  server = await startServer({ products: catalogue, config });
  owner = await enterOffice(server, 'owner');
});
after(() => server.stop());

const outOfStock = { ...aPackage, mobile: '989123456788' };
const names = { en: 'Second supplier', fa: 'تأمین‌کنندهٔ دوم' };

const create = (given: object, key: string = randomUUID()) =>
  owner('POST', 'suppliers', { key, name: 'second', names, ...given });

const connect = async (id: number) => {
  const { body } = await owner('GET', `operators/${id}`);
  const version = at(body, 'version');
  const chosen = { connector: 'simulator', settings: { second: true }, version };
  const { status, text } = await owner('PUT', `operators/${id}/settings`, chosen);
  assert.equal(status, 200, text);
};

const addRoute = async (supplier_id: number) => {
  const route = { ...routeTerms, key: randomUUID(), operator_id: 1, supplier_id, priority: 200 };
  const { status, text } = await owner('POST', 'routes', route);
  assert.equal(status, 201, text);
};

const refusedFields = ({ body }: { readonly body: unknown }): string[] =>
  Object.keys(at(body, 'errors') ?? {});

describe('A supplier that the console defines', () => {
  test('sells by a route as soon as it has a connector, and is named in metrics', async () => {
    assertRefused(await buy(server, outOfStock), 'OPERATOR_DECLINED');
    const { body, status, text } = await create({ group: 'north' });
    assert.equal(status, 201, text);
    const shown = ['id', 'kind', 'defined_in', 'names', 'group', 'connector', 'health'];
    assert.deepEqual(
      shown.map((name) => at(body, name)),
      [500, 'supplier', 'console', names, 'north', '', 'unconnected'],
    );
    await addRoute(500);
    assertRefused(await buy(server, outOfStock), 'OPERATOR_DECLINED');
    await connect(500);
    assertSold(await buy(server, outOfStock));
    const { text: metrics } = await request(server, '/metrics', { token: metricsToken });
    assert.match(metrics, /simgate_operator_calls_total\{operator="second",kind="order"/);
    const { body: explained } = await owner(
      'GET',
      `routes/explain?product_id=${String(aPackage.product_id)}`,
    );
    const taken = listOf(at(explained, 'data')).map((one) => at(one, 'route', 'supplier_id'));
    assert.ok(taken.includes(500));
  });

  test('is created once for a key, and never with a name or number that another has', async () => {
    const key = randomUUID();
    const [first, second] = [
      await create({ name: 'third' }, key),
      await create({ name: 'third' }, key),
    ];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(at(first.body, 'id'), at(second.body, 'id'));
    for (const name of ['third', 'of-the-file', 'operator_1', 'no spaces', 'filter']) {
      assert.deepEqual(refusedFields(await create({ name })), ['name'], name);
    }
    for (const id of [100, 500, 99, 1000]) {
      assert.deepEqual(refusedFields(await create({ id, name: 'fourth' })), ['id'], String(id));
    }
  });

  test('gets other names and another group, and keeps what is left out', async () => {
    const other = { en: 'Other', fa: 'دیگری' };
    const renamed = await owner('PATCH', 'suppliers/500', { names: other });
    assert.deepEqual([at(renamed.body, 'names'), at(renamed.body, 'group')], [other, 'north']);
    const { body } = await owner('PATCH', 'suppliers/500', { group: null });
    assert.deepEqual(
      [at(body, 'names'), at(body, 'group'), at(body, 'health')],
      [other, null, 'up'],
    );
    const audit = await owner('GET', 'audit?subject=operator%20500');
    assert.deepEqual(
      listOf(at(audit.body, 'data')).map((entry) => at(entry, 'action')),
      ['supplier change', 'supplier change', 'operator settings', 'supplier create'],
    );
  });

  test('is removed only if no route ever named it, and its number is not given again', async () => {
    const { status, body } = await owner('DELETE', 'suppliers/500');
    assert.deepEqual([status, at(body, 'code')], [409, 'SUPPLIER_IN_USE']);
    const { body: made } = await create({ id: 777, name: 'unused' });
    assert.equal(at(made, 'id'), 777);
    assert.equal((await owner('DELETE', 'suppliers/777')).status, 204);
    assert.equal((await owner('GET', 'operators/777')).status, 404);
    assert.deepEqual(refusedFields(await create({ id: 777, name: 'unused' })), ['id']);
  });

  test('is no more than its own: those of the file are changed in the file', async () => {
    for (const [method, id] of [
      ['PATCH', 100],
      ['DELETE', 100],
      ['DELETE', 1],
    ] as const) {
      const { status, body } = await owner(
        method,
        `suppliers/${id}`,
        method === 'PATCH' ? {} : undefined,
      );
      assert.deepEqual([status, at(body, 'code')], [409, 'SUPPLIER_IN_FILE']);
    }
    const reset = await owner('DELETE', 'operators/500/settings');
    assert.deepEqual([reset.status, at(reset.body, 'code')], [409, 'NOT_IN_FILE']);
  });
});
