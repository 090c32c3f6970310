/** Tests that clients are isolated: on every route, a token sees and changes its own client only. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { readConfig } from '../../src/config/config.ts';
import { setCreditLimit } from '../../src/ledger/credit.ts';
import { readSpendable } from '../../src/ledger/store.ts';
import { insertMessages } from '../../src/webhooks/store.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { createToken, deposit, revokeToken, updateClient } from '../support/clients.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';

type Client = TestServer['client'];
type Send = (server: TestServer, token: string | null) => Promise<Answer>;

const products = '/api/clients/products';
// Amounts that occur nowhere else in an answer.
const firstBalance = 77_123_451;
const otherBalance = 66_543_219;
const otherCredit = 55_432_198;

/** The mark of a client's purchases: no other client may ever read it. */
const markOf = (token: string | null): string => `mark-${token?.slice(-6) ?? 'of-nobody'}`;

let keys = 0;

/** A new purchase of a top-up or a package, by either method, marked as the client's own. */
const buying =
  (path: string, productId: number, price: number, method: 'GET' | 'POST'): Send =>
  (server, token) => {
    const fields = new URLSearchParams({
      product_id: String(productId),
      mobile: '989123456700',
      price: String(price),
      webservice_code: markOf(token),
    });
    const headers = { 'idempotency-key': `${markOf(token)}-${(keys += 1)}` };
    return method === 'GET'
      ? request(server, `${path}?${fields.toString()}`, { token, headers })
      : request(server, path, { token, headers, method, body: fields });
  };

const topUp = buying('/api/top-up/', 2201, 10_000, 'POST');

/** A purchase of each client, by token. */
const bought = new Map<string | null, string>();

/** A webhook endpoint of each client, and a message to it, by token. */
const hooked = new Map<string | null, { readonly path: string; readonly message: string }>();

const ownWebhook = (token: string | null): string =>
  hooked.get(token)?.path ?? '/api/webhooks/nobodys';

const toldOf = (token: string | null): string => hooked.get(token)?.message ?? 'nobodys';

const webhookOf = (token: string | null) => ({
  url: `https://shop.example/${markOf(token)}`,
  events: ['purchase.reversed'],
  description: markOf(token),
});

/** Every route that takes a token, with a request that it accepts. A new route needs a line here. */
const routes: Readonly<Record<string, Send>> = {
  'get /api/clients/products': (server, token) => request(server, products, { token }),
  'post /api/filter': (server, token) =>
    request(server, '/api/filter', { token, json: { table: 'product', items: {} } }),
  'post /api/operator_2/offers/': (server, token) =>
    request(server, '/api/operator_2/offers/', { token, json: { mobile: '989123456700' } }),
  'post /api/top-up/': topUp,
  'get /api/top-up/': buying('/api/top-up/', 2201, 10_000, 'GET'),
  'post /api/top-up/package/': buying('/api/top-up/package/', 2001, 52_000, 'POST'),
  'get /api/top-up/package/': buying('/api/top-up/package/', 2001, 52_000, 'GET'),
  'get /api/commissions': (server, token) => request(server, '/api/commissions', { token }),
  'post /api/top-up/check': (server, token) =>
    request(server, '/api/top-up/check', {
      token,
      json: {
        product_id: 2201,
        mobile: '989123456700',
        price: 10_000,
        webservice_code: markOf(token),
      },
    }),
  'get /api/purchases': (server, token) => request(server, '/api/purchases', { token }),
  'get /api/purchases/{id}': (server, token) =>
    request(server, `/api/purchases/${bought.get(token) ?? 'nobodys'}`, { token }),
  'get /api/account': (server, token) => request(server, '/api/account', { token }),
  'get /api/statement': (server, token) => request(server, '/api/statement', { token }),
  'get /api/operators': (server, token) => request(server, '/api/operators', { token }),
  'get /api/numbers/{mobile}': (server, token) =>
    request(server, '/api/numbers/989123456700?operator_id=1', { token }),
  'get /api/errors': (server, token) => request(server, '/api/errors', { token }),
  'get /api/webhooks': (server, token) => request(server, '/api/webhooks', { token }),
  'post /api/webhooks': (server, token) =>
    request(server, '/api/webhooks', { token, json: webhookOf(token) }),
  'get /api/webhooks/{webhook_id}': (server, token) =>
    request(server, ownWebhook(token), { token }),
  'patch /api/webhooks/{webhook_id}': (server, token) =>
    request(server, ownWebhook(token), { token, method: 'PATCH', json: webhookOf(token) }),
  'post /api/webhooks/{webhook_id}/secret': (server, token) =>
    request(server, `${ownWebhook(token)}/secret`, { token, method: 'POST' }),
  'delete /api/webhooks/{webhook_id}': async (server, token) => {
    if (token === null) return request(server, ownWebhook(token), { token, method: 'DELETE' });
    const made = await request(server, '/api/webhooks', { token, json: webhookOf(token) });
    if (made.status !== 201) return made;
    const path = `/api/webhooks/${String(at(made.body, 'id'))}`;
    return request(server, path, { token, method: 'DELETE' });
  },
  'post /api/webhooks/{webhook_id}/replay': (server, token) =>
    request(server, `${ownWebhook(token)}/replay`, { token, json: { since: '2026-01-31' } }),
  'get /api/webhooks/{webhook_id}/messages': (server, token) =>
    request(server, `${ownWebhook(token)}/messages`, { token }),
  'get /api/webhooks/{webhook_id}/messages/{message_id}': (server, token) =>
    request(server, `${ownWebhook(token)}/messages/${toldOf(token)}`, { token }),
  'post /api/webhooks/{webhook_id}/messages/{message_id}/replay': (server, token) =>
    request(server, `${ownWebhook(token)}/messages/${toldOf(token)}/replay`, {
      token,
      method: 'POST',
    }),
};

const goodStatus = /^20[0124]$/;

/** The routes whose answers carry the client's balance. */
const withBalance = ['get /api/clients/products', 'post /api/filter'];

const clock = manualClock();
const price = 10_000;
const server = await startServer({
  products: demoCatalogue(),
  balance: firstBalance + price,
  clock,
  config: { webhooks: { ...readConfig({}).webhooks, endpointsPerClient: 10_000 } },
});
const other = await addClient(server, { name: 'Stranger', balance: otherBalance + price });

await server.deps.db.transaction().execute((db) => setCreditLimit(db, other.id, otherCredit, 0));

for (const { token } of [server.client, other]) {
  const { headers } = await topUp(server, token);
  bought.set(token, headers.get('purchase-id') ?? '');
  const { body } = await request(server, '/api/webhooks', { token, json: webhookOf(token) });
  const endpointId = String(at(body, 'id'));
  const message = `msg_of_${endpointId}`;
  const { db } = server.deps;
  const payload = markOf(token);
  await insertMessages(db, [{ endpointId, id: message, type: 'purchase.reversed', payload }], 0);
  hooked.set(token, { path: `/api/webhooks/${endpointId}`, message });
}

/** A client's current balance: purchases have changed it. */
const balanceOf = async ({ id }: Client): Promise<number> => readSpendable(server.deps.db, id);

after(() => server.stop());

/** The described operations as `method path`, by whether they take a token. */
const described = async (): Promise<{ secured: string[]; open: string[] }> => {
  const { body } = await request(server, '/openapi.json', { token: null });
  const all = keysOf(at(body, 'paths')).flatMap((path) =>
    keysOf(at(body, 'paths', path)).map((method) => ({
      name: `${method} ${path}`,
      secured: listOf(at(body, 'paths', path, method, 'security')).length > 0,
    })),
  );
  const named = (secured: boolean): string[] =>
    all.filter((one) => one.secured === secured).map(({ name }) => name);
  return { secured: named(true), open: named(false) };
};

/** All rows about a client, except when its tokens were last used. */
const recordsOf = async ({ id }: Client): Promise<unknown> => {
  const { db } = server.deps;
  const client = db.selectFrom('clients').selectAll().where('id', '=', id);
  const account = db.selectFrom('accounts').selectAll().where('client_id', '=', id);
  const postings = db.selectFrom('postings').selectAll().where('client_id', '=', id).orderBy('seq');
  const purchases = db
    .selectFrom('purchases')
    .selectAll()
    .where('client_id', '=', id)
    .orderBy('id');
  const tokens = db
    .selectFrom('tokens')
    .select(['id', 'name', 'hash', 'scopes', 'networks', 'expires_at', 'revoked_at'])
    .where('client_id', '=', id)
    .orderBy('id');
  const webhooks = db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('client_id', '=', id)
    .orderBy('id');
  return {
    client: await client.execute(),
    account: await account.execute(),
    postings: await postings.execute(),
    purchases: await purchases.execute(),
    tokens: await tokens.execute(),
    webhooks: await webhooks.execute(),
  };
};

/** Everything of an answer that a client can read. */
const readable = ({ headers, text }: Answer): string => `${JSON.stringify([...headers])}\n${text}`;

const assertNothingOf = (client: Client, balance: number, name: string, answer: Answer): void => {
  const seen = readable(answer);
  const { id, token } = client;
  const ofPurchases = [markOf(token), bought.get(token) ?? name];
  const money = [String(balance), ...(id === other.id ? [String(otherCredit)] : [])];
  for (const trace of [id, token, token.slice(-8), ...money, name, ...ofPurchases]) {
    assert.ok(!seen.includes(trace), `it shows ${trace}`);
  }
};

test('Every route that takes a token is tested here', async () => {
  const { secured } = await described();
  assert.deepEqual(secured.sort(), Object.keys(routes).sort());
});

test('Every route of the API takes a token, except health', async () => {
  const { open } = await described();
  assert.deepEqual(
    open.filter((name) => !name.startsWith('get /health/')),
    [],
  );
});

for (const [name, send] of Object.entries(routes)) {
  describe(name, () => {
    test('answers 401 without a token, and nothing about anyone', async () => {
      const answer = await send(server, null);
      assertError(answer, 401, 'TOKEN_MISSING');
      assertNothingOf(server.client, firstBalance, 'First', answer);
      assertNothingOf(other, otherBalance, 'Stranger', answer);
    });

    test("shows nothing of another client, also after that client's own request", async () => {
      const first = await send(server, server.client.token);
      const stranger = await send(server, other.token);
      assert.match(String(first.status), goodStatus, first.text);
      assert.match(String(stranger.status), goodStatus, stranger.text);
      assertNothingOf(server.client, firstBalance, 'First', stranger);
      assertNothingOf(other, otherBalance, 'Stranger', first);
    });

    test('changes nothing of another client', async () => {
      const before = await recordsOf(server.client);
      for (let count = 0; count < 3; count += 1) {
        assert.match(String((await send(server, other.token)).status), goodStatus);
      }
      await clock.advance(15_000);
      assert.deepEqual(await recordsOf(server.client), before);
    });

    test('ignores the suspension, the revocation and the limits of another client', async () => {
      const doomed = await addClient(server, { name: 'Doomed' });
      const second = await createToken(server.deps, doomed.id, {});
      const narrow = await createToken(server.deps, doomed.id, {
        scopes: [],
        networks: ['192.0.2.1'],
        expiresAt: clock.now(),
      });
      await revokeToken(server.deps, { id: second.id });
      await updateClient(server.deps, doomed.id, { status: 'suspended' });
      await clock.advance(1000);
      assertError(await send(server, doomed.token), 403, 'CLIENT_SUSPENDED');
      assertError(await send(server, second.token), 401, 'TOKEN_INVALID');
      assertError(await send(server, narrow.token), 401, 'TOKEN_EXPIRED');
      assert.match(String((await send(server, server.client.token)).status), goodStatus);
      assert.match(String((await send(server, other.token)).status), goodStatus);
      // And the suspended one learns nothing from the others.
      assertError(await send(server, doomed.token), 403, 'CLIENT_SUSPENDED');
    });

    test('separates concurrent requests of clients', async () => {
      const senders = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? server.client : other,
      );
      const answers = await Promise.all(senders.map(({ token }) => send(server, token)));
      for (const [index, answer] of answers.entries()) {
        assert.match(String(answer.status), goodStatus, answer.text);
        if (index % 2 === 0) assertNothingOf(other, otherBalance, 'Stranger', answer);
        else assertNothingOf(server.client, firstBalance, 'First', answer);
      }
      const logged = server.logged.slice(-answers.length).join('');
      assert.ok(logged.includes(server.client.id) && logged.includes(other.id));
    });
  });
}

for (const name of withBalance) {
  const send = routes[name];
  test(`${name} shows each client its own balance`, async () => {
    assert.ok(send !== undefined);
    for (const client of [server.client, other]) {
      const { body } = await send(server, client.token);
      assert.equal(at(body, 'balance'), await balanceOf(client));
    }
    assert.notEqual(await balanceOf(server.client), await balanceOf(other));
  });
}

describe('A balance that changes', () => {
  const listAs = (token: string, etag?: string): Promise<Answer> =>
    request(server, products, {
      token,
      ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
    });
  const etagOf = async (token: string): Promise<string> =>
    (await listAs(token)).headers.get('etag') ?? '';

  test("gives the other client neither the change nor the first one's ETag", async () => {
    const rich = await addClient(server, { name: 'Rich', balance: 1000 });
    const poor = await addClient(server, { name: 'Poor', balance: 1 });
    const richTag = await etagOf(rich.token);
    const poorTag = await etagOf(poor.token);
    assert.notEqual(richTag, '');
    assert.notEqual(richTag, poorTag);
    assert.equal((await listAs(rich.token, richTag)).status, 304);
    const withForeignTag = await listAs(poor.token, richTag);
    assert.equal(withForeignTag.status, 200);
    assert.equal(at(withForeignTag.body, 'balance'), 1);

    await deposit(server.deps, { clientId: rich.id, amount: 500 });
    const changed = await listAs(rich.token, richTag);
    assert.equal(changed.status, 200);
    assert.equal(at(changed.body, 'balance'), 1500);
    assert.equal((await listAs(poor.token, poorTag)).status, 304);
    assert.equal(at((await listAs(poor.token)).body, 'balance'), 1);
  });

  test('is marked private on every answer, so that no shared cache serves it to others', async () => {
    for (const name of withBalance) {
      const answer = await routes[name]?.(server, server.client.token);
      assert.equal(answer?.headers.get('cache-control'), 'private, no-cache', name);
    }
    const tag = await etagOf(server.client.token);
    const unchanged = await listAs(server.client.token, tag);
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.text, '');
    assert.equal(unchanged.headers.get('cache-control'), 'private, no-cache');
  });

  test('is not revealed by a 304 without a valid token', async () => {
    const tag = await etagOf(server.client.token);
    for (const token of [null, 'simgate_nobody']) {
      const headers = { 'if-none-match': tag };
      const answer = await request(server, products, { token, headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('etag'), null);
    }
  });
});

test('Cached offers are shared between clients and do not reveal who asked first', async () => {
  const number = '989123456788';
  const path = '/api/operator_2/offers/';
  const first = await request(server, path, { json: { mobile: number } });
  const later = await request(server, path, { json: { mobile: number }, token: other.token });
  assert.equal(later.text, first.text);
  assertNothingOf(server.client, firstBalance, 'First', later);
  assert.notEqual(later.headers.get('request-id'), first.headers.get('request-id'));
});

test("Another client's money is in no statement, nor in its file", async () => {
  const file = (client: Client): Promise<Answer> =>
    request(server, '/api/statement?format=csv', { token: client.token });
  const [own, foreign] = [await file(server.client), await file(other)];
  for (const id of [...own.text.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id)) {
    assert.ok(!foreign.text.includes(id));
  }
  assert.ok(own.text.includes(bought.get(server.client.token) ?? 'none'));
  assertNothingOf(server.client, firstBalance, 'First', foreign);
  assertNothingOf(other, otherBalance, 'Stranger', own);
});

test("Another client's webhook and its messages are not found, and cannot be changed", async () => {
  const before = await recordsOf(server.client);
  const path = ownWebhook(server.client.token);
  const message = toldOf(server.client.token);
  for (const [method, rest, json] of [
    ['GET', '', undefined],
    ['PATCH', '', { status: 'disabled' }],
    ['DELETE', '', undefined],
    ['POST', '/secret', {}],
    ['POST', '/replay', { since: '2020-01-31' }],
    ['GET', '/messages', undefined],
    ['GET', `/messages/${message}`, undefined],
    ['POST', `/messages/${message}/replay`, undefined],
  ] as const) {
    const options = { token: other.token, method, ...(json === undefined ? {} : { json }) };
    assertError(await request(server, path + rest, options), 404, 'WEBHOOK_NOT_FOUND');
  }
  // Nor through an endpoint of one's own.
  const crossed = `${ownWebhook(other.token)}/messages/${message}`;
  assertError(await request(server, crossed, { token: other.token }), 404, 'WEBHOOK_NOT_FOUND');
  assert.deepEqual(await recordsOf(server.client), before);
});

describe("Another client's purchase", () => {
  test('is not found by its id, the same as one that does not exist', async () => {
    const foreign = await request(server, `/api/purchases/${bought.get(server.client.token)}`, {
      token: other.token,
    });
    const none = await request(server, '/api/purchases/nobodys', { token: other.token });
    assertError(foreign, 404, 'PURCHASE_NOT_FOUND');
    assertError(none, 404, 'PURCHASE_NOT_FOUND');
    assert.equal(at(foreign.body, 'message'), at(none.body, 'message'));
  });

  test('is not found by its tracking code, key, state, number or cursor', async () => {
    const mark = markOf(server.client.token);
    const own = await request(server, `/api/purchases?webservice_code=${mark}`);
    const key = String(at(own.body, 'data', 0, 'idempotency_key'));
    assert.ok(Number(at(own.body, 'meta', 'total')) > 0);
    for (const query of [`webservice_code=${mark}`, `idempotency_key=${key}`]) {
      const { body } = await request(server, `/api/purchases?${query}`, { token: other.token });
      assert.deepEqual(at(body, 'data'), [], query);
      assert.equal(at(body, 'meta', 'total'), 0);
    }
    for (const query of ['state=succeeded', 'mobile=989123456700', 'product_id=2201']) {
      const sold = await request(server, `/api/purchases?${query}`, { token: other.token });
      assert.ok(!sold.text.includes(mark), query);
    }
    const before = `/api/purchases?before=${bought.get(server.client.token)}`;
    assertError(await request(server, before, { token: other.token }), 422, 'VALIDATION_FAILED');
  });

  test('does not block the same key: each client has its own keys', async () => {
    const send = (token: string, amount: number): Promise<Answer> =>
      request(server, '/api/top-up', {
        token,
        headers: { 'idempotency-key': 'the-same-key' },
        json: {
          product_id: 2201,
          mobile: '989123456700',
          price: amount,
          webservice_code: markOf(token),
        },
      });
    const first = await send(server.client.token, 10_001);
    const second = await send(other.token, 10_002);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.headers.get('idempotent-replayed'), null);
    assert.notEqual(first.headers.get('purchase-id'), second.headers.get('purchase-id'));
    assertError(await send(other.token, 10_001), 422, 'IDEMPOTENCY_KEY_REUSED', 'new_key');
    assert.equal((await send(server.client.token, 10_001)).status, 200);
  });
});
