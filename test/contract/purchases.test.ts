/** Tests how a client reads its purchases: one by its ID, or pages of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { createToken } from '../support/clients.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  assertSold,
  aTopUp,
  buy,
  catalogue,
  listed,
  newKey,
  offer,
  operatorThat,
  prepaid,
  served,
  sold,
  topUps,
  withServer,
} from './buying.ts';

const list = '/api/purchases';
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let server: TestServer;
let first: Answer;

before(async () => {
  server = await startServer({ products: catalogue, balance: 10_000_000 });
  first = await buy(server, { ...aPackage, product_id: sold.withProfile }, { key: 'the-first' });
  assertSold(first);
});

after(() => server.stop());

const idOf = ({ headers }: Answer): string => headers.get('purchase-id') ?? '';

const fields =
  `id state charged product_id operator_id mobile price commission charged_amount offerCode offerType
  profile_id webservice_code idempotency_key reason created_at settled_at`.split(/\s+/);

describe('GET /api/purchases/{id}', () => {
  test('gives a purchase by the id of its header, with and without the trailing slash', async () => {
    for (const end of ['', '/']) {
      const answer = await request(server, `${list}/${idOf(first)}${end}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const { body } = answer;
      assert.deepEqual(keysOf(body), fields);
      assert.deepEqual(body, {
        id: idOf(first),
        state: 'succeeded',
        charged: 'yes',
        product_id: sold.withProfile,
        operator_id: 1,
        mobile: prepaid,
        price: 10_000,
        commission: 0,
        charged_amount: 10_000,
        offerCode: null,
        offerType: null,
        profile_id: '42',
        webservice_code: 'order 1',
        idempotency_key: 'the-first',
        reason: null,
        created_at: at(body, 'created_at'),
        settled_at: at(body, 'settled_at'),
      });
      assert.match(String(at(body, 'created_at')), time);
      assert.match(String(at(body, 'settled_at')), time);
    }
  });

  test('shows a refusal too, with its reason and without an operator if there is none', async () => {
    const refused = await buy(server, { ...aPackage, product_id: 999 });
    const { body } = await request(server, `${list}/${idOf(refused)}`);
    assert.equal(at(body, 'state'), 'refused');
    assert.equal(at(body, 'charged'), 'no');
    assert.equal(at(body, 'reason'), 'PRODUCT_NOT_FOUND');
    assert.equal(at(body, 'operator_id'), null);
    assert.equal(at(body, 'product_id'), 999);
  });

  test('shows the offer that was bought', () => {
    const operator = operatorThat({ offers: async () => listed(offer()) });
    return withServer(served(operator), async (server) => {
      const personal = { ...aPackage, product_id: 510, price: 33_000 };
      const bought = await buy(server, { ...personal, offerCode: 'C1', offerType: 'T1' });
      const { body } = await request(server, `${list}/${idOf(bought)}`);
      assert.deepEqual([at(body, 'offerCode'), at(body, 'offerType')], ['C1', 'T1']);
    });
  });

  test('shows one in flight as unknown, and not settled', () => {
    const answer = Promise.withResolvers<void>();
    const operator = operatorThat({
      buy: async ({ ref }) => {
        await answer.promise;
        return { kind: 'done', ref };
      },
    });
    return withServer(served(operator), async (server) => {
      const waiting = buy(server, aPackage);
      let found: unknown;
      while (found === undefined) found = at((await request(server, list)).body, 'data', 0);
      assert.equal(at(found, 'state'), 'submitted');
      assert.equal(at(found, 'charged'), 'unknown');
      assert.equal(at(found, 'settled_at'), null);
      answer.resolve();
      const { body } = await request(server, `${list}/${idOf(await waiting)}`);
      assert.equal(at(body, 'state'), 'succeeded');
    });
  });

  test("is 404 PURCHASE_NOT_FOUND for an unknown one, and for another client's", async () => {
    const other = await addClient(server);
    const asked = [
      request(server, `${list}/${idOf(first)}`, { token: other.token }),
      request(server, `${list}/nonsense`),
      request(server, `${list}/${idOf(first).toUpperCase()}`),
      request(server, `${list}/%00`),
      request(server, `${list}/${"'".repeat(3)}%20or%201=1`),
    ];
    for (const answer of await Promise.all(asked)) assertError(answer, 404, 'PURCHASE_NOT_FOUND');
  });

  test('needs a token with the scope of buying', async () => {
    assertError(await request(server, `${list}/x`, { token: null }), 401, 'TOKEN_MISSING');
    const { token } = await createToken(server.deps, server.client.id, { scopes: ['catalogue'] });
    assertError(await request(server, `${list}/x`, { token }), 403, 'SCOPE_MISSING');
    assertError(await request(server, list, { token }), 403, 'SCOPE_MISSING');
  });
});

describe('GET /api/purchases', () => {
  const withMany = async (
    count: number,
    work: (server: TestServer, ids: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const clock = manualClock();
    return withServer({ balance: 100_000_000, clock }, async (server) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const webservice_code = index % 2 === 0 ? 'even & odd' : 'odd';
        ids.push(idOf(await buy(server, { ...aPackage, webservice_code }, { key: `k-${index}` })));
        // Within one millisecond the order of two is undefined.
        await clock.advance(1);
      }
      await work(server, ids);
    });
  };

  const idsIn = ({ body }: Answer): unknown[] =>
    listOf(at(body, 'data')).map((one) => at(one, 'id'));

  test('gives the envelope of the contract without a balance, the newest first, 100 a page', () =>
    withMany(103, async (server, ids) => {
      const newest = ids.toReversed();
      const answer = await request(server, list);
      assert.deepEqual(keysOf(answer.body), ['data', 'links', 'meta']);
      assert.deepEqual(idsIn(answer), newest.slice(0, 100));
      const url = `${server.url}${list}`;
      assert.deepEqual(at(answer.body, 'links'), {
        first: `${url}?page=1`,
        last: `${url}?page=2`,
        prev: null,
        next: `${url}?page=2`,
      });
      const meta = at(answer.body, 'meta');
      assert.equal(
        keysOf(meta).join(' '),
        'current_page from last_page links path per_page to total',
      );
      assert.equal(at(meta, 'total'), 103);
      assert.equal(at(meta, 'per_page'), 100);
      assert.deepEqual([at(meta, 'from'), at(meta, 'to'), at(meta, 'last_page')], [1, 100, 2]);
      const second = await request(server, `${list}/?page=2`);
      assert.deepEqual(idsIn(second), newest.slice(100));
      assert.equal(at(second.body, 'meta', 'path'), url);
      assert.deepEqual(idsIn(await request(server, `${list}?page=3`)), []);
      const few = await request(server, `${list}?per_page=10&page=11`);
      assert.deepEqual(idsIn(few), newest.slice(100));
      const many = await request(server, `${list}?per_page=1000&page=nonsense`);
      assert.deepEqual(idsIn(many), newest.slice(0, 100));
    }));

  test('shows each purchase as it is shown by its id', async () => {
    const all = await request(server, list);
    for (const shown of listOf(at(all.body, 'data'))) {
      const alone = await request(server, `${list}/${String(at(shown, 'id'))}`);
      assert.deepEqual(alone.body, shown);
    }
  });

  test('is filtered by the tracking code, exactly, and its links keep the filter', () =>
    withMany(6, async (server, ids) => {
      const code = encodeURIComponent('even & odd');
      const even = await request(server, `${list}?webservice_code=${code}&per_page=2`);
      assert.deepEqual(idsIn(even), [ids[4], ids[2]]);
      assert.equal(at(even.body, 'meta', 'total'), 3);
      const next = new URL(String(at(even.body, 'links', 'next')));
      assert.deepEqual(idsIn(await request(server, next.pathname + next.search)), [ids[0]]);
      for (const none of ['even', 'Odd', 'od', '%', '_dd']) {
        const query = `webservice_code=${encodeURIComponent(none)}`;
        assert.deepEqual(idsIn(await request(server, `${list}?${query}`)), [], none);
      }
    }));

  test('is filtered by the key, which finds one at most', () =>
    withMany(3, async (server, ids) => {
      assert.deepEqual(idsIn(await request(server, `${list}?idempotency_key=k-1`)), [ids[1]]);
      assert.deepEqual(idsIn(await request(server, `${list}?idempotency_key=k-9`)), []);
      assert.deepEqual(idsIn(await request(server, `${list}?idempotency_key=K-1`)), []);
    }));

  test('is filtered by the state, and by all filters together', () =>
    withMany(4, async (server, ids) => {
      const declined = idOf(await buy(server, { ...aPackage, mobile: '989123456790' }));
      const refused = idOf(await buy(server, { ...aPackage, price: 1 }));
      const inState = async (state: string): Promise<unknown[]> =>
        idsIn(await request(server, `${list}?state=${state}`));
      assert.deepEqual(await inState('succeeded'), ids.toReversed());
      assert.deepEqual(await inState('failed'), [declined]);
      assert.deepEqual(await inState('refused'), [refused]);
      for (const none of ['submitted', 'unknown', 'review', 'reversed']) {
        assert.deepEqual(await inState(none), [], none);
      }
      const both = `${list}?state=succeeded&webservice_code=odd&idempotency_key=k-3`;
      assert.deepEqual(idsIn(await request(server, both)), [ids[3]]);
      assert.deepEqual(idsIn(await request(server, `${both}&state=failed`)), []);
    }));

  test('is filtered by number, product and operator', () =>
    withMany(2, async (server, ids) => {
      const toOther = idOf(await buy(server, { ...aPackage, mobile: '989123456702' }));
      const topUp = idOf(await buy(server, aTopUp, { path: topUps, key: newKey() }));
      const found = async (query: string): Promise<unknown[]> =>
        idsIn(await request(server, `${list}?${query}`));
      assert.deepEqual(await found('mobile=989123456702'), [toOther]);
      assert.deepEqual(await found('mobile=۹۸۹۱۲۳۴۵۶۷۰۲'), [toOther], 'in Persian digits');
      assert.deepEqual(await found(`product_id=${sold.topUp}`), [topUp]);
      // The last two began in the same millisecond.
      assert.deepEqual(new Set(await found('operator_id=1')), new Set([topUp, toOther, ...ids]));
      assert.deepEqual(await found('operator_id=2'), []);
      assert.deepEqual(await found(`mobile=${prepaid}&product_id=${sold.topUp}`), [topUp]);
    }));

  test('is filtered by when purchases began, the first moment included and the last not', async () => {
    const clock = manualClock();
    await withServer({ clock, balance: 1_000_000 }, async (server) => {
      const begun: string[] = [];
      const moments: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        moments.push(new Date(clock.now()).toISOString());
        begun.push(idOf(await buy(server, aPackage)));
        await clock.advance(60_000);
      }
      const found = async (query: string): Promise<unknown[]> =>
        idsIn(await request(server, `${list}?${query}`));
      assert.deepEqual(await found(`from=${moments[1]}`), [begun[2], begun[1]]);
      assert.deepEqual(await found(`to=${moments[1]}`), [begun[0]]);
      assert.deepEqual(await found(`from=${moments[0]}&to=${moments[2]}`), [begun[1], begun[0]]);
      assert.deepEqual(await found('to=1970-01-01'), []);
    });
  });

  test('is iterated to its end while more is sold: none repeats and none is skipped', () =>
    withMany(25, async (server, ids) => {
      const seen: unknown[] = [];
      let query = 'per_page=4';
      for (;;) {
        const page = idsIn(await request(server, `${list}?${query}`));
        if (page.length === 0) break;
        seen.push(...page);
        query = `per_page=4&before=${String(page.at(-1))}`;
        assertSold(await buy(server, aPackage));
      }
      assert.deepEqual(seen, ids.toReversed());
    }));

  test('refuses invalid filters, and names them all', async () => {
    const query = 'mobile=0912&product_id=x&operator_id=-1';
    const answer = await request(server, `${list}?${query}`);
    assertError(answer, 422, 'VALIDATION_FAILED');
    assert.deepEqual(keysOf(at(answer.body, 'errors')), ['mobile', 'product_id', 'operator_id']);
    for (const [name, value] of [
      ['from', 'yesterday'],
      ['before', 'nobodys'],
    ] as const) {
      const one = await request(server, `${list}?${name}=${value}`);
      assertError(one, 422, 'VALIDATION_FAILED');
      assert.deepEqual(keysOf(at(one.body, 'errors')), [name]);
    }
  });

  test('takes an empty filter for none', async () => {
    const all = await request(server, list);
    const empty = await request(server, `${list}?state=&webservice_code=&idempotency_key=&page=`);
    assert.deepEqual(at(empty.body, 'data'), at(all.body, 'data'));
  });

  test('refuses an unknown state, and names the known ones', async () => {
    for (const state of ['done', 'Succeeded', 'succeeded,failed']) {
      const answer = await request(server, `${list}?state=${state}`);
      assertError(answer, 422, 'VALIDATION_FAILED');
      assert.deepEqual(keysOf(at(answer.body, 'errors')), ['state']);
      assert.match(String(at(answer.body, 'errors', 'state', 0)), /succeeded, failed, reversed/);
    }
  });

  test('shows a client its own purchases only, and one without any an empty page', async () => {
    const other = await addClient(server, { balance: 5000 });
    const none = await request(server, list, { token: other.token });
    assert.deepEqual(idsIn(none), []);
    assert.equal(at(none.body, 'meta', 'total'), 0);
    assert.equal(at(none.body, 'meta', 'from'), null);
    const own = await buy(server, aTopUp, { path: topUps, token: other.token, key: newKey() });
    assert.deepEqual(idsIn(await request(server, list, { token: other.token })), [idOf(own)]);
    assert.ok(!idsIn(await request(server, list)).includes(idOf(own)));
  });
});
