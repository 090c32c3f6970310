/** Tests the metrics: who may read them, that they reveal nothing about clients, and that they count correctly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { bumpVersion } from '../../src/db/changes/versions.ts';
import { openMetricsPort } from '../../src/http/metrics.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { insertSuspension, saveSettings } from '../../src/operators/settings/store.ts';
import { assertError, at, keysOf } from '../support/answers.ts';
import { onSqlite, testEngine } from '../support/database.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Figures, readFigures } from '../support/metrics.ts';
import { type Answer, request, type TestServer } from '../support/server.ts';
import { makeEndpoint, makeMessage } from '../support/webhooks.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  aTopUp,
  buy,
  buyUnanswered,
  newKey,
  operatorThat,
  packages,
  quickly,
  served,
  topUps,
  untilOrdered,
  withServer,
} from './buying.ts';

const token = 'a-token-for-the-metrics-alone';
const byToken: Pick<Config, 'metrics'> = { metrics: { host: '127.0.0.1', token } };
const byPort: Pick<Config, 'metrics'> = { metrics: { host: '127.0.0.1', port: 0 } };

const scrape = async (server: TestServer): Promise<Figures> => {
  const answer = await request(server, '/metrics', { token });
  assert.equal(answer.status, 200, answer.text);
  return readFigures(answer.text);
};

/** Requests the metrics-only port. */
const onOwnPort = async (
  server: TestServer,
  metrics: Config['metrics'],
  work: (ask: (path: string, token?: string) => Promise<Answer>) => Promise<void>,
): Promise<void> => {
  const log = createLog({ level: 'silent', mobile: readConfig({}).mobile });
  const { newId } = server.deps;
  const port = await openMetricsPort({ settings: metrics, read: server.meter.read, newId, log });
  assert.ok(port !== undefined);
  const url = new URL(port.url).origin;
  try {
    await work((path, sent) => request({ ...server, url }, path, { token: sent ?? null }));
  } finally {
    await port.close();
  }
};

const assertShown = (answer: Answer): void => {
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.ok(readFigures(answer.text).sum('simgate_build_info') === 1);
};

test('without a setting nothing is measured, and /metrics is an unknown path', async () => {
  await withServer({}, async (server) => {
    for (const sent of [null, server.client.token, token]) {
      assertError(await request(server, '/metrics', { token: sent }), 404, 'NOT_FOUND');
    }
    assert.equal(server.meter.read, undefined);
  });
});

// Access to them does not depend on a database.
onSqlite(() => {
  describe('With a token, on the main port', () => {
    test('it grants access, with and without a trailing slash', async () => {
      await withServer({ config: byToken }, async (server) => {
        assertShown(await request(server, '/metrics', { token }));
        assertShown(await request(server, '/metrics/', { token }));
      });
    });

    test('nothing else does: no token, another one, a part of it, a client’s', async () => {
      await withServer({ config: byToken }, async (server) => {
        assertError(await request(server, '/metrics', { token: null }), 401, 'TOKEN_MISSING');
        for (const other of [
          `${token}x`,
          token.slice(1),
          token.toUpperCase(),
          server.client.token,
        ]) {
          const answer = await request(server, '/metrics', { token: other });
          assertError(answer, 401, 'TOKEN_INVALID');
          assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
        }
      });
    });

    test('it grants nothing of a client’s', async () => {
      await withServer({ config: byToken }, async (server) => {
        for (const path of ['/api/clients/products', '/api/purchases']) {
          assertError(await request(server, path, { token }), 401, 'TOKEN_INVALID');
        }
      });
    });

    test('they are not part of the contract with clients', async () => {
      await withServer({ config: byToken }, async (server) => {
        const { body } = await request(server, '/openapi.json', { token: null });
        assert.ok(keysOf(at(body, 'paths')).length > 5);
        assert.ok(!keysOf(at(body, 'paths')).includes('/metrics'));
      });
    });

    test('they are served while the server is full, and to its end', async () => {
      const held = Promise.withResolvers<void>();
      const operator = operatorThat({
        buy: async ({ ref }) => {
          await held.promise;
          return { kind: 'done', ref };
        },
      });
      const limits = { ...readConfig({}).limits, requests: 1 };
      await withServer(served(operator, { ...byToken, limits }), async (server) => {
        const underWay = buy(server, aPackage);
        await untilOrdered(operator, 1);
        const refused = await buy(server, aPackage);
        const full = await scrape(server).finally(held.resolve);
        assertRefused(refused, 'OVERLOADED');
        const [code, caller] = ['OVERLOADED', 'known'];
        assert.equal(full.of('simgate_http_requests_refused_total', { code, caller }), 1);
        const inFlight = 'simgate_operator_purchases_in_flight';
        assert.equal(full.of(inFlight, { operator: 'operator_1' }), 1);
        server.drain();
        assertSold(await underWay);
        assertShown(await request(server, '/metrics', { token }));
      });
    });
  });

  describe('On a port of their own', () => {
    test('they are served there and not on the main one, and nothing else is there', async () => {
      await withServer({ config: byPort }, async (server) => {
        await onOwnPort(server, byPort.metrics, async (ask) => {
          assertShown(await ask('/metrics'));
          assertError(await ask('/api/clients/products', server.client.token), 404, 'NOT_FOUND');
        });
        assertError(await request(server, '/metrics'), 404, 'NOT_FOUND');
      });
    });

    test('a token is required there too if one is set, and opens them nowhere else', async () => {
      const metrics = { ...byPort.metrics, token };
      await withServer({ config: { metrics } }, async (server) => {
        await onOwnPort(server, metrics, async (ask) => {
          assertShown(await ask('/metrics', token));
          assertError(await ask('/metrics'), 401, 'TOKEN_MISSING');
          assertError(await ask('/metrics', server.client.token), 401, 'TOKEN_INVALID');
        });
        assertError(await request(server, '/metrics', { token }), 404, 'NOT_FOUND');
      });
    });
  });
});

/** Delivers, except to the number that ends in 90, which it declines, and in 94, where its answer is lost. */
const wilfulOperator = () =>
  operatorThat({
    buy: async ({ ref, mobile }) => {
      if (mobile.endsWith('90'))
        return { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' };
      if (mobile.endsWith('94')) return { kind: 'unknown', detail: 'lost' };
      return { kind: 'done', ref };
    },
  });

const barred = { ...aPackage, mobile: '989123456790' };
const lost = { ...aPackage, mobile: '989123456794' };
const quick: Pick<Config, 'purchases' | 'metrics'> = { ...byToken, purchases: quickly };

/** Three sales, one of them repeated, two declined, one refused, one lost. */
const someTrade = async (server: TestServer, clock: ManualClock): Promise<void> => {
  const key = newKey();
  const first = await buy(server, aPackage, { key });
  assertSold(first);
  assertRepeated(await buy(server, aPackage, { key }), first);
  assertSold(await buy(server, aPackage));
  assertSold(await buy(server, aTopUp, { path: topUps }));
  for (let count = 0; count < 2; count += 1) {
    assertRefused(await buy(server, barred), 'OPERATOR_DECLINED');
  }
  assertRefused(await buy(server, { ...aPackage, price: 1 }), 'PRICE_MISMATCH', 'expected_price');
  assertRefused(await buy(server, { ...aPackage, product_id: 9999 }), 'PRODUCT_NOT_FOUND');
  assertRefused(await buyUnanswered(server, clock, lost), 'TRANSACTION_PENDING');
};

describe('After some purchases', () => {
  test('each is counted once by its result, and a repeat is not', async () => {
    const clock = manualClock();
    await withServer({ ...served(wilfulOperator(), quick), clock }, async (server) => {
      await someTrade(server, clock);
      const figures = await scrape(server);
      const counted = (outcome: string, operator = 'operator_1') =>
        figures.of('simgate_purchases_total', { operator, outcome });
      assert.deepEqual(
        ['succeeded', 'failed', 'refused', 'unknown', 'review', 'reversed'].map((one) =>
          counted(one),
        ),
        [3, 2, 1, 1, 0, 0],
      );
      assert.equal(counted('refused', 'none'), 1, 'of an unknown product');
      assert.equal(figures.sum('simgate_purchases_total'), 8);
      const took = (outcome: string) =>
        figures.of('simgate_purchase_duration_seconds_count', { operator: 'operator_1', outcome });
      assert.deepEqual([took('succeeded'), took('failed')], [3, 2]);
      const open = (state: string) => figures.of('simgate_purchases_open', { state });
      assert.deepEqual([open('submitted'), open('unknown')], [0, 1]);
      assert.equal(figures.of('simgate_purchases_review'), 0);
    });
  });

  test('so are the orders to the operator, the transactions and the requests', async () => {
    const clock = manualClock();
    await withServer({ ...served(wilfulOperator(), quick), clock }, async (server) => {
      await someTrade(server, clock);
      await request(server, '/api/clients/products');
      await request(server, '/api/clients/products');
      const requests = 'simgate_http_request_duration_seconds_count';
      await eventually('the last request has been counted', async () => {
        const products = { route: '/api/clients/products', status: '2xx' };
        return (await scrape(server)).of(requests, products) === 2;
      });
      const figures = await scrape(server);
      const operator = 'operator_1';
      const orders = (outcome: string) =>
        figures.of('simgate_operator_calls_total', { operator, kind: 'order', outcome });
      assert.deepEqual([orders('done'), orders('refused'), orders('unknown')], [3, 2, 1]);
      const kind = 'order';
      assert.equal(
        figures.of('simgate_operator_call_duration_seconds_count', { operator, kind }),
        6,
      );
      const waited = (batch: string) => figures.of('simgate_batch_wait_seconds_count', { batch });
      assert.deepEqual([waited('begin'), waited('advance')], [8, 6]);
      assert.equal(figures.of('simgate_batch_size_sum', { batch: 'begin' }), 8);
      const answered = (route: string, status: string) => figures.of(requests, { route, status });
      const route = packages.slice(0, -1);
      assert.deepEqual([answered(route, '2xx'), answered(route, '4xx')], [4, 4]);
      assert.equal(answered(topUps.slice(0, -1), '2xx'), 1);
      assert.equal(figures.of('simgate_catalogue_products'), 11);
    });
  });

  test('no figure is about a client, a subscriber or one purchase', async () => {
    const clock = manualClock();
    await withServer({ ...served(wilfulOperator(), quick), clock }, async (server) => {
      await someTrade(server, clock);
      await request(
        server,
        '/api/purchases/01990000-0000-7000-8000-000000000000?mobile=989123456700',
      );
      await request(server, '/nowhere/989123456700');
      let text = '';
      await eventually('both requests have been counted', async () => {
        ({ text } = await request(server, '/metrics', { token }));
        return text.includes('route="/api/purchases/:id"') && text.includes('route="none"');
      });
      for (const secret of [server.client.id, server.client.token, token, '98912345', 'key-']) {
        assert.ok(!text.includes(secret), secret);
      }
      assert.doesNotMatch(text, /[\da-f]{8}-[\da-f]{4}/, 'no id');
      assert.doesNotMatch(text, /="[^"]*\d{6}/, 'no long number in a label');
      assert.ok(text.split('\n').length < 1000, 'few enough figures');
    });
  });
});

test('an operator that does not answer has its breaker shown as open', async () => {
  const operator = operatorThat({ buy: async () => ({ kind: 'unknown', detail: 'lost' }) });
  const breaker = {
    windowMs: 60_000,
    leastCalls: 2,
    silentPercent: 50,
    pauseMs: 60_000,
    trials: 1,
  };
  const clock = manualClock();
  await withServer({ ...served(operator, { ...quick, breaker }), clock }, async (server) => {
    const states = async (): Promise<unknown[]> => {
      const figures = await scrape(server);
      return ['closed', 'open', 'trying'].map((state) =>
        figures.of('simgate_operator_breaker_state', { operator: 'operator_1', state }),
      );
    };
    assert.deepEqual(await states(), [1, 0, 0]);
    for (let count = 0; count < 2; count += 1) {
      assertRefused(await buyUnanswered(server, clock, aPackage), 'TRANSACTION_PENDING');
    }
    assert.deepEqual(await states(), [0, 1, 0]);
    assertRefused(await buy(server, aPackage), 'OPERATOR_UNAVAILABLE');
    const [code, caller] = ['OPERATOR_UNAVAILABLE', 'known'];
    assert.equal(
      (await scrape(server)).of('simgate_http_requests_refused_total', { code, caller }),
      1,
    );
  });
});

test('reports a suspended operator, and separately one with unreadable settings', async () => {
  await withServer(served(operatorThat(), byToken), async (server) => {
    const { db, newId, clock } = server.deps;
    const standing = async (): Promise<unknown[]> => {
      const figures = await scrape(server);
      return ['operator_1', 'operator_2'].flatMap((operator) => [
        figures.of('simgate_operator_suspended', { operator }),
        figures.of('simgate_operator_settings_unusable', { operator }),
      ]);
    };
    assert.deepEqual(await standing(), [0, 0, 0, 0]);
    const at = clock.now();
    await insertSuspension(db, { operator_id: 1, at, actor: 'a person', reason: 'a try' });
    await saveSettings(db, {
      chosen_over: null,
      operator_id: 2,
      connector: 'test',
      sealed: 'by another key',
      version: newId(),
      changed_at: at,
    });
    await bumpVersion(db, 'operators', newId);
    await eventually('the server knows both', async () => {
      const [suspended, , , unusable] = await standing();
      return suspended === 1 && unusable === 1;
    });
    assert.deepEqual(await standing(), [1, 0, 1, 1]);
  });
});

test('reports the oldest open purchase and the waiting webhooks', async () => {
  const clock = manualClock();
  await withServer({ ...served(wilfulOperator(), quick), clock }, async (server) => {
    const before = await scrape(server);
    assert.equal(before.of('simgate_purchases_oldest_open_seconds'), 0);
    assert.equal(before.of('simgate_webhook_messages_waiting'), 0);
    // Its name has no address, so nothing is delivered.
    await makeEndpoint(server);
    await makeMessage(server);
    assertRefused(await buyUnanswered(server, clock, lost), 'TRANSACTION_PENDING');
    await clock.advance(10_000);
    const figures = await scrape(server);
    const oldest = figures.of('simgate_purchases_oldest_open_seconds') ?? 0;
    assert.ok(oldest >= 10 && oldest < 60, String(oldest));
    assert.equal(figures.of('simgate_webhook_messages_waiting'), 1);
  });
});

test('the connections to PostgreSQL are reported, on PostgreSQL', async () => {
  await withServer({ config: byToken }, async (server) => {
    const connections = (await scrape(server)).of('simgate_database_pool_connections');
    if (testEngine === 'sqlite') assert.equal(connections, undefined);
    else assert.ok(connections !== undefined && connections > 0);
  });
});

test('the process is measured: its memory, its processor, its files and its event loop', async () => {
  await withServer({ config: byToken }, async (server) => {
    const figures = await scrape(server);
    const resident = figures.sum('simgate_process_resident_memory_bytes');
    const heap = figures.sum('simgate_nodejs_heap_size_used_bytes');
    assert.ok(resident > heap && heap > 1_000_000);
    assert.ok(figures.sum('simgate_process_cpu_seconds_total') > 0);
    if (process.platform === 'linux') assert.ok(figures.sum('simgate_process_open_fds') > 3);
    await eventually('the event loop has been measured', async () => {
      const scraped = await scrape(server);
      const lag = (stat: string) => scraped.sum(`simgate_nodejs_eventloop_lag_${stat}_seconds`);
      const isOrdered = lag('p50') <= lag('p99') && lag('p99') <= lag('max');
      return lag('p50') > 0 && isOrdered;
    });
  });
});
