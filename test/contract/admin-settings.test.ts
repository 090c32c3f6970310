/** Tests the settings and the audit log of the back office, and its request rate limit. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { transact, writeAudit } from '../../src/admin/audit/audit.ts';
import { readConfig } from '../../src/config/config.ts';
import { sqlOf } from '../../src/db/engine.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

const defaults = readConfig({});
const token = 'a-token-that-nobody-may-see';
const rate = { perSecond: 0.001, burst: 20 };

let server: TestServer;
let office: BackOffice;
let owner: Cookie;
before(async () => {
  server = await startServer({
    config: {
      metrics: { host: '127.0.0.1', token },
      admin: { ...defaults.admin, rate, anonymousRate: { perSecond: 0.001, burst: 4 } },
    },
  });
  office = await backOffice(server);
  owner = await office.enter('owner');
});
after(() => server.stop());

describe('The settings', () => {
  test('show the configuration with descriptions, origins, and no secret', async () => {
    const { body, text } = await office.send('GET', 'settings', await office.enter('viewer'));
    const found = (name: string): unknown =>
      listOf(at(body, 'config')).find((one) => at(one, 'name') === name);
    assert.deepEqual(found('limits.requests'), {
      name: 'limits.requests',
      value: 5000,
      default: 5000,
      from: 'default',
      description:
        'Concurrent requests of clients, of all kinds. More are answered 503 before they are read.',
    });
    assert.equal(at(found('metrics.token'), 'value'), '***');
    assert.equal(at(found('metrics.token'), 'from'), 'environment');
    assert.ok(!text.includes(token));
    assert.equal(listOf(at(found('operators'), 'value')).length, 5);
    assert.equal(at(body, 'database', 'engine'), sqlOf(server.deps.db).name);
    assert.ok(Number(at(body, 'database', 'size_bytes')) > 10_000);
    assert.equal(at(body, 'node'), process.version);
  });

  test('of the console are changed by an owner, one at a time, and it is in the audit', async () => {
    const change = await office.send('PATCH', 'settings', owner, {
      company_name: '  Example Mobile ',
      time_zone: 'Asia/Tehran',
    });
    const changed = {
      company_name: 'Example Mobile',
      low_balance_below: 1_000_000,
      currency: null,
      invoices: {
        seller_name: '',
        seller_number: '',
        seller_address: '',
        tax_percent: '0',
        calendar: 'gregorian',
      },
      time_zone: 'Asia/Tehran',
      time_zone_since: at(change.body, 'time_zone_since'),
    };
    assert.match(String(changed.time_zone_since), /^20\d\d-/);
    assert.deepEqual([change.status, change.body], [200, changed]);
    await office.send('PATCH', 'settings', owner, {
      low_balance_below: 5,
      time_zone: 'Asia/Tehran',
    });
    const { body } = await office.send('GET', 'settings', owner);
    assert.deepEqual(at(body, 'console'), { ...changed, low_balance_below: 5 });
    const audit = await office.send('GET', 'audit?action=settings%20change', owner);
    const entries = listOf(at(audit.body, 'data'));
    assert.deepEqual(
      entries.map((entry) => [at(entry, 'subject'), at(entry, 'before'), at(entry, 'after')]),
      [
        ['settings', { low_balance_below: 1_000_000 }, { low_balance_below: 5 }],
        [
          'settings',
          { company_name: '', time_zone: 'UTC' },
          { company_name: 'Example Mobile', time_zone: 'Asia/Tehran' },
        ],
      ],
    );
  });

  test('that are invalid change nothing, and are named', async () => {
    for (const [wrong, field] of [
      [{ time_zone: 'Mars/Olympus', company_name: 'x' }, 'time_zone'],
      [{ time_zone: '+03:30' }, 'time_zone'],
      [{ low_balance_below: -1 }, 'low_balance_below'],
      [{ company_name: 'x'.repeat(101) }, 'company_name'],
    ] as const) {
      const answer = await office.send('PATCH', 'settings', await office.enter('owner'), wrong);
      assert.equal(answer.status, 422, answer.text);
      assert.ok(at(answer.body, 'errors', field) !== undefined, answer.text);
    }
    const { body } = await office.send('GET', 'settings', await office.enter('owner'));
    assert.equal(at(body, 'console', 'company_name'), 'Example Mobile');
  });
});

test('the audit log is searched by account, action and time, page by page', async () => {
  const day = 86_400_000;
  const start = Date.UTC(2020, 0, 1);
  for (let index = 0; index < 110; index += 1) {
    const now = (): number => start + index * day;
    const deps = { ...office.deps, clock: { now }, newId: uuidV7({ now }, systemRandom) };
    const actor = { accountId: null, name: index % 2 === 0 ? 'even' : 'odd', address: null };
    const action = index < 5 ? 'client create' : 'client change';
    const entry = { action, subject: 's', before: {}, after: {} } as const;
    await transact(deps, (db) => writeAudit(db, deps, actor, entry));
  }
  const found = async (query: string): Promise<unknown> =>
    (await office.send('GET', `audit?${query}`, await office.enter('manager'))).body;
  const count = async (query: string): Promise<number> =>
    listOf(at(await found(query), 'data')).length;
  assert.equal(await count('actor=even'), 55);
  assert.equal(await count('actor=odd&action=client%20create'), 2);
  assert.equal(await count('subject=s&from=2020-01-03&to=2020-01-06'), 3);
  assert.equal(await count('actor=even&from=2020-01-03&to=2020-01-06'), 2);
  assert.equal(await count('to=2019-12-31'), 0);
  const first = await found('subject=s');
  assert.equal(listOf(at(first, 'data')).length, 100);
  const rest = await found(`subject=s&before=${String(at(first, 'next'))}`);
  assert.equal(listOf(at(rest, 'data')).length, 10);
  assert.equal(at(rest, 'next'), null);
  const wrong = await found('from=yesterday');
  assert.ok(at(wrong, 'errors', 'from') !== undefined);
});

describe('Who asks too often', () => {
  test('is refused by session, and no other session with it', async () => {
    const [one, other] = [await office.enter('viewer'), await office.enter('viewer')];
    for (let count = 0; count < rate.burst; count += 1) {
      assert.equal((await office.send('GET', 'me', one)).status, 200);
    }
    const refused = await office.send('GET', 'me', one);
    assert.deepEqual([refused.status, at(refused.body, 'code')], [429, 'TOO_MANY_REQUESTS']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await office.send('GET', 'me', other)).status, 200);
  });

  test('without a session is refused by address, and clients with a token are not', async () => {
    const tries = [{}, { cookie: `simgate-admin=${'a'.repeat(43)}` }, {}, {}] as const;
    for (const cookie of tries) {
      assert.equal((await office.send('GET', 'me', cookie)).status, 401);
    }
    assert.equal((await office.send('GET', 'me', {})).status, 429);
    const login = { name: 'nobody', password: 'a guess' };
    assert.equal((await office.send('POST', 'login', {}, login)).status, 429);
    assert.equal((await office.send('GET', 'me', await office.enter('viewer'))).status, 200);
    assert.equal((await request(server, '/api/clients/products')).status, 200);
  });
});
