/** Tests a client's rules over HTTP: allowed products, daily limit, likely repeats, 409 while pending, and ported numbers. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ClientRules } from '../../src/clients/rules/rules.ts';
import { at, keysOf } from '../support/answers.ts';
import { updateRules } from '../support/clients.ts';
import { eventually } from '../support/live.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  assertRepeated,
  assertSold,
  aTopUp,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  multipartOf,
  newKey,
  operatorThat,
  packages,
  postpaid,
  prepaid,
  purchaseDefaults,
  queryOf,
  served,
  sold,
  topUps,
  withServer,
} from './buying.ts';

let server: TestServer;
before(async () => {
  server = await startServer({ products: catalogue });
});
after(() => server.stop());

type Client = { readonly id: string; readonly token: string };

/** A client whose rules are set before any server knows it. */
const ruled = async (change: Partial<ClientRules>, to = server): Promise<Client> => {
  const client = await addClient(to, { balance: 1_000_000 });
  await updateRules(to.deps, client.id, change);
  return client;
};

const change = async (client: Client, rules: Partial<ClientRules>): Promise<void> => {
  const { after: now } = await updateRules(server.deps, client.id, rules);
  await eventually('the server knows it', async () => {
    const { body } = await request(server, '/api/account', { token: client.token });
    const limits = at(body, 'limits');
    return (
      JSON.stringify([
        at(limits, 'products'),
        at(limits, 'repeat_guard_seconds'),
        at(limits, 'day', 'limit') ?? null,
      ]) === JSON.stringify([now.products, now.repeatSeconds, now.dailyLimit])
    );
  });
};

const codeOf = ({ body }: Answer): unknown => at(body, 'code');

const check = (fields: Fields, token: string, to = server): Promise<Answer> =>
  request(to, '/api/top-up/check', { json: fields, token });

/** Fails unless validation and purchase answer the same, except for the request's id. */
const assertSame = (one: Answer, other: Answer): void => {
  const plain = ({ status, body }: Answer): unknown => [
    status,
    keysOf(body).map((name) => [name, name === 'request_id' ? '' : at(body, name)]),
  ];
  assert.deepEqual(plain(one), plain(other));
  assert.equal(one.headers.get('retry-after') === null, other.headers.get('retry-after') === null);
};

const countOf = async ({ id }: Client): Promise<number> => {
  const rows = await server.deps.db
    .selectFrom('purchases')
    .select('id')
    .where('client_id', '=', id)
    .execute();
  return rows.length;
};

describe('A client with lists of allowed products', () => {
  test('is refused what is on neither, with nothing recorded, and may send the key again once it is allowed', async () => {
    const client = await ruled({ products: [sold.topUp] });
    const { token } = client;
    const key = newKey();
    const refused = await buy(server, aPackage, { token, key });
    assert.equal(refused.status, 403);
    assert.deepEqual(
      [codeOf(refused), at(refused.body, 'charged'), at(refused.body, 'retry')],
      ['PRODUCT_NOT_ALLOWED', 'no', 'no'],
    );
    assertSame(await check(aPackage, token), refused);
    assert.equal(await countOf(client), 0);
    assertSold(await buy(server, aTopUp, { token, path: topUps }));
    await change(client, { products: [sold.topUp, sold.credit] });
    assertSold(await buy(server, aPackage, { token, key }));
  });

  test('is refused before anything else is judged or the operator is asked', () => {
    const operator = operatorThat({
      subscriber: async () => ({ kind: 'unknown', detail: 'silent' }),
    });
    return withServer(served(operator), async (server) => {
      const { token } = await ruled({ operators: [2] }, server);
      for (const more of [{}, { price: 1 }, { product_id: sold.switchedOff }]) {
        assert.equal(
          codeOf(await buy(server, { ...aPackage, ...more }, { token })),
          'PRODUCT_NOT_ALLOWED',
        );
      }
      assert.deepEqual(operator.asked.subscriber, []);
      const unknown = await buy(server, { ...aPackage, product_id: 999 }, { token });
      assert.equal(codeOf(unknown), 'PRODUCT_NOT_FOUND');
    });
  });

  test('still gets the answers of its known keys', async () => {
    const client = await ruled({});
    const { token } = client;
    const key = newKey();
    const first = await buy(server, aPackage, { token, key });
    assertSold(first);
    await change(client, { products: [1], repeatSeconds: 60, dailyLimit: 1 });
    assertRepeated(await buy(server, aPackage, { token, key }), first);
  });
});

describe('A client with a guard against likely repeats', () => {
  test('buys the same once, even with concurrent requests, unless it confirms the repeat', async () => {
    const client = await ruled({ repeatSeconds: 60 });
    const { token } = client;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => buy(server, aPackage, { token })),
    );
    const first = answers.filter(({ status }) => status === 200);
    assert.equal(first.length, 1);
    const refused = answers.filter((one) => codeOf(one) === 'LIKELY_DUPLICATE');
    assert.equal(refused.length, 49);
    const purchaseId = first[0]?.headers.get('purchase-id');
    for (const { status, body, text } of refused) {
      assert.equal(status, 409);
      assert.deepEqual(
        [at(body, 'charged'), at(body, 'retry'), at(body, 'purchase_id')],
        ['no', 'new_key', purchaseId],
      );
      assert.match(String(at(body, 'began_at')), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.doesNotMatch(text, new RegExp(prepaid));
    }
    assert.deepEqual(await moneyOf(server, client.id), { available: 990_000, held: 0 });
    assertSold(await buy(server, { ...aPackage, allow_repeat: 1 }, { token }));
    assertSold(await buy(server, { ...aPackage, mobile: '989123456702' }, { token }));
  });

  test('has that recorded: the same key answers the same, also with allow_repeat, and a new one buys', async () => {
    const { token } = await ruled({ repeatSeconds: 60 });
    assertSold(await buy(server, aPackage, { token }));
    assertSame(await check(aPackage, token), await buy(server, aPackage, { token }));
    const key = newKey();
    const refused = await buy(server, aPackage, { token, key });
    assert.equal(codeOf(refused), 'LIKELY_DUPLICATE');
    const meant = { ...aPackage, allow_repeat: '1' };
    assertRepeated(await buy(server, meant, { token, key }), refused);
    assert.equal((await check(meant, token)).status, 200);
    assertSold(await buy(server, meant, { token }));
  });

  test('may buy again what failed', async () => {
    const { token } = await ruled({ repeatSeconds: 60 });
    const declined = { ...aPackage, mobile: '989123456790' };
    for (const _ of [1, 2]) {
      assert.equal(codeOf(await buy(server, declined, { token })), 'OPERATOR_DECLINED');
    }
  });

  test('confirms a repeat in every encoding, and an unreadable confirmation is an error', async () => {
    const { token } = await ruled({ repeatSeconds: 60 });
    assertSold(await buy(server, aPackage, { token }));
    const send = (init: Parameters<typeof request>[2], query = ''): Promise<Answer> =>
      request(server, packages + query, {
        method: 'POST',
        token,
        headers: { 'idempotency-key': newKey() },
        ...init,
      });
    for (const allow_repeat of [1, true, '1', 'true', '۱']) {
      assertSold(await send({ json: { ...aPackage, allow_repeat } }));
    }
    const meant = { ...aPackage, allow_repeat: 1 };
    assertSold(await send({ body: multipartOf(meant) }));
    assertSold(await send({ method: 'GET' }, `?${queryOf(meant)}`));
    for (const allow_repeat of [0, false, '0', 'FALSE', '', null]) {
      assert.equal(codeOf(await send({ json: { ...aPackage, allow_repeat } })), 'LIKELY_DUPLICATE');
    }
    const wrong = await send({ json: { ...aPackage, allow_repeat: 'yes', ported: [1] } });
    assert.equal(codeOf(wrong), 'VALIDATION_FAILED');
    assert.deepEqual(keysOf(at(wrong.body, 'errors')), ['allow_repeat', 'ported']);
  });
});

describe('A client with a daily limit', () => {
  test('buys exactly as much as fits, even with concurrent requests, and failed ones do not count', async () => {
    const client = await ruled({ dailyLimit: 37_000 });
    const { token } = client;
    const declined = await buy(server, { ...aPackage, mobile: '989123456790' }, { token });
    assert.equal(codeOf(declined), 'OPERATOR_DECLINED');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => buy(server, aPackage, { token })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    const refused = answers.filter((one) => codeOf(one) === 'DAILY_LIMIT_REACHED');
    assert.equal(refused.length, 17);
    for (const { status, body, headers } of refused) {
      assert.equal(status, 403);
      assert.deepEqual(
        ['charged', 'retry', 'daily_limit', 'left_today'].map((name) => at(body, name)),
        ['no', 'same_key', 37_000, 7000],
      );
      const after = Number(headers.get('retry-after'));
      assert.ok(after > 0 && after <= 86_400);
    }
    assert.equal(await countOf(client), 4);
    assertSame(await check(aPackage, token), refused[0] ?? assert.fail());
    assertSold(await buy(server, aTopUp, { token, path: topUps }));
    const { body } = await request(server, '/api/account', { token });
    assert.deepEqual(
      ['limit', 'spent', 'left'].map((name) => at(body, 'limits', 'day', name)),
      [37_000, 35_000, 2000],
    );
    assert.match(String(at(body, 'limits', 'day', 'ends_at')), /T00:00:00\.000000Z$/);
  });

  test('counts what was spent before the limit was set, and buys with the same key once it is raised', async () => {
    const client = await ruled({});
    const { token } = client;
    assertSold(await buy(server, aPackage, { token }));
    await change(client, { dailyLimit: 15_000 });
    const key = newKey();
    assert.equal(codeOf(await buy(server, aPackage, { token, key })), 'DAILY_LIMIT_REACHED');
    await change(client, { dailyLimit: 20_000 });
    assertSold(await buy(server, aPackage, { token, key }));
    await change(client, { dailyLimit: null });
    assertSold(await buy(server, aPackage, { token }));
  });
});

test('The rules of one client do not affect others', async () => {
  await ruled({ products: [], operators: [], repeatSeconds: 60, dailyLimit: 1 });
  for (const _ of [1, 2]) assertSold(await buy(server, aPackage));
});

describe('A client with 409 for unfinished purchases', () => {
  test('gets the very same body and headers under that status, on every path', () => {
    const operator = operatorThat({ buy: () => new Promise(() => {}), deadlineMs: 300 });
    const purchases = { ...purchaseDefaults, pendingAfterMs: 30 };
    return withServer(served(operator, { purchases }), async (server) => {
      const other = await addClient(server, { balance: 1_000_000 });
      const { token } = await ruled({ pendingStatus: 409 }, server);
      const plain = (answer: Answer, status: number): unknown => {
        assert.equal(answer.status, status, answer.text);
        assert.match(answer.headers.get('purchase-id') ?? '', /^[\da-f-]{36}$/);
        const fields = keysOf(answer.body).filter((name) => name !== 'request_id');
        return [answer.headers.get('retry-after'), fields.map((name) => at(answer.body, name))];
      };
      const usual = plain(await buy(server, aPackage, { token: other.token }), 202);
      const key = newKey();
      const first = await buy(server, aPackage, { token, key });
      assert.deepEqual(plain(first, 409), usual);
      // Now that the fast path knows the token, and by the query, which only the framework reads.
      assert.deepEqual(plain(await buy(server, aPackage, { token, key }), 409), usual);
      const byQuery = await request(server, `${packages}?${queryOf(aPackage)}`, {
        token,
        headers: { 'idempotency-key': key },
      });
      assert.deepEqual(plain(byQuery, 409), usual);
    });
  });
});

describe('A number whose prefix is another operator’s', () => {
  const operators = [1, 2].map((id) => ({
    id,
    name: `operator_${id}`,
    connector: 'test',
    settings: {},
    prefixes: [`9891${id + 1}`],
  }));
  const ofTwo = '989133456700';

  test('is sold only as ported, if prefixes decide, and the operator has the final decision', () => {
    const operator = operatorThat({
      subscriber: async (mobile) =>
        mobile === postpaid
          ? { kind: 'not_subscriber' }
          : { kind: 'subscriber', simType: 'credit' },
    });
    const config = { operators, numbers: { enforcePrefixes: true } };
    return withServer({ connectors: [operator.connector], config }, async (server) => {
      const { token } = server.client;
      const key = newKey();
      const other = { ...aPackage, mobile: ofTwo };
      const refused = await buy(server, other, { key });
      assert.equal(refused.status, 422);
      assert.deepEqual(
        [codeOf(refused), at(refused.body, 'retry')],
        ['OPERATOR_MISMATCH', 'new_key'],
      );
      assert.match(String(at(refused.body, 'message')), /ported=1/);
      assert.deepEqual(operator.asked.subscriber, []);
      assertSame(await check(other, token, server), refused);
      const ported = { ...other, ported: 1 };
      assertRepeated(await buy(server, ported, { key }), refused);
      assert.equal((await check(ported, token, server)).status, 200);
      assertSold(await buy(server, ported));
      assertSold(await buy(server, aPackage));
      assertSold(await buy(server, { ...aPackage, mobile: '989993456700' }));
      const word = await buy(server, { ...aPackage, mobile: postpaid, ported: 1 });
      assert.deepEqual([codeOf(word), at(word.body, 'retry')], ['OPERATOR_MISMATCH', 'no']);
    });
  });

  test('is sold like any other if they do not', () => {
    const operator = operatorThat();
    return withServer(
      { connectors: [operator.connector], config: { operators } },
      async (server) => {
        assertSold(await buy(server, { ...aPackage, mobile: ofTwo }));
        assertSold(await buy(server, { ...aPackage, mobile: ofTwo, ported: 1 }));
      },
    );
  });
});
