/** Tests suppliers over HTTP: orders reach them by routes, the back office manages them, clients never see them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { isRecord } from '../../src/lib/record.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { aPackage, assertRefused, assertSold, buy, catalogue } from './buying.ts';
import { routeTerms } from './route-terms.ts';
import { sampleProduct } from './sample-product.ts';

const simulated = { connector: 'simulator', settings: { second: true } };
const northern = { ...simulated, id: 42, name: 'northern', settings: {} };

let server: TestServer;
let owner: Ask;
let viewer: Ask;
before(async () => {
  const { operators } = readConfig({});
  server = await startServer({
    products: [...catalogue, sampleProduct({ id: 4200, operator_id: 42 })],
    config: {
      operators: [
        // The account of the first operator is also that of the first supplier.
        ...operators.map((one) => (one.id === 1 ? { ...one, group: 'shared' } : one)),
        northern,
      ],
      suppliers: [
        { ...simulated, id: 100, name: 'same-account', group: 'shared' },
        {
          ...simulated,
          id: 101,
          name: 'secret-partner',
          names: { en: 'Secret partner', fa: 'شریک پنهان' },
          // It could list offers, and is never asked for them.
          settings: { second: true, offers: true },
        },
        {
          ...simulated,
          id: 102,
          name: 'frank-partner',
          settings: { second: true, discountPercent: 10 },
        },
      ],
      simulatable: [1, 2, 3, 4, 5, 42, 100, 101, 102],
      secretsKey: Buffer.alloc(32, 1).toString('base64url'),
      metrics: { ...readConfig({}).metrics, token: 'a-token-of-metrics-0123456789' },
    },
  });
  owner = await enterOffice(server, 'owner');
  viewer = await enterOffice(server, 'viewer');
});
after(() => server.stop());

/** The default tax of ten percent. */
const withVat = (amount: number): number => Math.round(amount * 1.1);

const outOfStock = { ...aPackage, mobile: '989123456788' };

const addRoute = async (supplier_id: number, priority: number, operator_id = 1) => {
  const route = { ...routeTerms, key: randomUUID(), operator_id, supplier_id, priority };
  const { body, status, text } = await owner('POST', 'routes', route);
  assert.equal(status, 201, text);
  return `routes/${String(at(body, 'id'))}`;
};

describe('A supplier', () => {
  test('gets what the operator itself cannot deliver, where a route names it', async () => {
    assertRefused(await buy(server, outOfStock), 'OPERATOR_DECLINED');
    const sameAccount = await addRoute(100, 200);
    assertRefused(await buy(server, outOfStock), 'OPERATOR_DECLINED');
    const other = await addRoute(101, 300);
    const answer = await buy(server, outOfStock);
    assertSold(answer);
    const id = answer.headers.get('purchase-id') ?? '';
    const { body } = await owner('GET', `purchases/${id}`);
    const left = listOf(at(body, 'left')).map((one) => [
      at(one, 'supplier_id'),
      at(one, 'fact', 'code'),
    ]);
    assert.deepEqual(
      [at(body, 'supplier_id'), left],
      [101, [[1, 'error']]],
      'and none of the group',
    );
    for (const route of [sameAccount, other])
      assert.equal((await owner('DELETE', route)).status, 204);
  });

  test('takes what its route says, or what it says itself; viewers do not see it', async () => {
    const costBy = async (supplier: number, cost: string | null) => {
      const route = await addRoute(supplier, 1);
      await owner('PATCH', route, { cost });
      const id = (await buy(server, aPackage)).headers.get('purchase-id') ?? '';
      assert.equal((await owner('DELETE', route)).status, 204);
      assert.equal(at((await viewer('GET', `purchases/${id}`)).body, 'cost'), null);
      return at((await owner('GET', `purchases/${id}`)).body, 'cost');
    };
    const price = Number(aPackage.price);
    const kept = Math.round(price * 0.975);
    assert.deepEqual(await costBy(101, '2.5%'), {
      by_rule: kept,
      told: null,
      amount: kept,
      margin: price - kept,
      learnt: [],
    });
    const told = Math.round(price * 0.9);
    assert.deepEqual(await costBy(102, '2.5%'), {
      by_rule: kept,
      told,
      amount: told,
      margin: price - told,
      learnt: [],
    });
    const unknown = { by_rule: null, told: null, amount: null, margin: null, learnt: [] };
    assert.deepEqual(await costBy(101, null), unknown, 'not zero');
  });

  test('is shown, changed live and suspended in the back office like an operator', async () => {
    const listed = listOf(at((await owner('GET', 'operators')).body, 'data'));
    assert.deepEqual(
      listed.map((one) => [at(one, 'id'), at(one, 'kind'), at(one, 'group')]),
      [
        [1, 'operator', 'shared'],
        ...[2, 3, 4, 5, 42].map((id) => [id, 'operator', null]),
        [100, 'supplier', 'shared'],
        [101, 'supplier', null],
        [102, 'supplier', null],
      ],
    );
    const route = await addRoute(101, 1);
    const { body } = await owner('GET', 'operators/101');
    const change = { settings: { second: false }, version: at(body, 'version') };
    const changed = await owner('PUT', 'operators/101/settings', change);
    assert.equal(changed.status, 200, changed.text);
    assertRefused(await buy(server, outOfStock), 'OPERATOR_DECLINED');
    assert.equal((await owner('DELETE', 'operators/101/settings')).status, 200);
    assertSold(await buy(server, outOfStock));

    const reason = 'they move to another system';
    assert.equal((await owner('POST', 'operators/101/suspension', { reason })).status, 200);
    assertSold(await buy(server, aPackage));
    const last = await server.deps.db
      .selectFrom('purchases')
      .select('supplier_id')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.equal(last?.supplier_id, 1, 'the operator itself sells meanwhile');
    const healthOf = async (id: number): Promise<unknown> => {
      const { body } = await request(server, '/api/operators');
      return at(
        listOf(at(body, 'data')).find((one) => at(one, 'id') === id),
        'health',
      );
    };
    assert.equal(await healthOf(1), 'up');
    assert.equal((await owner('POST', 'operators/1/suspension', { reason })).status, 200);
    assert.equal(await healthOf(1), 'down', 'all its suppliers are suspended');
    assert.equal((await owner('DELETE', 'operators/101/suspension')).status, 200);
    assert.equal(await healthOf(1), 'up', 'the other supplier sells');
    assertSold(await buy(server, aPackage));
    assert.equal((await owner('DELETE', 'operators/1/suspension')).status, 200);
    assert.equal((await owner('POST', 'operators/101/suspension', { reason })).status, 200);
    const alerts = listOf(at((await owner('GET', 'alerts')).body, 'data'));
    assert.ok(alerts.some((alert) => at(alert, 'id') === 'operator_suspended:101'));
    assert.equal((await owner('DELETE', 'operators/101/suspension')).status, 200);
    assert.equal((await owner('DELETE', route)).status, 204);
  });

  test('shows its routes and broken promises, and is trusted again with a reason', async () => {
    const standing = (body: unknown) =>
      ['routes', 'routes_closed', 'broken_promises'].map((name) => at(body, name));
    const route = await addRoute(101, 1);
    const broken = { supplier_id: 101, client_id: 'a', purchase_id: 'b', at: 1, closed_at: null };
    await server.deps.db.insertInto('broken_promises').values(broken).execute();
    await eventually('the broken promise is counted', async () => {
      const { body } = await owner('GET', 'operators/101');
      return String(standing(body)) === '1,0,1';
    });
    const short = await owner('POST', 'operators/101/trust', { reason: 'x' });
    assert.equal(short.status, 422, short.text);
    const reason = 'they corrected their inquiries';
    assert.equal((await viewer('POST', 'operators/101/trust', { reason })).status, 403);
    for (const _ of [1, 2]) {
      const trusted = await owner('POST', 'operators/101/trust', { reason });
      assert.equal(trusted.status, 200, trusted.text);
      assert.deepEqual(standing(trusted.body), [1, 0, 0]);
    }
    const audit = listOf(at((await owner('GET', 'audit?action=operator%20trust')).body, 'data'));
    assert.deepEqual(
      audit.map((entry) => [at(entry, 'subject'), at(entry, 'after', 'reason')]),
      [['operator 101', reason]],
      'the second one changes nothing',
    );
    assert.equal((await owner('DELETE', route)).status, 204);
    assert.equal(at((await owner('GET', 'operators/101')).body, 'routes'), 0);
  });

  test('has metrics of its own calls, and none of purchases', async () => {
    const text = (await server.meter.read?.()) ?? '';
    assert.match(text, /^simgate_operator_calls_total\{operator="secret-partner",kind="order"/m);
    assert.match(text, /^simgate_operator_suspended\{operator="secret-partner"\} 0$/m);
    assert.doesNotMatch(text, /^simgate_purchases_total\{operator="secret-partner"/m);
  });
});

/** Allows the client these operators alone. */
const allow = async (operators: readonly number[] | null): Promise<Answer> => {
  const path = `clients/${server.client.id}`;
  const { body } = await owner('GET', path);
  const rules = at(body, 'rules');
  assert.ok(isRecord(rules));
  const version = at(body, 'rules_version');
  return owner('PUT', `${path}/rules`, { ...rules, version, operators });
};

describe('Clients', () => {
  const filtered = (operator: string) =>
    request(server, '/api/filter', { json: { table: 'product', items: { operator } } });

  test('see no supplier, in no list, path, filter, document or message', async () => {
    const { db } = server.deps;
    const reason = 'only we know';
    await owner('POST', 'operators/101/suspension', { reason });
    await eventually(
      'the suspension of an operator is announced, and that of a supplier is not',
      async () => {
        await owner('POST', 'operators/5/suspension', { reason });
        const told = await db.selectFrom('operator_status').select('operator_id').execute();
        return told.some(({ operator_id }) => operator_id === 5);
      },
    );
    const told = await db.selectFrom('operator_status').select('operator_id').execute();
    assert.ok(told.every(({ operator_id }) => operator_id < 100));
    for (const id of [5, 101]) await owner('DELETE', `operators/${id}/suspension`);

    const { body } = await request(server, '/api/operators');
    assert.deepEqual(
      listOf(at(body, 'data')).map((one) => at(one, 'id')),
      [1, 2, 3, 4, 5, 42],
    );
    const looked = await request(server, '/api/numbers/989121111100?operator_id=101');
    assertError(looked, 422, 'VALIDATION_FAILED');
    assert.doesNotMatch(looked.text, /10[01]\b.*10[01]/);
    assert.equal((await filtered('secret-partner')).status, 422);
    const offers = { json: { mobile: '989123456700' } };
    assert.equal((await request(server, '/api/secret-partner/offers/', offers)).status, 404);
    assert.equal((await request(server, '/api/operator_2/offers/', offers)).status, 200);
    for (const path of ['/openapi.json', '/api/operators', '/api/account', '/api/purchases']) {
      const { status, text } = await request(server, path);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /secret-partner|Secret partner|same-account|supplier_id/, path);
    }
    const mine = await buy(server, aPackage);
    assert.doesNotMatch(JSON.stringify([...mine.headers]) + mine.text, /supplier|partner/);
  });

  test('buy products of every configured operator, and none can be of a supplier', async () => {
    const fields = { ...aPackage, product_id: 4200 };
    assertSold(await buy(server, fields));
    assert.equal((await filtered('northern')).status, 200);
    const change = (operator_id: number) =>
      owner('POST', 'catalogue/products', {
        key: randomUUID(),
        fields: {
          name: 'A package',
          price: 1000,
          type: 'cell_internet',
          sim_card_type: 'credit',
          operator_id,
        },
      });
    for (const [unknown, field] of [
      [6, 'operator_id'],
      [101, 'fields.operator_id'],
    ] as const) {
      const refused = await change(unknown);
      assert.deepEqual([refused.status, keysOf(at(refused.body, 'errors'))], [422, [field]]);
    }
    assert.equal((await change(42)).status, 201);
  });

  test('are allowed operators, and no supplier', async () => {
    for (const id of [6, 101]) {
      const refused = await allow([1, id]);
      assert.deepEqual([refused.status, at(refused.body, 'code')], [422, 'VALIDATION_FAILED']);
    }
    const allowed = await allow([42]);
    assert.equal(allowed.status, 200, allowed.text);
    await eventually('another operator is refused', async () => {
      const { body } = await buy(server, aPackage);
      return at(body, 'code') === 'PRODUCT_NOT_ALLOWED';
    });
    assertSold(await buy(server, { ...aPackage, product_id: 4200 }));
  });

  test('get personal offers from the operator itself, whatever the routes are', async () => {
    assert.equal((await allow(null)).status, 200);
    await addRoute(101, 1, 2);
    await eventually(
      'all operators are allowed',
      async () => (await buy(server, aPackage)).status === 200,
    );
    const mobile = '989123456700';
    const offers = await request(server, '/api/operator_2/offers/', { json: { mobile } });
    const [offer] = listOf(at(offers.body, 'offersList'));
    const answer = await buy(server, {
      ...aPackage,
      product_id: 510,
      price: withVat(Number(at(offer, 'amount'))),
      offerCode: at(offer, 'offerCode'),
      offerType: at(offer, 'offerType'),
    });
    assertSold(answer);
    const { supplier_id: supplier } = await server.deps.db
      .selectFrom('purchases')
      .select('supplier_id')
      .where('id', '=', answer.headers.get('purchase-id') ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(supplier, 2);
  });
});
