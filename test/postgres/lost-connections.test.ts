/** Tests what a lost connection to PostgreSQL does to a purchase: nothing, or one sale; and recovery. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ClientDeps } from '../../src/clients/errors.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { isNotCommitted, isUnavailable } from '../../src/db/errors.ts';
import { openForServer } from '../../src/db/open.ts';
import type { Db } from '../../src/db/types.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  buy,
  catalogue,
  moneyOf,
  newKey,
  operatorThat,
  packages,
  recorded,
  served,
  type TestOperator,
} from '../contract/buying.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { cleanUpAfterTest, onlyOnce } from '../support/cleanup.ts';
import { createClient } from '../support/clients.ts';
import { freshPostgres, openBesideTest } from '../support/database.ts';
import { type DatabaseProxy, type Fate, startDatabaseProxy } from '../support/database-proxy.ts';
import { importProducts } from '../support/import-products.ts';
import { eventually } from '../support/live.ts';
import { type Answer, request, type TestServer } from '../support/server.ts';

/** Only cut connections are noticed at once; nothing else must time out, even on a busy machine. */
const limits = { connections: 4, connectMs: 20_000, statementMs: 20_000, listen: false } as const;

/** Short enough to notice a missing answer soon, and far longer than a busy machine takes to answer. */
const shortLimits = { ...limits, connectMs: 3000, statementMs: 3000 } as const;

/** Each has its own gateway and database, and mostly waits. */
const mostlyWaiting = { concurrency: 4 } as const;

const balance = 1_000_000;
const price = 10_000;

/** A gateway that reaches its database through a proxy; the test itself reaches it directly. */
type Setting = {
  readonly server: TestServer;
  readonly proxy: DatabaseProxy;
  /** The gateway's own connections to the database. */
  readonly behind: Db;
};

const withGateway = async (
  operator: TestOperator,
  work: (setting: Setting) => Promise<void>,
  purchases: Partial<Config['purchases']> = {},
  database: Partial<Config['database']> = limits,
): Promise<void> => {
  const { url, remove } = await freshPostgres();
  const proxy = await startDatabaseProxy(Number(new URL(url).port));
  const direct = openBesideTest(url);
  const throughProxy = new URL(url);
  throughProxy.port = String(proxy.port);
  const read = readConfig({ DATABASE_URL: throughProxy.href });
  const { connectors, config } = served(operator);
  const whole: Config = {
    ...read,
    ...config,
    suppliers: [],
    database: { ...read.database, ...database },
    purchases: { ...read.purchases, ...purchases },
  };
  const deps: ClientDeps = {
    db: direct.db,
    clock: systemClock,
    newId: uuidV7(systemClock, systemRandom),
    random: systemRandom,
  };
  await importProducts(deps, catalogue);
  const client = await createClient(deps, { name: 'First', balance });
  const logged: string[] = [];
  const log = createLog(
    { level: 'warn', mobile: whole.mobile },
    { write: (line) => void logged.push(line) },
  );
  const behind = await openForServer(whole, systemClock);
  const gateway = await createGateway({
    config: whole,
    db: behind.db,
    log,
    ...(connectors === undefined ? {} : { connectors }),
  });
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const address = gateway.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server: TestServer = {
    url: `http://127.0.0.1:${port}`,
    client: { id: client.id, token: client.token.token },
    deps,
    logged,
    meter: gateway.meter,
    reloadCatalogue: gateway.reloadCatalogue,
    makePages: gateway.makePages,
    drain: gateway.drain,
    setNotReady: gateway.setNotReady,
    stop: onlyOnce(async () => {
      await gateway.close();
      await behind.close();
      await direct.close();
      await proxy.close();
      await remove();
    }),
  };
  cleanUpAfterTest(server.stop);
  try {
    // Once, so that the token is cached and every connection has something to lose.
    assert.equal((await request(server, '/api/clients/products')).status, 200);
    await work({ server, proxy, behind: behind.db });
    assert.deepEqual((await verifyLedger(direct.db)).problems, []);
    assert.deepEqual((await verifyPurchases(direct.db)).problems, []);
  } finally {
    await server.stop();
  }
};

const withShortLimits: typeof withGateway = (operator, work) =>
  withGateway(operator, work, {}, shortLimits);

/**
 * Does something to the first messages that contain a text; returns how many there were. With `within` only
 * to those of a transaction that contains it: the gateway has other work too, at its own times.
 */
const strike = (
  proxy: DatabaseProxy,
  text: string,
  fate: Fate,
  options: { readonly from?: number; readonly times?: number; readonly within?: string } = {},
): (() => number) => {
  const { from = 1, times = 1, within = '' } = options;
  let seen = 0;
  proxy.decide((sent, transaction) => {
    if (!sent.includes(text) || !transaction.includes(within)) return 'passes';
    seen += 1;
    return seen >= from && seen < from + times ? fate : 'passes';
  });
  return () => Math.max(0, Math.min(seen - from + 1, times));
};

const assertNothing = async (server: TestServer, operator: TestOperator): Promise<void> => {
  assert.equal(await recorded(server), 0);
  assert.deepEqual(await moneyOf(server), { available: balance, held: 0 });
  assert.deepEqual(operator.asked.buy, []);
};

const assertSoldOnce = async (server: TestServer, operator: TestOperator): Promise<void> => {
  assert.equal(await recorded(server), 1);
  assert.deepEqual(await moneyOf(server), { available: balance - price, held: 0 });
  assert.equal(operator.asked.buy.length, 1);
};

const ready = (server: TestServer): Promise<Answer> =>
  request(server, '/health/ready', { token: null });

/** The answer of an operator that has delivered nothing, and when that is proof. */
const forgetful = (): TestOperator =>
  operatorThat(
    { status: async () => ({ kind: 'not_found' }), deadlineMs: 200 },
    {
      settlesWithin: 100,
      inquiries: { firstInquiryMs: 100, widestInquiryMs: 200, reviewAfterMs: 600_000 },
    },
  );

/** The whole statement: a limit's name holds the word too. */
const commit = 'commit\0';

const statements = [
  'begin; ',
  'from accounts where client_id =',
  // All follow-up rows go with them, and the commit is sent behind them.
  'insert into purchases',
  'update purchases',
] as const;

describe('A statement whose connection breaks', mostlyWaiting, () => {
  for (const statement of statements) {
    for (const fate of ['is lost', 'loses its answer'] as const) {
      test(`is done once in the end, if "${statement}" ${fate}`, async () => {
        const operator = operatorThat();
        await withGateway(operator, async ({ server, proxy }) => {
          const struck = strike(proxy, statement, fate);
          assertSold(await buy(server, aPackage));
          assert.equal(struck(), 1);
          await assertSoldOnce(server, operator);
        });
      });
    }
  }

  test('is refused with DATABASE_UNAVAILABLE if it always fails, and the same key buys later', async () => {
    const operator = operatorThat();
    await withGateway(operator, async ({ server, proxy }) => {
      const key = newKey();
      const struck = strike(proxy, statements[1], 'loses its answer', { times: 100 });
      assertRefused(await buy(server, aPackage, { key }), 'DATABASE_UNAVAILABLE');
      assert.ok(struck() >= 3);
      await assertNothing(server, operator);
      proxy.decide(() => 'passes');
      assertSold(await buy(server, aPackage, { key }));
      await assertSoldOnce(server, operator);
    });
  });
});

describe('A commit whose acknowledgement is lost', mostlyWaiting, () => {
  test('is sent behind the last statement, in one piece with it', async () => {
    const operator = operatorThat();
    await withGateway(operator, async ({ server, proxy }) => {
      const pieces: string[] = [];
      proxy.decide((sent) => {
        if (sent.includes(commit)) pieces.push(sent);
        return 'passes';
      });
      assertSold(await buy(server, aPackage));
      for (const write of ['insert into purchases', 'update purchases set state']) {
        assert.ok(
          pieces.some((piece) => piece.includes(write)),
          write,
        );
      }
    });
  });

  for (const [name, within] of [
    ['the beginning', 'insert into purchases'],
    ['the end', 'update purchases'],
  ] as const) {
    for (const fate of ['is lost', 'loses its answer'] as const) {
      test(`sells once if the commit of ${name} ${fate}`, async () => {
        const operator = operatorThat();
        await withGateway(operator, async ({ server, proxy }) => {
          const key = newKey();
          const struck = strike(proxy, commit, fate, { within });
          const first = await buy(server, aPackage, { key });
          assertSold(first);
          assert.equal(struck(), 1);
          await assertSoldOnce(server, operator);
          assertRepeated(await buy(server, aPackage, { key }), first);
        });
      });
    }
  }

  for (const [fate, end] of [
    ['is lost', 'it was not done: then the same key sells'],
    ['loses its answer', 'it was done: then it fails, unsent, and the money is back'],
  ] as const) {
    test(`is answered 202 if the database stays unavailable and the commit ${fate}; ${end}`, async () => {
      const operator = forgetful();
      await withGateway(
        operator,
        async ({ server, proxy }) => {
          const key = newKey();
          let away = false;
          proxy.decide((sent, transaction) => {
            if (away) return 'is lost';
            away = sent.includes(commit) && transaction.includes('insert into purchases');
            return away ? fate : 'passes';
          });
          assertRefused(await buy(server, aPackage, { key }), 'TRANSACTION_PENDING');
          proxy.decide(() => 'passes');
          assert.equal(await recorded(server), fate === 'is lost' ? 0 : 1);
          let last = await buy(server, aPackage, { key });
          await eventually('the key is final', async () => {
            if (last.status === 202) last = await buy(server, aPackage, { key });
            return last.status !== 202;
          });
          if (fate === 'is lost') {
            assertSold(last);
            await assertSoldOnce(server, operator);
          } else {
            assertRefused(last, 'ORDER_NOT_RECEIVED');
            assert.deepEqual(await moneyOf(server), { available: balance, held: 0 });
            assert.deepEqual(operator.asked.buy, []);
          }
        },
        // If nothing was done the key sells later, however late its turn comes.
        { pendingAfterMs: 2000, sendWithinMs: fate === 'is lost' ? 15_000 : 1500 },
      );
    });
  }
});

describe('A database that is unavailable', mostlyWaiting, () => {
  test('refuses what certainly has not begun, shows no balance, and recovers automatically', async () => {
    const operator = operatorThat({ offers: async () => ({ kind: 'unknown', detail: 'none' }) });
    await withGateway(operator, async ({ server, proxy }) => {
      const [finished, key] = [newKey(), newKey()];
      const first = await buy(server, aPackage, { key: finished });
      assertSold(first);
      await proxy.goAway();
      assertRefused(await buy(server, aPackage, { key }), 'DATABASE_UNAVAILABLE');
      // A final answer never changes: it is cached, and replayed without the database.
      assertRepeated(await buy(server, aPackage, { key: finished }), first);
      // The products are in memory, but their list carries the balance, which must not be guessed.
      for (const path of ['/api/clients/products', `/api/purchases?webservice_code=x`]) {
        const read = await request(server, path);
        assert.equal(at(read.body, 'code'), 'DATABASE_UNAVAILABLE', read.text);
      }
      const filter = { json: { table: 'product' } };
      assert.equal((await request(server, '/api/filter', filter)).status, 503);
      // An invalid request is refused without it, and liveness does not need it either.
      assertRefused(await buy(server, aPackage, { key: null }), 'IDEMPOTENCY_KEY_MISSING');
      assert.equal((await request(server, '/health/live', { token: null })).status, 200);
      assertRefused(await ready(server), 'DATABASE_UNAVAILABLE');

      await proxy.comeBack();
      await eventually('it is ready again', async () => (await ready(server)).status === 200);
      assertRepeated(await buy(server, aPackage, { key: finished }), first);
      assertSold(await buy(server, aPackage, { key }));
      assert.equal((await request(server, '/api/clients/products')).status, 200);
      assert.equal(operator.asked.buy.length, 2);
    });
  });

  test('after the order was sent is answered 202, and the sale is found when it is back', async () => {
    let goAway = async (): Promise<void> => {};
    const operator = operatorThat(
      {
        buy: async ({ ref }) => {
          await goAway();
          return { kind: 'done', ref };
        },
        status: async (ref) => ({ kind: 'done', ref }),
        deadlineMs: 1000,
      },
      { settlesWithin: 100 },
    );
    await withGateway(
      operator,
      async ({ server, proxy }) => {
        goAway = proxy.goAway;
        const key = newKey();
        assertRefused(await buy(server, aPackage, { key }), 'TRANSACTION_PENDING');
        assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
        await proxy.comeBack();
        let last = await buy(server, aPackage, { key });
        await eventually('it is sold', async () => {
          if (last.status !== 200) last = await buy(server, aPackage, { key });
          return last.status === 200;
        });
        assertSold(last, true);
        await assertSoldOnce(server, operator);
      },
      { pendingAfterMs: 1500, sendWithinMs: 5000 },
    );
  });

  test('and swallows everything is noticed within the limits, and no connection of that time is reused', async () => {
    const operator = operatorThat();
    await withShortLimits(operator, async ({ server, proxy }) => {
      const key = newKey();
      proxy.fallSilent();
      const lost = await Promise.all(
        Array.from({ length: 2 * limits.connections }, () => buy(server, aPackage)),
      );
      for (const one of lost) assertRefused(one, 'DATABASE_UNAVAILABLE');
      await assertNothing(server, operator);
      proxy.speak();
      await eventually('it is ready again', async () => (await ready(server)).status === 200);
      const sold = await Promise.all(
        Array.from({ length: limits.connections }, () => buy(server, aPackage)),
      );
      for (const one of sold) assertSold(one);
      assertSold(await buy(server, aPackage, { key }));
    });
  });

  test('and swallows everything is reported by /health/ready long before a statement times out, and /health/live is unaffected', async () => {
    await withShortLimits(operatorThat(), async ({ server, proxy }) => {
      proxy.fallSilent();
      const began = performance.now();
      assertRefused(await ready(server), 'DATABASE_UNAVAILABLE');
      assert.equal((await request(server, '/health/live', { token: null })).status, 200);
      const ms = performance.now() - began;
      assert.ok(ms < shortLimits.connectMs - 500, `${ms} ms`);
      proxy.speak();
      await eventually('it is ready again', async () => (await ready(server)).status === 200);
    });
  });

  test('and closes a connection in use does not end the process', async () => {
    const operator = operatorThat();
    await withGateway(operator, async ({ server, behind }) => {
      await assert.rejects(
        behind.transaction().execute(async (db) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
          await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(server.deps.db);
          // Nothing is sent to it while it ends.
          await rest(200);
          await sql`select 1`.execute(db);
        }),
        (error) => isUnavailable(error) && isNotCommitted(error),
      );
      assertSold(await buy(server, aPackage));
    });
  });
});

/** Holds a lock in the test's own session, until the returned function releases it. */
const holdLock = async (server: TestServer, text: string): Promise<() => Promise<void>> => {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const done = server.deps.db.transaction().execute(async (db) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
    await sql.raw(text).execute(db);
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, done]);
  return async () => {
    release.resolve();
    await done;
  };
};

/** Far beyond all limits together: what takes longer hangs. */
const hangs = { timeout: 240_000 } as const;

describe('The limits', mostlyWaiting, () => {
  test(
    'end a wait for another session’s lock, and the same key buys when it is released',
    hangs,
    async () => {
      const operator = operatorThat();
      await withShortLimits(operator, async ({ server }) => {
        const key = newKey();
        const letGo = await holdLock(server, 'select * from accounts for update');
        assertRefused(await buy(server, aPackage, { key }), 'OVERLOADED');
        await letGo();
        await assertNothing(server, operator);
        assertSold(await buy(server, aPackage, { key }));
        await assertSoldOnce(server, operator);
      });
    },
  );

  test('end a wait for a connection if all of them wait for a lock', hangs, async () => {
    const operator = operatorThat();
    await withShortLimits(operator, async ({ server }) => {
      const letGo = await holdLock(server, 'lock table purchases in access exclusive mode');
      const many = await Promise.all(
        Array.from({ length: 10 * limits.connections }, () => buy(server, aPackage)),
      );
      for (const one of many) assertRefused(one, 'DATABASE_UNAVAILABLE');
      await letGo();
      await assertNothing(server, operator);
      await eventually('it is ready again', async () => (await ready(server)).status === 200);
      assertSold(await buy(server, aPackage));
    });
  });

  test('end a statement that takes too long, which leaves nothing', hangs, async () => {
    await withShortLimits(operatorThat(), async ({ behind }) => {
      await assert.rejects(
        behind.transaction().execute((db) => sql`select pg_sleep(20)`.execute(db)),
        (error) => isUnavailable(error) && isNotCommitted(error),
      );
    });
  });

  test('end a transaction that pauses, and others get its locks', hangs, async () => {
    const operator = operatorThat();
    await withShortLimits(operator, async ({ server, behind }) => {
      const key = newKey();
      let sold: Answer | undefined;
      await assert.rejects(
        behind.transaction().execute(async (db) => {
          await sql`select * from accounts for update`.execute(db);
          // Like a suspended process, while others go on.
          await eventually('another gets its lock', async () => {
            sold = await buy(server, aPackage, { key });
            return sold.status !== 503;
          });
          await sql`select 1`.execute(db);
        }),
        (error) => isUnavailable(error) && isNotCommitted(error),
      );
      assert.ok(sold !== undefined);
      assertSold(sold);
      await assertSoldOnce(server, operator);
    });
  });
});

/** How many prepared statements the gateway's next connection has. */
const plansKept = (behind: Db): Promise<number> =>
  behind.transaction().execute(async (db) => {
    await sql`select ${1}::int as one`.execute(db);
    const { rows } = await sql`select name from pg_prepared_statements`.execute(db);
    return rows.length;
  });

test('statements are prepared on direct connections, and not behind a pooler', async () => {
  const operator = operatorThat();
  await withGateway(operator, async ({ server, proxy, behind }) => {
    assert.ok((await plansKept(behind)) > 0);
    proxy.disguise();
    await eventually('it is ready again', async () => (await ready(server)).status === 200);
    assert.equal(await plansKept(behind), 0);
    assertSold(await buy(server, aPackage));
    assert.equal(await plansKept(behind), 0);
  });
});

test('a repeat during the first request joins it, even if its connection breaks', async () => {
  const operator = operatorThat();
  await withGateway(operator, async ({ server, proxy }) => {
    const key = newKey();
    strike(proxy, commit, 'loses its answer', { times: 2, within: 'purchases' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => buy(server, aPackage, { key, path: packages })),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    await assertSoldOnce(server, operator);
  });
});

/** Decides the fate of a change's commit, found by a name in it, and of all after it. */
const atCommitOf = (proxy: DatabaseProxy, action: string, fate: Fate, after: Fate): void => {
  let over = false;
  proxy.decide((sent, transaction) => {
    if (over) return after;
    over = sent.includes(commit) && transaction.includes(action);
    return over ? fate : 'passes';
  });
};

describe('A change in the back office', mostlyWaiting, () => {
  /** A purchase that needs review, and what the person sees. */
  const inReview = async (
    work: (
      setting: Setting & {
        readonly owner: Ask;
        readonly state: () => Promise<unknown>;
        readonly decide: () => Promise<Answer>;
      },
    ) => Promise<void>,
  ): Promise<void> => {
    const operator = operatorThat(
      {
        buy: async () => ({ kind: 'unknown', detail: 'silent' }),
        status: async () => ({ kind: 'pending' }),
      },
      { inquiries: { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 1 } },
    );
    const purchases = { pendingAfterMs: 20 };
    await withGateway(
      operator,
      async (setting) => {
        const owner = await enterOffice(setting.server, 'owner');
        const told = await buy(setting.server, aPackage);
        const one = `purchases/${told.headers.get('purchase-id')}`;
        const state = async () => at((await owner('GET', one)).body, 'state');
        await eventually('it is ordered', async () => (await state()) === 'unknown');
        const reason = 'a test';
        for (let asked = 0; asked < 3; asked += 1)
          await owner('POST', `${one}/inquire`, { reason });
        assert.equal(await state(), 'review');
        const verdict = 'succeeded';
        const { body } = await owner('POST', `${one}/resolution/preview`, { verdict });
        const decision = { verdict, reason, version: at(body, 'version') };
        await work({
          ...setting,
          owner,
          state,
          decide: () => owner('POST', `${one}/resolution`, decision),
        });
      },
      purchases,
    );
  };

  const codeOf = ({ status, body }: Answer): unknown[] => [status, at(body, 'code')];

  for (const [fate, state] of [
    ['is lost', 'review'],
    ['loses its answer', 'succeeded'],
  ] as const) {
    test(`is answered as unknown if the commit of a decision ${fate}, and the purchase is then ${state}`, () =>
      inReview(async (setting) => {
        atCommitOf(setting.proxy, 'purchase resolve', fate, 'passes');
        assert.deepEqual(codeOf(await setting.decide()), [503, 'OUTCOME_UNKNOWN']);
        assert.equal(await setting.state(), state);
        const again = await setting.decide();
        assert.deepEqual(
          codeOf(again),
          state === 'review' ? [200, undefined] : [409, 'NOT_UNDECIDED'],
        );
        assert.deepEqual(await moneyOf(setting.server), { available: balance - price, held: 0 });
      }));
  }

  test('of the catalogue is answered as unknown too, and the log says why', () =>
    withGateway(operatorThat(), async ({ server, proxy }) => {
      const owner = await enterOffice(server, 'owner');
      const product_ids = [aPackage.product_id];
      atCommitOf(proxy, 'catalogue switch', 'loses its answer', 'passes');
      const off = await owner('POST', 'catalogue/switch', { product_ids, on: false });
      assert.deepEqual(codeOf(off), [503, 'OUTCOME_UNKNOWN']);
      const told = server.logged.find((line) => line.includes('a request failed'));
      assert.match(told ?? '', /[Cc]onnection/);
      await eventually('it is switched off', async () => {
        const { body } = await owner('GET', `catalogue/products/${String(aPackage.product_id)}`);
        return at(body, 'status') === 0;
      });
    }));

  test('is answered as done if it cannot be shown any more', () =>
    inReview(async (setting) => {
      const { proxy, owner } = setting;
      atCommitOf(proxy, 'purchase resolve', 'passes', 'is lost');
      assert.deepEqual(codeOf(await setting.decide()), [503, 'DONE_NOT_SHOWN']);
      proxy.decide(() => 'passes');
      await eventually('it is shown', async () => (await setting.state()) === 'succeeded');

      atCommitOf(proxy, 'operator suspend', 'passes', 'is lost');
      const suspended = await owner('POST', 'operators/1/suspension', { reason: 'a test' });
      assert.deepEqual(codeOf(suspended), [503, 'DONE_NOT_SHOWN']);
      proxy.decide(() => 'passes');
      await eventually('it is suspended', async () => {
        const { body } = await owner('GET', 'operators/1');
        return at(body, 'health') === 'suspended';
      });

      atCommitOf(proxy, 'client create', 'passes', 'is lost');
      const key = '01890a5d-ac96-774b-bcce-b302099a8057';
      const made = await owner('POST', 'clients', { key, name: 'Second' });
      assert.deepEqual(codeOf(made), [503, 'DONE_NOT_SHOWN']);
      assert.match(String(at(made.body, 'message')), /was created.*rotate its token/);
      proxy.decide(() => 'passes');
      let again: Answer | undefined;
      await eventually('the database is reachable again', async () => {
        again = await owner('POST', 'clients', { key, name: 'Second' });
        return at(again.body, 'code') !== 'DATABASE_UNAVAILABLE';
      });
      assert.deepEqual(codeOf(again ?? assert.fail()), [409, 'ALREADY_DONE']);
    }));
});
