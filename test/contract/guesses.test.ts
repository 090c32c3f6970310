/** Tests that guessed tokens and other errors of anonymous callers are limited, and cost little afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeToken } from '../../src/clients/token.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { assertError } from '../support/answers.ts';
import { manualClock } from '../support/manual-clock.ts';
import { hearStatements } from '../support/sent-sql.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

const products = '/api/clients/products';
const rateLimits = { anonymous: { perSecond: 0.5, burst: 2 } };

/** A server behind a proxy, so that a test can use any address. */
const withServer = async (
  work: (server: TestServer) => Promise<void>,
  config: TestOptions['config'] = {},
): Promise<void> => {
  const server = await startServer({
    clock: manualClock(),
    config: { rateLimits, trustedProxies: ['127.0.0.1'], ...config },
  });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

type From = { readonly address: string; readonly token: string; readonly path?: string };

const askFrom = (server: TestServer, { address, token, path = products }: From): Promise<Answer> =>
  request(server, path, { token, headers: { 'x-forwarded-for': address } });

const assertLimited = (answer: Answer): void => {
  assertError(answer, 429, 'RATE_LIMITED');
  assert.equal(answer.headers.get('retry-after'), '2');
};

test('an address that has guessed too often is refused without a lookup, and no other is', async (t) => {
  let lookups = 0;
  t.after(
    await hearStatements((text) => {
      if (text.includes('where tokens.hash = ')) lookups += 1;
    }),
  );
  await withServer(async (server) => {
    const known = { address: '192.0.2.1', token: server.client.token };
    assert.equal((await askFrom(server, known)).status, 200);
    const guess = (): Promise<Answer> =>
      askFrom(server, { address: '192.0.2.1', token: makeToken(systemRandom) });
    for (let count = 0; count < 2; count += 1) assertError(await guess(), 401, 'TOKEN_INVALID');
    const { token } = await addClient(server);
    const before = lookups;
    assert.ok(before > 0);
    for (let count = 0; count < 3; count += 1) assertLimited(await guess());
    assert.equal(lookups, before);
    assert.equal((await askFrom(server, known)).status, 200);
    assert.equal((await askFrom(server, { address: '192.0.2.2', token })).status, 200);
    assert.equal(lookups, before + 1);
  });
});

test('new valid tokens are looked up without a limit', () =>
  withServer(async (server) => {
    for (let count = 0; count < 5; count += 1) {
      const { token } = await addClient(server);
      assert.equal((await askFrom(server, { address: '192.0.2.1', token })).status, 200);
    }
  }));

/** Sends until the address is refused; returns how many errors it may make. */
const assertCounted = async (ask: () => Promise<Answer>, status: number): Promise<void> => {
  for (let count = 0; count < 2; count += 1) assert.equal((await ask()).status, status);
  assertLimited(await ask());
};

for (const path of ['/docs', products, '/health/live']) {
  test(`an unreadable request counts on ${path}, unless its token is in use`, () =>
    withServer(async (server) => {
      const { token } = server.client;
      const from = { address: '192.0.2.1', path: `${path}?a=%ff` };
      await assertCounted(() => askFrom(server, { ...from, token: 'none' }), 400);
      const other = { ...from, address: '192.0.2.2', token };
      assert.equal((await askFrom(server, { ...other, path: products })).status, 200);
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await askFrom(server, other)).status, 400);
      }
    }));
}

test('unknown paths beside the health routes count', () =>
  withServer((server) =>
    assertCounted(
      () => askFrom(server, { address: '192.0.2.1', token: 'none', path: '/health/nowhere' }),
      404,
    ),
  ));

test('guesses at the metrics token count, and the right one is always served', () => {
  const token = 'a-token-for-the-metrics-alone';
  const metrics = { host: '127.0.0.1', token };
  return withServer(
    async (server) => {
      const from = { address: '192.0.2.1', path: '/metrics' };
      await assertCounted(() => askFrom(server, { ...from, token: `${token}-not` }), 401);
      assert.equal((await askFrom(server, { ...from, token })).status, 200);
    },
    { metrics },
  );
});
