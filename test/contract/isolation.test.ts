/** Proves that clients are strangers to one another: on every route, a token sees and changes its own client only. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { createToken, deposit, revokeToken, setClientStatus } from '../../src/clients/client.ts';
import { manualClock } from '../../src/lib/manual-clock.ts';
import { assertError, at, keysOf } from '../support/answers.ts';
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

/** Every route that takes a token, with a request that it accepts. A new route needs a line here. */
const routes: Readonly<Record<string, Send>> = {
  'get /api/clients/products': (server, token) => request(server, products, { token }),
  'post /api/filter': (server, token) =>
    request(server, '/api/filter', { token, json: { table: 'product', items: {} } }),
  'post /api/operator_2/offers': (server, token) =>
    request(server, '/api/operator_2/offers/', { token, json: { mobile: '989123456700' } }),
};

/** The routes whose answers carry the client's balance. */
const withBalance = ['get /api/clients/products', 'post /api/filter'];

const clock = manualClock();
const server = await startServer({ products: demoCatalogue(), balance: firstBalance, clock });
const other = await addClient(server, { name: 'Stranger', balance: otherBalance });

after(() => server.stop());

/** The described operations as `method path`, by whether they take a token. */
const described = async (): Promise<{ secured: string[]; open: string[] }> => {
  const { body } = await request(server, '/openapi.json', { token: null });
  const all = keysOf(at(body, 'paths')).flatMap((path) =>
    keysOf(at(body, 'paths', path)).map((method) => ({
      name: `${method} ${path}`,
      secured: at(body, 'paths', path, method, 'security') !== undefined,
    })),
  );
  const named = (secured: boolean): string[] =>
    all.filter((one) => one.secured === secured).map(({ name }) => name);
  return { secured: named(true), open: named(false) };
};

/** All that is written about a client, apart from when its tokens were last used. */
const recordsOf = async ({ id }: Client): Promise<unknown> => {
  const { db } = server.deps;
  const client = db.selectFrom('clients').selectAll().where('id', '=', id);
  const account = db.selectFrom('accounts').selectAll().where('client_id', '=', id);
  const postings = db.selectFrom('postings').selectAll().where('client_id', '=', id).orderBy('seq');
  const tokens = db
    .selectFrom('tokens')
    .select(['id', 'name', 'hash', 'scopes', 'networks', 'expires_at', 'revoked_at'])
    .where('client_id', '=', id)
    .orderBy('id');
  return {
    client: await client.execute(),
    account: await account.execute(),
    postings: await postings.execute(),
    tokens: await tokens.execute(),
  };
};

/** Everything of an answer that a client can read. */
const readable = ({ headers, text }: Answer): string => `${JSON.stringify([...headers])}\n${text}`;

const assertNothingOf = (client: Client, balance: number, name: string, answer: Answer): void => {
  const seen = readable(answer);
  for (const trace of [client.id, client.token, client.token.slice(-8), String(balance), name]) {
    assert.ok(!seen.includes(trace), `it shows ${trace}`);
  }
};

test('Every route that takes a token has its case here', async () => {
  const { secured } = await described();
  assert.deepEqual(secured.sort(), Object.keys(routes).sort());
});

test('Every route of the API takes a token; only health does without', async () => {
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
      assert.equal(first.status, 200);
      assert.equal(stranger.status, 200);
      assertNothingOf(server.client, firstBalance, 'First', stranger);
      assertNothingOf(other, otherBalance, 'Stranger', first);
    });

    test('changes nothing of another client', async () => {
      const before = await recordsOf(server.client);
      for (let count = 0; count < 3; count += 1) {
        assert.equal((await send(server, other.token)).status, 200);
      }
      await clock.advance(15_000);
      assert.deepEqual(await recordsOf(server.client), before);
    });

    test('takes no notice of the suspension, the revocation or the limits of another client', async () => {
      const doomed = await addClient(server, { name: 'Doomed' });
      const second = await createToken(server.deps, doomed.id, {});
      const narrow = await createToken(server.deps, doomed.id, {
        scopes: [],
        networks: ['192.0.2.1'],
        expiresAt: clock.now(),
      });
      await revokeToken(server.deps, second.id);
      await setClientStatus(server.deps, doomed.id, 'suspended');
      await clock.advance(1000);
      assertError(await send(server, doomed.token), 403, 'CLIENT_SUSPENDED');
      assertError(await send(server, second.token), 401, 'TOKEN_INVALID');
      assertError(await send(server, narrow.token), 401, 'TOKEN_EXPIRED');
      assert.equal((await send(server, server.client.token)).status, 200);
      assert.equal((await send(server, other.token)).status, 200);
      // And the suspended one learns nothing from those who are let in.
      assertError(await send(server, doomed.token), 403, 'CLIENT_SUSPENDED');
    });

    test('tells clients apart when they ask at the same time', async () => {
      const senders = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? server.client : other,
      );
      const answers = await Promise.all(senders.map(({ token }) => send(server, token)));
      for (const [index, answer] of answers.entries()) {
        assert.equal(answer.status, 200);
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
    assert.equal(at((await send(server, server.client.token)).body, 'balance'), firstBalance);
    assert.equal(at((await send(server, other.token)).body, 'balance'), otherBalance);
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

  test('is marked private on every answer, so that no shared cache hands it on', async () => {
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

  test('is not told by a 304 to whoever has no valid token', async () => {
    const tag = await etagOf(server.client.token);
    for (const token of [null, 'simgate_nobody']) {
      const headers = { 'if-none-match': tag };
      const answer = await request(server, products, { token, headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('etag'), null);
    }
  });
});

test('Remembered offers are shared between clients and say nothing of who asked first', async () => {
  const number = '989123456788';
  const path = '/api/operator_2/offers/';
  const first = await request(server, path, { json: { mobile: number } });
  const later = await request(server, path, { json: { mobile: number }, token: other.token });
  assert.equal(later.text, first.text);
  assertNothingOf(server.client, firstBalance, 'First', later);
  assert.notEqual(later.headers.get('request-id'), first.headers.get('request-id'));
});
