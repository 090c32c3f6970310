/** Tests authentication over real HTTP: tokens, scopes, suspension, networks and rate limits. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { listTokens } from '../../src/clients/store.ts';
import { makeToken, scopes } from '../../src/clients/token.ts';
import type { NewToken } from '../../src/clients/tokens.ts';
import { readConfig } from '../../src/config/config.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { createToken, revokeToken, updateClient } from '../support/clients.ts';
import { testEngine } from '../support/database.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

const products = '/api/clients/products';
const mobile = '989123456700';

/** Runs a test on its own server, with a manual clock. */
const withServer = async (
  options: TestOptions,
  work: (server: TestServer, clock: ReturnType<typeof manualClock>) => Promise<void>,
): Promise<void> => {
  const clock = manualClock();
  const server = await startServer({ ...options, clock });
  try {
    await work(server, clock);
  } finally {
    await server.stop();
  }
};

/** One server for the tests of a suite that change nothing visible to others: each creates its own tokens. */
const sharedServer = (): ((work: (server: TestServer) => Promise<void>) => Promise<void>) => {
  let server: TestServer | undefined;
  before(async () => {
    server = await startServer({ clock: manualClock() });
  });
  return async (work) => {
    assert.ok(server !== undefined);
    await work(server);
  };
};

const withAuthorization = (server: TestServer, authorization: string): Promise<Answer> =>
  request(server, products, { token: null, headers: { authorization } });

const using = (server: TestServer, token: string): Promise<Answer> =>
  request(server, products, { token });

const issue = async (server: TestServer, options: NewToken): Promise<string> =>
  (await createToken(server.deps, server.client.id, options)).token;

const refused = (answer: Answer, code: string): void => {
  assertError(answer, 401, code);
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/);
};

const withoutId = (answer: Answer): unknown => ({ ...Object(answer.body), request_id: '' });

describe('A token', () => {
  const onShared = sharedServer();

  test('is required: without the header it is TOKEN_MISSING', () =>
    onShared(async (server) => {
      refused(await request(server, products, { token: null }), 'TOKEN_MISSING');
    }));

  test('that is empty is TOKEN_MISSING', () =>
    onShared(async (server) => {
      for (const header of ['', 'Bearer', 'bearer', 'Bearer ']) {
        refused(await withAuthorization(server, header), 'TOKEN_MISSING');
      }
    }));

  test('counts in the Authorization header only, not in the query or the body', () =>
    onShared(async (server) => {
      const { token } = server.client;
      const query = `${products}?access_token=${token}&token=${token}`;
      refused(await request(server, query, { token: null }), 'TOKEN_MISSING');
      const json = { table: 'product', access_token: token };
      refused(await request(server, '/api/filter', { token: null, json }), 'TOKEN_MISSING');
    }));

  test('under another scheme, or under none, is TOKEN_INVALID', () =>
    onShared(async (server) => {
      const { token } = server.client;
      const basic = Buffer.from(`${token}:`).toString('base64');
      const headers = [`Basic ${basic}`, `Token ${token}`, token, `Bearer${token}`];
      for (const header of [...headers, `Bearer ${token} ${token}`, `Bearer, ${token}`]) {
        refused(await withAuthorization(server, header), 'TOKEN_INVALID');
      }
    }));

  test('is accepted with any case of the word Bearer', () =>
    onShared(async (server) => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
        const answer = await withAuthorization(server, `${scheme} ${server.client.token}`);
        assert.equal(answer.status, 200, scheme);
      }
    }));

  test('mistyped by one character, at any place, is TOKEN_INVALID', () =>
    onShared(async (server) => {
      const { token } = server.client;
      for (let index = 0; index < token.length; index += 1) {
        const typo = token[index] === 'x' ? 'y' : 'x';
        const mistyped = token.slice(0, index) + typo + token.slice(index + 1);
        refused(await using(server, mistyped), 'TOKEN_INVALID');
      }
      refused(await using(server, token.slice(0, -1)), 'TOKEN_INVALID');
      refused(await using(server, `${token}0`), 'TOKEN_INVALID');
      refused(await using(server, token.toLowerCase()), 'TOKEN_INVALID');
    }));

  test('that is well-formed but was never issued is TOKEN_INVALID', () =>
    onShared(async (server) => {
      refused(await using(server, makeToken(systemRandom)), 'TOKEN_INVALID');
    }));

  test('that is revoked stops within a second on a running server, and no other does', () =>
    withServer({}, async (server, clock) => {
      const revoked = await createToken(server.deps, server.client.id, {});
      const kept = await issue(server, {});
      assert.equal((await using(server, revoked.token)).status, 200);
      assert.equal((await using(server, kept)).status, 200);
      await revokeToken(server.deps, { id: revoked.id });
      await clock.advance(1000);
      refused(await using(server, revoked.token), 'TOKEN_INVALID');
      assert.equal((await using(server, kept)).status, 200);
      assert.equal((await using(server, server.client.token)).status, 200);
    }));

  test('that is revoked reads exactly like one that was never issued', () =>
    withServer({}, async (server, clock) => {
      const { id, token } = await createToken(server.deps, server.client.id, {});
      await revokeToken(server.deps, { id });
      await clock.advance(1000);
      const unknown = await using(server, makeToken(systemRandom));
      assert.deepEqual(withoutId(await using(server, token)), withoutId(unknown));
    }));

  test('works until the moment it expires, and is TOKEN_EXPIRED from then on', () =>
    withServer({}, async (server, clock) => {
      const token = await issue(server, { expiresAt: clock.now() + 60_000 });
      await clock.advance(59_999);
      assert.equal((await using(server, token)).status, 200);
      await clock.advance(1);
      refused(await using(server, token), 'TOKEN_EXPIRED');
      await clock.advance(60_000);
      refused(await using(server, token), 'TOKEN_EXPIRED');
    }));

  test('issued beside a running server works at once', () =>
    onShared(async (server) => {
      assert.equal((await using(server, await issue(server, {}))).status, 200);
    }));
});

/** The bytes of the database, with what is not yet in its main file; of PostgreSQL, every row. */
const databaseBytes = async (server: TestServer): Promise<Buffer> => {
  if (testEngine === 'postgres') {
    const all = sql<{ text: string }>`select database_to_xml(false, false, '')::text as text`;
    return Buffer.from((await all.execute(server.deps.db)).rows[0]?.text ?? '');
  }
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(server.deps.db);
  const file = rows[0]?.file ?? '';
  const parts = [file, `${file}-wal`].filter((name) => existsSync(name));
  return Buffer.concat(parts.map((name) => readFileSync(name)));
};

describe('The stored form of a token', () => {
  test('is its SHA-256: the token itself is nowhere in the database file', () =>
    withServer({}, async (server, clock) => {
      const { token } = server.client;
      assert.equal((await using(server, token)).status, 200);
      await clock.advance(15_000);
      const bytes = await databaseBytes(server);
      assert.ok(bytes.includes(hash('sha256', token, 'hex')), 'the wrong file was read');
      const secret = token.slice('simgate_'.length);
      assert.ok(!bytes.includes(secret));
      // The last four characters are stored for people; anything longer would be part of the secret.
      for (let start = 0; start + 8 <= secret.length; start += 1) {
        assert.ok(!bytes.includes(secret.slice(start, start + 8)));
      }
    }));

  test('is not in the log either, even if it was refused', () =>
    withServer({}, async (server) => {
      const { token } = server.client;
      await using(server, token);
      await request(server, `/nowhere?token=${token}`);
      await using(server, `${token}0`);
      await withAuthorization(server, `Basic ${token}`);
      assert.ok(server.logged.length >= 4);
      assert.ok(!server.logged.join('').includes(token.slice('simgate_'.length)));
    }));

  test('includes its last use, written within fifteen seconds', () =>
    withServer({}, async (server, clock) => {
      const used = await createToken(server.deps, server.client.id, { name: 'used' });
      const unused = await createToken(server.deps, server.client.id, { name: 'unused' });
      const lastUse = async (id: string): Promise<number | null | undefined> =>
        (await listTokens(server.deps.db)).find((token) => token.id === id)?.last_used_at;
      assert.equal(await lastUse(used.id), null);
      await clock.advance(1234);
      await using(server, used.token);
      const usedAt = clock.now();
      await clock.advance(15_000);
      assert.equal(await lastUse(used.id), usedAt);
      assert.equal(await lastUse(unused.id), null);
    }));
});

/** Every route that takes a token, with its scope, a request that passes it, and its status. */
const routes = [
  {
    route: 'get /api/clients/products',
    scope: 'catalogue',
    send: (server: TestServer, token: string) => request(server, products, { token }),
  },
  {
    route: 'post /api/filter',
    scope: 'catalogue',
    send: (server: TestServer, token: string) =>
      request(server, '/api/filter', { token, json: { table: 'product' } }),
  },
  {
    route: 'post /api/operator_2/offers/',
    scope: 'offers',
    send: (server: TestServer, token: string) =>
      request(server, '/api/operator_2/offers/', { token, json: { mobile } }),
  },
  ...(['get', 'post'] as const).flatMap((method) =>
    (['/api/top-up/', '/api/top-up/package/'] as const).map((path) => ({
      route: `${method} ${path}`,
      scope: 'purchase' as const,
      // Of a missing product: refused by the rules, long after the scope.
      status: 404,
      send: (server: TestServer, token: string) =>
        request(server, `${path}?product_id=1&price=1&mobile=${mobile}&webservice_code=a`, {
          method,
          token,
          headers: { 'idempotency-key': `${method}${path.replaceAll('/', '-')}` },
        }),
    })),
  ),
  {
    route: 'get /api/commissions',
    scope: 'purchase',
    send: (server: TestServer, token: string) => request(server, '/api/commissions', { token }),
  },
  {
    route: 'get /api/purchases',
    scope: 'purchase',
    send: (server: TestServer, token: string) => request(server, '/api/purchases', { token }),
  },
  {
    route: 'get /api/purchases/{id}',
    scope: 'purchase',
    status: 404,
    send: (server: TestServer, token: string) => request(server, '/api/purchases/none', { token }),
  },
  {
    route: 'post /api/top-up/check',
    scope: 'purchase',
    status: 404,
    send: (server: TestServer, token: string) =>
      request(server, '/api/top-up/check', {
        token,
        json: { product_id: 1, price: 1, mobile, webservice_code: 'a' },
      }),
  },
  ...(
    [
      ['/api/account', 'purchase'],
      ['/api/statement', 'purchase'],
      ['/api/operators', 'catalogue'],
      ['/api/errors', 'catalogue'],
    ] as const
  ).map(([path, scope]) => ({
    route: `get ${path}`,
    scope,
    send: (server: TestServer, token: string) => request(server, path, { token }),
  })),
  {
    route: 'get /api/numbers/{mobile}',
    scope: 'offers',
    send: (server: TestServer, token: string) =>
      request(server, `/api/numbers/${mobile}`, { token }),
  },
  {
    route: 'get /api/webhooks',
    scope: 'webhooks',
    send: (server: TestServer, token: string) => request(server, '/api/webhooks', { token }),
  },
  {
    route: 'post /api/webhooks',
    scope: 'webhooks',
    status: 422,
    send: (server: TestServer, token: string) =>
      request(server, '/api/webhooks', { token, json: {} }),
  },
  ...(
    [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['post', '/secret'],
      ['post', '/replay'],
      ['get', '/messages'],
      ['get', '/messages/{message_id}'],
      ['post', '/messages/{message_id}/replay'],
    ] as const
  ).map(([method, rest]) => ({
    route: `${method} /api/webhooks/{webhook_id}${rest}`,
    scope: 'webhooks' as const,
    status: 404,
    send: (server: TestServer, token: string) =>
      request(server, `/api/webhooks/none${rest}`, {
        method: method.toUpperCase(),
        token,
        ...(method === 'patch' ? { json: {} } : {}),
        ...(rest === '/replay' ? { json: { since: '2026-01-31' } } : {}),
      }),
  })),
] as const;

describe('A scope', () => {
  const onShared = sharedServer();

  test('is listed here for every route that takes a token', () =>
    onShared(async (server) => {
      const { body } = await request(server, '/openapi.json', { token: null });
      const secured = keysOf(at(body, 'paths')).flatMap((path) =>
        keysOf(at(body, 'paths', path))
          .filter((method) => listOf(at(body, 'paths', path, method, 'security')).length > 0)
          .map((method) => `${method} ${path}`),
      );
      assert.deepEqual(secured.sort(), routes.map(({ route }) => route).sort());
    }));

  for (const { route, scope, send, ...rest } of routes) {
    const accepted = 'status' in rest ? rest.status : 200;
    test(`lets a token into ${route} only if it has "${scope}"`, () =>
      onShared(async (server) => {
        const carrying = await issue(server, { scopes: [scope] });
        assert.equal((await send(server, carrying)).status, accepted);
        const lacking = await issue(server, { scopes: scopes.filter((one) => one !== scope) });
        const answer = await send(server, lacking);
        assertError(answer, 403, 'SCOPE_MISSING');
        assert.ok(String(at(answer.body, 'message')).includes(`"${scope}"`));
        assert.equal(answer.headers.get('www-authenticate'), null);
        assertError(await send(server, await issue(server, { scopes: [] })), 403, 'SCOPE_MISSING');
      }));
  }

  test('is judged before the request is read', () =>
    onShared(async (server) => {
      const token = await issue(server, { scopes: ['catalogue'] });
      const headers = { 'content-type': 'text/plain' };
      const options = { token, headers, method: 'POST', body: 'nonsense' };
      assertError(await request(server, '/api/operator_2/offers', options), 403, 'SCOPE_MISSING');
    }));
});

describe('A suspended client', () => {
  test('is refused within a second with all its tokens, and admitted again when it is resumed', () =>
    withServer({}, async (server, clock) => {
      const { id, token } = server.client;
      const second = await issue(server, { scopes: ['offers', 'catalogue'] });
      assert.equal((await using(server, token)).status, 200);
      assert.equal((await using(server, second)).status, 200);
      await updateClient(server.deps, id, { status: 'suspended' });
      await clock.advance(1000);
      for (const { send } of routes) {
        assertError(await send(server, token), 403, 'CLIENT_SUSPENDED');
        assertError(await send(server, second), 403, 'CLIENT_SUSPENDED');
      }
      await updateClient(server.deps, id, { status: 'active' });
      await clock.advance(1000);
      assert.equal((await using(server, token)).status, 200);
      assert.equal((await using(server, second)).status, 200);
    }));

  test('does not affect another client', () =>
    withServer({}, async (server, clock) => {
      const other = await addClient(server);
      await updateClient(server.deps, server.client.id, { status: 'suspended' });
      await clock.advance(1000);
      assert.equal((await using(server, other.token)).status, 200);
    }));

  test('with an expired token gets the token’s error: its sender is no longer known', () =>
    withServer({}, async (server, clock) => {
      const token = await issue(server, { expiresAt: clock.now() });
      await updateClient(server.deps, server.client.id, { status: 'suspended' });
      await clock.advance(1000);
      refused(await using(server, token), 'TOKEN_EXPIRED');
    }));
});

describe('Allowed networks', () => {
  const onShared = sharedServer();

  const from = async (
    server: TestServer,
    networks: readonly string[],
    forwardedFor?: string,
  ): Promise<Answer> => {
    const token = await issue(server, { networks });
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return request(server, products, { token, headers });
  };

  test('are all networks by default', () =>
    onShared(async (server) => {
      assert.equal((await from(server, [])).status, 200);
    }));

  test('may be single IPv4 addresses and IPv4 networks', () =>
    onShared(async (server) => {
      for (const network of ['127.0.0.1', '127.0.0.1/32', '127.0.0.0/8', '0.0.0.0/0']) {
        assert.equal((await from(server, [network])).status, 200, network);
      }
      for (const network of ['127.0.0.2', '127.0.0.2/31', '10.0.0.0/8', '192.0.2.1/32']) {
        assertError(await from(server, [network]), 403, 'IP_NOT_ALLOWED');
      }
      assert.equal((await from(server, ['10.0.0.0/8', '127.0.0.1'])).status, 200);
    }));

  test('of IPv6 admit no IPv4 address', () =>
    onShared(async (server) => {
      assertError(await from(server, ['2001:db8::/32']), 403, 'IP_NOT_ALLOWED');
    }));

  test('may be IPv6 addresses and networks, and count for the client behind a trusted proxy', () =>
    withServer({ config: { trustedProxies: ['127.0.0.1'] } }, async (server) => {
      const inside = [
        ['2001:db8::/32', '2001:db8:1::7'],
        ['2001:db8::7', '2001:db8::7'],
        ['2001:db8::7', '2001:0DB8:0:0:0:0:0:7'],
        ['192.0.2.0/24', '192.0.2.9'],
        ['192.0.2.0/24', '::ffff:192.0.2.9'],
      ] as const;
      for (const [network, address] of inside) {
        assert.equal((await from(server, [network], address)).status, 200, address);
      }
      const outside = [
        ['2001:db8::/32', '2001:db9::7'],
        ['2001:db8::7', '2001:db8::8'],
        ['192.0.2.0/24', '192.0.3.9'],
        ['127.0.0.1', '192.0.2.9'],
      ] as const;
      for (const [network, address] of outside) {
        assertError(await from(server, [network], address), 403, 'IP_NOT_ALLOWED');
      }
    }));

  test('cannot be entered by a forwarded address that no trusted proxy wrote', () =>
    onShared(async (server) => {
      assertError(await from(server, ['192.0.2.0/24'], '192.0.2.9'), 403, 'IP_NOT_ALLOWED');
      assert.equal((await from(server, ['127.0.0.1'], '192.0.2.9')).status, 200);
    }));

  test('cannot be entered through a trusted proxy by an address that the client itself forwarded', () =>
    withServer({ config: { trustedProxies: ['127.0.0.1'] } }, async (server) => {
      const chain = '192.0.2.9, 198.51.100.7';
      assertError(await from(server, ['192.0.2.0/24'], chain), 403, 'IP_NOT_ALLOWED');
      assert.equal((await from(server, ['198.51.100.7'], chain)).status, 200);
    }));

  test('are checked when a token is issued', () =>
    onShared(async (server) => {
      for (const network of ['', 'localhost', '10.0.0.0/33', '::/129', '1.2.3', '10.0.0.0/8/8']) {
        await assert.rejects(issue(server, { networks: [network] }), UsageError);
      }
    }));
});

const limited = (answer: Answer, seconds: string): void => {
  assertError(answer, 429, 'RATE_LIMITED');
  assert.equal(answer.headers.get('retry-after'), seconds);
  assert.match(answer.headers.get('ratelimit') ?? '', /^"default";r=0;t=\d+$/);
  assert.match(answer.headers.get('ratelimit-policy') ?? '', /^"default";q=\d+;w=\d+$/);
};

describe('A rate limit', () => {
  const onShared = sharedServer();

  test('that is off refuses nothing, and has no headers', () =>
    onShared(async (server) => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          using(server, index % 2 ? 'x' : server.client.token),
        ),
      );
      for (const { status, headers } of answers) {
        assert.ok(status === 200 || status === 401);
        assert.equal(headers.get('ratelimit'), null);
        assert.equal(headers.get('ratelimit-policy'), null);
      }
    }));

  const client = { perSecond: 0.5, burst: 2 };

  test('of a client refuses what exceeds the burst, and says when to retry', () =>
    withServer({ config: { rateLimits: { client } } }, async (server, clock) => {
      const { token } = server.client;
      const first = await using(server, token);
      assert.equal(first.status, 200);
      assert.equal(first.headers.get('ratelimit'), '"default";r=1;t=2');
      assert.equal(first.headers.get('ratelimit-policy'), '"default";q=2;w=4');
      assert.equal(first.headers.get('retry-after'), null);
      const second = await using(server, token);
      assert.equal(second.headers.get('ratelimit'), '"default";r=0;t=4');
      limited(await using(server, token), '2');
      await clock.advance(1000);
      limited(await using(server, token), '1');
      await clock.advance(1000);
      assert.equal((await using(server, token)).status, 200);
      limited(await using(server, token), '2');
    }));

  test('of a client counts all its tokens and routes together', () =>
    withServer({ config: { rateLimits: { client } } }, async (server) => {
      const second = await issue(server, {});
      const [list, filter, offers] = routes;
      assert.equal((await list.send(server, server.client.token)).status, 200);
      assert.equal((await filter.send(server, second)).status, 200);
      limited(await offers.send(server, second), '2');
      limited(await offers.send(server, server.client.token), '2');
    }));

  test("of one client does not affect another's", () =>
    withServer({ config: { rateLimits: { client } } }, async (server) => {
      const other = await addClient(server);
      for (const status of [200, 200, 429, 429]) {
        assert.equal((await using(server, server.client.token)).status, status);
      }
      const answer = await using(server, other.token);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('ratelimit'), '"default";r=1;t=2');
    }));

  test('of a client does not count requests refused earlier, for their scope', () =>
    withServer({ config: { rateLimits: { client } } }, async (server) => {
      const token = await issue(server, { scopes: ['offers'] });
      for (let count = 0; count < 5; count += 1) {
        assertError(await using(server, token), 403, 'SCOPE_MISSING');
      }
      assert.equal((await using(server, server.client.token)).status, 200);
    }));

  test('for those without a valid token refuses them after the burst, and no token in use', () =>
    withServer({ config: { rateLimits: { anonymous: client } } }, async (server, clock) => {
      assert.equal((await using(server, server.client.token)).status, 200);
      refused(await request(server, products, { token: null }), 'TOKEN_MISSING');
      refused(await using(server, makeToken(systemRandom)), 'TOKEN_INVALID');
      limited(await request(server, products, { token: null }), '2');
      limited(await using(server, makeToken(systemRandom)), '2');
      for (let count = 0; count < 5; count += 1) {
        const answer = await using(server, server.client.token);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('ratelimit'), null);
      }
      await clock.advance(2000);
      refused(await request(server, products, { token: null }), 'TOKEN_MISSING');
    }));

  test('for those without a valid token counts each address separately', () =>
    withServer(
      { config: { rateLimits: { anonymous: client }, trustedProxies: ['127.0.0.1'] } },
      async (server) => {
        const asFrom = (address: string): Promise<Answer> =>
          request(server, products, { token: null, headers: { 'x-forwarded-for': address } });
        for (const status of [401, 401, 429]) {
          assert.equal((await asFrom('192.0.2.1')).status, status);
        }
        assert.equal((await asFrom('192.0.2.2')).status, 401);
      },
    ));

  const asFrom = (server: TestServer, address: string, path: string): Promise<Answer> =>
    request(server, path, { token: null, headers: { 'x-forwarded-for': address } });

  test('for those without a valid token counts a /64 network of IPv6 as one address', () =>
    withServer(
      { config: { rateLimits: { anonymous: client }, trustedProxies: ['127.0.0.1'] } },
      async (server) => {
        assert.equal((await asFrom(server, '2001:db8::1', products)).status, 401);
        assert.equal((await asFrom(server, '2001:db8::2', products)).status, 401);
        limited(await asFrom(server, '2001:db8::3', products), '2');
        assert.equal((await asFrom(server, '2001:db8:0:1::1', products)).status, 401);
      },
    ));

  test('counts pages that need no token, and unknown paths, unless the request has a token in use', () =>
    withServer({ config: { rateLimits: { anonymous: client } } }, async (server) => {
      assert.equal((await using(server, server.client.token)).status, 200);
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await request(server, '/docs')).status, 200);
      }
      assert.equal((await request(server, '/docs', { token: null })).status, 200);
      assert.equal((await request(server, '/nowhere', { token: null })).status, 404);
      limited(await request(server, '/docs', { token: null }), '2');
      limited(await request(server, '/docs', { token: makeToken(systemRandom) }), '2');
      limited(await request(server, '/nowhere', { token: null }), '2');
      assert.equal((await using(server, server.client.token)).status, 200);
    }));

  test('for those without a valid token is on by default', () =>
    withServer({ config: { rateLimits: readConfig({}).rateLimits } }, async (server) => {
      assert.equal((await using(server, server.client.token)).status, 200);
      const { burst } = readConfig({}).rateLimits.anonymous ?? { burst: 0 };
      for (let count = 0; count < burst; count += 50) {
        const some = Array.from({ length: 50 }, () => request(server, products, { token: null }));
        for (const answer of await Promise.all(some)) refused(answer, 'TOKEN_MISSING');
      }
      limited(await request(server, products, { token: null }), '1');
      assert.equal((await using(server, server.client.token)).status, 200);
    }));

  test('leaves the health routes alone', () =>
    withServer({ config: { rateLimits: { anonymous: client, client } } }, async (server) => {
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await request(server, '/health/live', { token: null })).status, 200);
        assert.equal((await request(server, '/health/ready', { token: null })).status, 200);
      }
    }));
});
