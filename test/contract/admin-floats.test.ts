/** Tests floats over the admin API: top-ups once per key, with their audit, and sales only while there is float. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { assertError, at, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aPackage, assertSold, buy, catalogue } from './buying.ts';
import { routeTerms } from './route-terms.ts';

let server: TestServer;
let owner: Ask;
before(async () => {
  const { operators } = readConfig({});
  server = await startServer({
    products: catalogue,
    config: {
      operators: operators.map((one) =>
        one.id === 1 ? { ...one, settings: { float: 5_000_000, discountPercent: 10 } } : one,
      ),
    },
  });
  owner = await enterOffice(server, 'owner');
  const route = {
    ...routeTerms,
    key: randomUUID(),
    operator_id: 1,
    supplier_id: 1,
    priority: 1,
    cost: '10%',
  };
  assert.equal((await owner('POST', 'routes', route)).status, 201);
});
after(() => server.stop());

const price = Number(aPackage.price);
const cost = Math.round(price * 0.9);
const path = 'operators/1/float';

const record = (fields: object, key = randomUUID()) =>
  owner('POST', `${path}/entries`, { kind: 'top_up', reason: 'transfer of today', key, ...fields });

const floatOf = async (field: string): Promise<unknown> =>
  at((await owner('GET', path)).body, 'float', field);

describe('The float of a supplier', () => {
  test('is compared from the start with the balance that the supplier says', async () => {
    await eventually(
      'the balance was said',
      async () => typeof (await floatOf('balance')) === 'number',
    );
    // Before anything is bought or recorded.
    assert.equal(await floatOf('drift'), 5_000_000);
    const { body } = await owner('GET', 'floats');
    assert.deepEqual(
      listOf(at(body, 'data')).map((one) => at(one, 'supplier_id')),
      [1, 2, 3, 4, 5],
    );
  });

  test('is not watched before its first entry', async () => {
    assert.equal(await floatOf('level'), null);
    assertSold(await buy(server, aPackage));
  });

  test('is topped up once per key, with its reference and reason in the audit log', async () => {
    const key = randomUUID();
    const amount = 3 * cost;
    const first = await record({ amount, reference: 'T-4711' }, key);
    assert.equal(first.status, 201, first.text);
    assert.equal(at(first.body, 'number'), 1);
    assert.equal((await record({ amount, reference: 'T-4711' }, key)).text, first.text);
    assert.equal((await record({ amount: amount + 1 }, key)).status, 409);
    const { body } = await owner('GET', path);
    assert.deepEqual(at(body, 'data'), [first.body]);
    // One was sold before.
    assert.equal(at(body, 'float', 'held'), 2 * cost);
    const [audit] = listOf(at((await owner('GET', 'audit')).body, 'data'));
    assert.deepEqual(
      [at(audit, 'action'), at(audit, 'subject'), at(audit, 'before'), at(audit, 'after')],
      [
        'supplier top up',
        'operator 1',
        { held: -cost },
        { held: 2 * cost, amount, reference: 'T-4711', reason: 'transfer of today', number: 1 },
      ],
    );
  });

  test('refuses a top-up that takes, and a correction of nothing', async () => {
    const wrong = [{ amount: -5 }, { amount: 0, kind: 'correction' }, { amount: 5, reason: '' }];
    for (const fields of wrong) {
      const { status, body } = await record(fields);
      assert.deepEqual([status, at(body, 'code')], [422, 'VALIDATION_FAILED']);
    }
    const { status, body } = await owner('GET', 'operators/77/float');
    assert.deepEqual([status, at(body, 'code')], [404, 'OPERATOR_NOT_FOUND']);
  });

  test('sells while it lasts, then answers 503 with nothing charged, and sells again when topped up', async () => {
    const out = await record({ amount: -2 * cost + 5, kind: 'correction' });
    assert.equal(out.status, 201, out.text);
    assert.equal(await floatOf('held'), 5);
    const refused = await buy(server, aPackage);
    assertError(refused, 503, 'OPERATOR_UNAVAILABLE');
    assert.equal(at(refused.body, 'charged'), 'no');
    const explained = await owner(
      'GET',
      `routes/explain?product_id=${String(aPackage.product_id)}`,
    );
    assert.match(explained.text, /"no_float"/);
    const kindsFor = async (ask: Ask, list: string): Promise<unknown[]> =>
      listOf(at((await ask('GET', list)).body, 'data')).map((one) => at(one, 'kind'));
    await eventually('the alert shows', async () =>
      (await kindsFor(owner, 'alerts')).some((kind) => String(kind).startsWith('float_')),
    );
    const alarm = { kind: 'float_low', subject: '1', since: 1, clear_since: null, facts: '{}' };
    await server.deps.db
      .insertInto('alarms')
      .values({ ...alarm, state: 'raised' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // The running watch may have raised others.
    assert.ok((await kindsFor(owner, 'alarms')).includes('float_low'));
    const viewer = await enterOffice(server, 'viewer');
    for (const list of ['alerts', 'alarms']) {
      const kinds = await kindsFor(viewer, list);
      assert.ok(!kinds.some((kind) => /^float_|^margin_/.test(String(kind))), list);
    }
    await record({ amount: cost, reference: 'T-4712' });
    assertSold(await buy(server, aPackage));
    assert.equal(await floatOf('held'), 5);
  });

  test('has a gap where a delivery is missing in our books, until a correction explains it', async () => {
    const { db } = server.deps;
    const chain = async (): Promise<readonly [unknown, readonly unknown[]]> => {
      const { body } = await owner('GET', path);
      return [at(body, 'chain'), listOf(at(body, 'gaps'))];
    };
    // Both: one that is counted later would join the end that is changed below.
    await eventually('the deliveries are counted', async () => {
      const rows = await db.selectFrom('sales').select('sold').where('kind', '=', 'full').execute();
      return rows.reduce((sum, { sold }) => sum + sold, 0) === 2;
    });
    assert.equal((await chain())[0], 'followed');
    assert.deepEqual((await chain())[1], []);
    // One that is not booked lies between the last delivery and the one before.
    const [last] = await db
      .selectFrom('chain_ends')
      .selectAll()
      .where('deliveries', '=', 1)
      .execute();
    assert.ok(last !== undefined);
    const before = { ...last, deliveries: -1, balance: last.balance - 77, at: 1 };
    const after = { ...last, balance: last.balance - 99, at: 1 };
    await db.insertInto('chain_ends').values([before, after]).execute();
    await db.updateTable('chain_ends').set({ at: 1 }).execute();
    const [, [gap, ...others]] = await chain();
    assert.deepEqual([at(gap, 'missing'), others], [-77, []]);
    assert.equal(at(gap, 'after'), last.purchase_id);
    assert.equal(at(gap, 'before'), last.purchase_id);
    assert.equal((await record({ amount: -77, kind: 'correction' })).status, 201);
    assert.deepEqual((await chain())[1], []);
    await record({ amount: 77, kind: 'correction' });
  });
});
