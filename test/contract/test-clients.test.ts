/** Tests test clients: their purchases never leave the gateway, and count in no figure. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { listClients } from '../../src/clients/store.ts';
import { readConfig } from '../../src/config/config.ts';
import { http } from '../../src/operators/http/index.ts';
import { listPurchases } from '../../src/purchases/inquiry/store.ts';
import { verifySales } from '../../src/purchases/sales/verify/verify.ts';
import { writeEveryMs } from '../../src/purchases/stats/flush.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { eventually, parsed } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Figures, readFigures } from '../support/metrics.ts';
import { type NotingOperator, startOperator } from '../support/noting-operator.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint, type Receiver, startReceiver } from '../support/webhooks.ts';
import {
  aPackage,
  aTopUp,
  buy,
  catalogue,
  newKey,
  packages,
  prepaid,
  sold,
  topUps,
  untilRecorded,
} from './buying.ts';

const { webhooks } = readConfig({});
const metricsToken = 'a-token-for-the-metrics-alone';

let clock: ManualClock;
let server: TestServer;
let operator: NotingOperator;
let receiver: Receiver;
let office: BackOffice;
let owner: Cookie;
let tester: TestServer['client'];

before(async () => {
  clock = manualClock();
  operator = await startOperator();
  receiver = await startReceiver();
  const settings = { baseUrl: operator.baseUrl, offers: true, settlesWithin: 1 };
  server = await startServer({
    clock,
    products: catalogue,
    connectors: [http],
    config: {
      operators: [1, 2].map((id) => ({ id, name: `operator_${id}`, connector: 'http', settings })),
      webhooks: { ...webhooks, allowedNetworks: ['127.0.0.1'] },
      metrics: { host: '127.0.0.1', token: metricsToken },
    },
  });
  office = await backOffice(server, clock);
  owner = await office.enter('owner');
  tester = await addClient(server, { name: 'Tester', balance: 100_000, test: true });
});
after(async () => {
  await server.stop();
  operator.stop();
  receiver.stop();
});

const ask = async (path: string): Promise<unknown> => {
  const { status, text, body } = await office.send('GET', path, owner);
  assert.equal(status, 200, text);
  return body;
};

const scrape = async (): Promise<Figures> =>
  readFigures((await request(server, '/metrics', { token: metricsToken })).text);

const idsIn = (body: unknown): unknown[] => listOf(at(body, 'data')).map((row) => at(row, 'id'));

/** A file rests between its pieces. */
const fetched = async (file: Promise<Answer>): Promise<string> => {
  const answers: Answer[] = [];
  void file.then((answer) => answers.push(answer));
  await eventually('the file is there', async () => {
    await clock.advance(10);
    return answers.length > 0;
  });
  return answers[0]?.text ?? '';
};

const isPlaced = async (key: string): Promise<boolean> => {
  const { token } = tester;
  const { body } = await request(server, `/api/purchases?idempotency_key=${key}`, { token });
  return listOf(at(body, 'data')).length > 0;
};

describe('A test client', () => {
  test('is created by the back office, for good, and its token says so', async () => {
    const made = await office.send('POST', 'clients', owner, {
      name: 'Another tester',
      test: true,
      key: randomUUID(),
    });
    assert.equal(made.status, 201, made.text);
    assert.match(String(at(made.body, 'token')), /^simgate_test_\w{36}$/);
    assert.equal(at(made.body, 'client', 'test'), true);
    const id = String(at(made.body, 'client', 'id'));
    const changed = await office.send('PATCH', `clients/${id}`, owner, { test: false });
    assert.equal(changed.status, 422);
    const more = await office.send('POST', `clients/${id}/tokens`, owner, {
      name: 'more',
      scopes: ['catalogue'],
      networks: [],
      expires_at: null,
      key: randomUUID(),
    });
    assert.match(String(at(more.body, 'token')), /^simgate_test_\w{36}$/, more.text);
    const all = await ask('clients');
    assert.equal(idsIn(all).length, 3);
    assert.deepEqual(at(all, 'totals'), { clients: 3, available: 1_000_000, held: 0 });
    const tests = await ask('clients?test=true');
    assert.deepEqual(new Set(idsIn(tests)), new Set([id, tester.id]));
    assert.equal(at(tests, 'totals', 'available'), 100_000);
    assert.deepEqual(idsIn(await ask('clients?test=false')), [server.client.id]);
    assert.deepEqual(idsIn(await ask('clients?low=true')), []);
    const text = await fetched(office.send('GET', 'clients.csv?test=true', owner));
    assert.match(
      text,
      /,test,credit_limit,credit_used\r?\n[^]*Another tester,[^\n]*,true,0,0\r?\n/,
    );
  });

  test('learns from its account that it is one, and finds its webhooks marked', async () => {
    const { token } = tester;
    assert.equal(at((await request(server, '/api/account', { token })).body, 'test'), true);
    assert.equal(at((await request(server, '/api/account')).body, 'test'), false);
    const events = ['purchase.succeeded'] as const;
    await makeEndpoint(server, { url: receiver.url, events, token });
    await makeEndpoint(server, { url: receiver.url, events });
    // The listeners are read again twice a second.
    await clock.advance(1000);
    assert.equal((await buy(server, aPackage, { token })).status, 200);
    assert.equal((await buy(server, aPackage)).status, 200);
    await eventually('both endpoints have their event', async () => {
      await clock.advance(1000);
      return receiver.received.length === 2;
    });
    const marks = receiver.received.map(({ body }) => parsed(body));
    assert.deepEqual(
      marks.map((body) => [at(body, 'type'), at(body, 'test')]),
      [
        ['purchase.succeeded', true],
        ['purchase.succeeded', undefined],
      ],
    );
  });

  test('reaches no operator, whatever it does, and its client of the other kind does', async () => {
    const { token } = tester;
    const does = async (as: string): Promise<void> => {
      const ofOffer = { ...aPackage, product_id: 510, offerCode: 'C', offerType: 'T' };
      for (const [fields, path] of [
        [aPackage, packages],
        [aTopUp, topUps],
        [ofOffer, packages],
      ] as const) {
        await buy(server, fields, { path, token: as });
        await request(server, path, {
          json: fields,
          token: as,
          headers: { 'idempotency-key': newKey() },
        });
      }
      await request(server, '/api/top-up/check', { json: aPackage, token: as });
      await request(server, '/api/operator_2/offers/', { json: { mobile: prepaid }, token: as });
      const number = await request(server, `/api/numbers/${prepaid}?operator_id=2`, { token: as });
      assert.deepEqual(at(number.body, 'said', 'operator_id'), 2, number.text);
    };
    operator.calls.length = 0;
    await does(token);
    assert.equal(operator.calls.length, 0);
    await does(server.client.token);
    const kinds = new Set(operator.calls.map(({ call }) => call));
    for (const kind of ['POST orders', 'subscribers']) assert.ok(kinds.has(kind), kind);
    assert.ok(operator.calls.length >= 8, `${operator.calls.length} calls`);
  });

  test('buys from the simulator alone, whatever routes and suspensions say', async () => {
    const { token } = tester;
    const route = { operator_id: 1, priority: 1, weight: 1, allow_dearer: false, enabled: true };
    const unset = { category_id: null, product_type: null, client_id: null, product_code: null };
    const always = { hours: null, days: [], valid_from: null, valid_until: null, cost: null };
    const terms = { ...route, ...unset, ...always, product_id: aPackage['product_id'] };
    const routed = (supplier_id: number) =>
      office.send('POST', 'routes', owner, { ...terms, supplier_id, key: randomUUID() });
    const toTests = await routed(-1);
    assert.deepEqual(keysOf(at(toTests.body, 'errors')), ['supplier_id'], toTests.text);
    const made = await routed(2);
    assert.equal(made.status, 201, made.text);
    await clock.advance(1000);
    operator.calls.length = 0;
    const outOfStock = { ...aPackage, mobile: '989123456788' };
    const refused = await buy(server, outOfStock, { token });
    assert.equal(at(refused.body, 'code'), 'OPERATOR_DECLINED', refused.text);
    const suspended = await office.send('POST', 'operators/1/suspension', owner, {
      reason: 'a test',
    });
    assert.equal(suspended.status, 200, suspended.text);
    const sold = await untilRecorded(server, await buy(server, aPackage, { token }));
    const rows = await server.deps.db
      .selectFrom('purchases')
      .select(['state', 'supplier_id', 'route_id', 'left_suppliers', 'passed_over'])
      .where('client_id', '=', tester.id)
      .where((eb) => eb.or([eb('id', '=', sold), eb('mobile', '=', outOfStock.mobile)]))
      .orderBy('id')
      .execute();
    const one = { supplier_id: -1, route_id: null, left_suppliers: null, passed_over: null };
    assert.deepEqual(rows, [
      { state: 'failed', ...one },
      { state: 'succeeded', ...one },
    ]);
    assert.deepEqual(operator.calls, []);
    const resumed = await office.send('DELETE', 'operators/1/suspension', owner);
    assert.equal(resumed.status, 200, resumed.text);
    const live = await untilRecorded(server, await buy(server, aPackage));
    const found = await server.deps.db
      .selectFrom('purchases')
      .select(['supplier_id', 'route_id'])
      .where('id', '=', live)
      .executeTakeFirst();
    assert.deepEqual(found, { supplier_id: 2, route_id: at(made.body, 'id') });
    await office.send('DELETE', `routes/${Number(at(made.body, 'id'))}`, owner);
  });

  test('gets the outcomes of the numbers, with an inquiry that asks no operator', async () => {
    const { token } = tester;
    operator.calls.length = 0;
    const key = newKey();
    const lost = { ...aPackage, product_id: sold.permanent, mobile: '989123456793' };
    const bought = buy(server, lost, { token, key });
    await eventually('it began', () => isPlaced(key));
    for (let waited = 0; waited < 12; waited += 1) await clock.advance(1000);
    assert.equal((await bought).status, 200);
    const barred = await buy(server, { ...aPackage, mobile: '989123456790' }, { token });
    assert.equal(at(barred.body, 'code'), 'OPERATOR_DECLINED', barred.text);
    const stranger = { ...aPackage, product_id: sold.permanent, mobile: '989123456791' };
    assert.equal((await buy(server, stranger, { token })).status, 422);
    assert.deepEqual(operator.calls, []);
  });

  test('sees only its own purchases, and is seen by no other client', async () => {
    const { token } = tester;
    const own = await untilRecorded(server, await buy(server, aPackage, { token }));
    const others = await untilRecorded(server, await buy(server, aPackage));
    const statuses = [];
    for (const [id, as] of [
      [own, token],
      [others, server.client.token],
      [own, server.client.token],
      [others, token],
    ] as const) {
      statuses.push((await request(server, `/api/purchases/${id}`, { token: as })).status);
    }
    assert.deepEqual(statuses, [200, 200, 404, 404]);
  });

  test('has its token masked in the log', async () => {
    const { token } = tester;
    await request(server, `/nowhere?token=${token}`, { token });
    await request(server, '/nowhere', { token: `${token}0` });
    assert.ok(server.logged.length > 2);
    assert.ok(!server.logged.join('').includes(token.slice('simgate_test_'.length)));
  });
});

describe('The purchases of test clients', () => {
  test('are hidden from the list unless they are asked for, and so is the file', async () => {
    const { db } = server.deps;
    const rows = await db.selectFrom('purchases').select(['id', 'client_id']).execute();
    const ofTests = rows.filter(({ client_id }) => client_id === tester.id).map(({ id }) => id);
    const live = rows.map(({ id }) => id).filter((id) => !ofTests.includes(id));
    assert.ok(ofTests.length > 3 && live.length > 3);
    const sorted = (ids: readonly unknown[]) => ids.map(String).toSorted();
    const find = async (query: object, what = 'search'): Promise<unknown> => {
      const found = await office.send('POST', `purchases/${what}`, owner, query);
      assert.equal(found.status, 200, found.text);
      return found.body;
    };
    const listed = async (query: object) => sorted(idsIn(await find({ limit: '100', ...query })));
    const [ofTest = ''] = ofTests;
    assert.deepEqual(await listed({}), sorted(live));
    assert.deepEqual(await listed({ test: 'only' }), sorted(ofTests));
    assert.deepEqual(await listed({ test: 'show' }), sorted([...live, ...ofTests]));
    const listedBy = async (test?: boolean): Promise<readonly string[]> => {
      const filter = { clientId: null, test };
      const found = await listPurchases(server.deps.db, filter, { offset: 0, limit: 1000 });
      return sorted(found.map(({ id }) => id));
    };
    assert.deepEqual(await listedBy(true), sorted(ofTests), 'the command too');
    assert.deepEqual(await listedBy(), sorted([...(await listedBy(false)), ...ofTests]));
    const clients = await listClients(server.deps.db, true);
    assert.ok(clients.length > 0 && clients.every((client) => client.test === 1));
    assert.ok((await listClients(server.deps.db, false)).every((client) => client.test === 0));
    assert.deepEqual(await listed({ client_id: tester.id }), sorted(ofTests));
    assert.deepEqual(await listed({ q: ofTest }), [ofTest]);
    assert.deepEqual(await listed({ id: ofTest, test: 'hide' }), []);
    const first = await find({ limit: '2' });
    const next = await find({ limit: '2', before: at(first, 'next') });
    const pages = [...idsIn(first), ...idsIn(next)];
    assert.deepEqual(pages, sorted(live).toReversed().slice(0, 4));
    const shown = listOf(at(await find({ test: 'only' }), 'data'));
    assert.ok(shown.every((row) => at(row, 'client', 'test') === true));
    assert.equal(at(await find({ test: 'only' }, 'totals'), 'count'), ofTests.length);
    assert.equal(at(await find({}, 'totals'), 'count'), live.length);
    const fileOf = (query: object): Promise<string> =>
      fetched(office.send('POST', 'purchases/export', owner, query));
    assert.doesNotMatch(await fileOf({}), /Tester/);
    assert.equal((await fileOf({ test: 'only' })).match(/Tester/g)?.length, ofTests.length);
  });

  test('are in no figure, report, alert or metric', async () => {
    const { token } = tester;
    const pending = { ...aPackage, mobile: '989123456798' };
    const figures = async () => {
      await clock.advance(writeEveryMs);
      const metrics = await scrape();
      const from = new Date(clock.now()).toISOString().slice(0, 10);
      await eventually('all is counted', async () => {
        await clock.advance(2000);
        const progress = at(await ask(`sales?from=${from}`), 'progress');
        return at(progress, 'postings') === at(progress, 'counted');
      });
      const overview = await ask('overview');
      return {
        totals: at(overview, 'totals'),
        pending: at(overview, 'now', 'pending'),
        review: at(overview, 'now', 'review'),
        low: at(overview, 'low_balances'),
        sales: at(await ask(`sales?from=${from}&by=client,product`), 'rows'),
        alerts: at(await ask('alerts'), 'data'),
        purchases: metrics.sum('simgate_purchases_total'),
        calls: metrics.sum('simgate_operator_calls_total'),
        open: metrics.sum('simgate_purchases_open'),
        inReview: metrics.sum('simgate_purchases_review'),
        webhooksWaiting: metrics.sum('simgate_webhook_messages_waiting'),
        verified: (await verifySales(server.deps.db)).sales,
      };
    };
    const settings = await office.send('PATCH', 'settings', owner, { low_balance_below: 1000 });
    assert.equal(settings.status, 200, settings.text);
    const { calls: _before, ...before } = await figures();
    assert.deepEqual(before.low, []);
    assert.ok(listOf(before.alerts).every((alert) => at(alert, 'kind') !== 'low_balances'));
    // Its endpoint fails from now on.
    receiver.answerWith(500);
    const key = newKey();
    const bought = buy(server, pending, { token, key });
    await eventually('it began', () => isPlaced(key));
    await buy(server, aPackage, { token });
    await buy(server, { ...aPackage, product_id: 999 }, { token });
    await buy(server, { ...aPackage, price: 1 }, { token });
    // Beyond its balance.
    for (let count = 0; count < 12; count += 1) await buy(server, aPackage, { token });
    for (let waited = 0; waited < 60; waited += 1) await clock.advance(1000);
    assert.equal((await bought).status, 202);
    const states = await server.deps.db
      .selectFrom('purchases')
      .select('state')
      .where('client_id', '=', tester.id)
      .execute();
    assert.ok(states.some(({ state }) => state === 'review'));
    const { calls: _after, ...after } = await figures();
    assert.deepEqual(after, before);
    assert.deepEqual((await verifySales(server.deps.db)).problems, []);
    await buy(server, aPackage);
    assert.notDeepEqual(await figures(), { ...before, calls: _after }, 'a sale is counted');
  });
});
