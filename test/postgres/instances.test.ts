/** Tests several instances on one PostgreSQL: one setup, one order a key, no double spending, dead instances taken over. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { lockSetUp, setUp } from '../../src/db/engine.ts';
import { readMigrations } from '../../src/db/migrate/migrations.ts';
import { openForServer } from '../../src/db/open.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';
import { type DemoClient, firstStart } from '../../src/gateway/first-start.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import {
  aPackage,
  assertRefused,
  assertSold,
  buy,
  catalogue,
  longTimeouts,
  moneyOf,
  newKey,
  operatorThat,
  served,
  untilOrdered,
} from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { updateRules } from '../support/clients.ts';
import { freshPostgres, openTestDatabase } from '../support/database.ts';
import { eventually } from '../support/live.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  addClient,
  startBeside,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

const price = 10_000;
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * Buys, and sends the same request again if another instance had the account locked for too long: nothing was
 * done then.
 */
const buySurely = async (
  server: TestServer,
  fields: typeof aPackage,
  options: { readonly token?: string } = {},
): Promise<Awaited<ReturnType<typeof buy>>> => {
  const key = newKey();
  for (;;) {
    const answer = await buy(server, fields, { ...options, key });
    if (at(answer.body, 'code') !== 'OVERLOADED') return answer;
  }
};

/** Three gateways on one database, each with its own connections. */
const withThree = async (
  options: TestOptions,
  work: (instances: readonly [TestServer, TestServer, TestServer]) => Promise<void>,
): Promise<void> => {
  const first = await startServer({ products: catalogue, ...options });
  const [second, third] = [await startBeside(first, options), await startBeside(first, options)];
  try {
    await work([first, second, third]);
  } finally {
    await third.stop();
    await second.stop();
    await first.stop();
  }
};

/** Fails unless the ledger is correct and there was no deadlock. */
const assertSound = async (db: Db): Promise<void> => {
  assert.deepEqual((await verifyLedger(db)).problems, []);
  assert.deepEqual((await verifyPurchases(db)).problems, []);
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
    where datname = current_database()`.execute(db);
  assert.deepEqual(rows, [{ deadlocks: 0 }]);
};

test('Ten concurrent starts on an empty database migrate it once and create one demo client', async () => {
  const { url, remove } = await freshPostgres('empty');
  const newId = uuidV7(systemClock, systemRandom);
  const start = async (): Promise<{ demo: DemoClient | undefined; close: () => Promise<void> }> => {
    const place = readConfig({ DATABASE_URL: url });
    const { db, close } = await openForServer(place, systemClock);
    const demo = await firstStart({
      db,
      clock: systemClock,
      newId,
      random: systemRandom,
      suppliers: [],
    });
    return { demo, close };
  };
  const started = await Promise.all(range(10).map(start));
  assert.equal(started.filter(({ demo }) => demo !== undefined).length, 1, 'one shows a token');
  const { db, close } = await openForServer(readConfig({ DATABASE_URL: url }), systemClock);
  const migrations = await db.selectFrom('migrations').select('name').orderBy('number').execute();
  assert.deepEqual(
    migrations,
    readMigrations().map(({ name }) => ({ name })),
  );
  const clients = await db.selectFrom('clients').select('name').execute();
  assert.deepEqual(clients, [{ name: 'Demo reseller' }]);
  for (const one of started) await one.close();
  await close();
  await remove();
});

test('A first start waits while another instance sets up the database, however long that takes', async () => {
  const { db, env } = await openTestDatabase();
  const url = env.DATABASE_URL ?? assert.fail('not on PostgreSQL');
  const hasty = { ...readConfig({}).database, url, statementMs: 1000 };
  const starting = new Kysely<Tables>({ dialect: postgresDialect(hasty, () => {}) });
  cleanUpAfterTest(() => starting.destroy());
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = db.transaction().execute(async (inside) => {
    await lockSetUp(inside);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const start = setUp(starting, async () => 'done');
  const waits = new Set<number>();
  const waitsAgain = eventually('it waits again', async () => {
    const { rows } = await sql<{ began: Date }>`select xact_start as began from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`.execute(db);
    for (const { began } of rows) waits.add(began.getTime());
    return waits.size > 1;
  });
  try {
    await Promise.race([waitsAgain, start]);
  } finally {
    held.resolve();
    await other;
  }
  assert.equal(await start, 'done');
});

describe('Three instances', { timeout: 480_000 }, () => {
  test('sell to one client exactly what its balance covers, however many ask at once', () => {
    const operator = operatorThat();
    const reaches = 50;
    const options = { ...served(operator, longTimeouts), balance: reaches * price };
    return withThree(options, async (instances) => {
      const answers = await Promise.all(
        range(180).map((index) => buySurely(instances[index % 3] ?? assert.fail(), aPackage)),
      );
      const sold = answers.filter(({ status }) => status === 200);
      for (const one of sold) assertSold(one);
      for (const one of answers) if (one.status !== 200) assertRefused(one, 'INSUFFICIENT_BALANCE');
      assert.deepEqual([sold.length, operator.asked.buy.length], [reaches, reaches]);
      assert.deepEqual(await moneyOf(instances[0]), { available: 0, held: 0 });
      await assertSound(instances[0].deps.db);
    });
  });

  test('sell to many clients at once without deadlocks', () => {
    const operator = operatorThat();
    return withThree(served(operator, longTimeouts), async (instances) => {
      const [first] = instances;
      const clients = await Promise.all(
        range(8).map(() => addClient(first, { balance: 20 * price })),
      );
      const answers = await Promise.all(
        range(240).map((index) => {
          const server = instances[index % 3] ?? assert.fail();
          const { token } = clients[(index * 5) % 8] ?? assert.fail();
          return buySurely(server, aPackage, { token });
        }),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 8 * 20);
      assert.equal(answers.filter(({ status }) => status === 402).length, 240 - 8 * 20);
      for (const { id } of clients) {
        assert.deepEqual(await moneyOf(first, id), { available: 0, held: 0 });
      }
      await assertSound(first.deps.db);
    });
  });

  test('enforce a client’s daily limit and its guard against repeats together', () => {
    const operator = operatorThat();
    return withThree(served(operator, longTimeouts), async (instances) => {
      const [first] = instances;
      const [limited, guarded] = [
        await addClient(first, { balance: 100 * price }),
        await addClient(first, { balance: 100 * price }),
      ];
      await updateRules(first.deps, limited.id, { dailyLimit: 7 * price });
      await updateRules(first.deps, guarded.id, { repeatSeconds: 60 });
      const many = ({ token }: { readonly token: string }) =>
        range(30).map((index) =>
          buySurely(instances[index % 3] ?? assert.fail(), aPackage, { token }),
        );
      const [days, repeats] = await Promise.all([
        Promise.all(many(limited)),
        Promise.all(many(guarded)),
      ]);
      const counted = (answers: typeof days) =>
        [200, 403, 409].map((status) => answers.filter((one) => one.status === status).length);
      assert.deepEqual(counted(days), [7, 23, 0]);
      assert.deepEqual(counted(repeats), [1, 0, 29]);
      await assertSound(first.deps.db);
    });
  });

  test('order once for a key that all of them get at once, and answer all with the same bytes', () => {
    const answer = Promise.withResolvers<void>();
    const operator = operatorThat({
      buy: async ({ ref }) => {
        await answer.promise;
        return { kind: 'done', ref };
      },
    });
    return withThree(served(operator, longTimeouts), async (instances) => {
      const keys = range(10).map(newKey);
      const asked = keys.flatMap((key) =>
        instances.flatMap((server) => [
          buy(server, aPackage, { key }),
          buy(server, aPackage, { key }),
        ]),
      );
      await untilOrdered(operator, keys.length);
      answer.resolve();
      const answers = await Promise.all(asked);
      const byPurchase = Map.groupBy(answers, ({ headers }) => headers.get('purchase-id'));
      assert.equal(byPurchase.size, keys.length);
      for (const same of byPurchase.values()) {
        assert.equal(same.length, 6);
        assert.deepEqual(new Set(same.map(({ status, text }) => `${status} ${text}`)).size, 1);
        for (const one of same) assert.equal(one.status, 200, one.text);
        const first = same.filter(({ headers }) => !headers.has('idempotent-replayed'));
        assert.equal(first.length, 1, 'all but one are repeats');
      }
      assert.equal(operator.asked.buy.length, keys.length);
      await assertSound(instances[0].deps.db);
    });
  });

  test('refuse a key with other fields, whichever instance had it first', () =>
    withThree(served(operatorThat()), async ([first, second]) => {
      const key = newKey();
      assertSold(await buy(first, aPackage, { key }));
      const other = { ...aPackage, webservice_code: 'another' };
      assertRefused(await buy(second, other, { key }), 'IDEMPOTENCY_KEY_REUSED');
    }));
});

test('A dead instance’s purchases are taken over by another within 30 seconds', async () => {
  const [clock, frozen] = [manualClock(), manualClock()];
  const silent = operatorThat({ buy: () => new Promise(() => {}), deadlineMs: 15_000 });
  const dead = await startServer({ products: catalogue, clock: frozen, ...served(silent) });
  const key = newKey();
  const waiting = buy(dead, aPackage, { key });
  await untilOrdered(silent, 1);
  // Its clock never moves: it neither inquires nor settles any more.
  const living = operatorThat({ status: async (ref) => ({ kind: 'done', ref }) });
  const heir = await startBeside(dead, { clock, ...served(living) });
  const taken = async (): Promise<boolean> => (await moneyOf(heir)).held === 0;
  await clock.advance(15_000);
  assert.equal(await taken(), false, 'not while it may still be working');
  await clock.advance(15_000);
  await eventually('it is settled', taken);
  assert.deepEqual([silent.asked.buy.length, living.asked.buy.length], [1, 0], 'ordered once');
  const repeated = await buy(heir, aPackage, { key });
  assertSold(repeated, true);
  // It was not dead but suspended: its knowledge is outdated, and it changes nothing any more.
  await frozen.advance(60_000);
  const late = await waiting;
  assert.deepEqual([late.status, late.text], [repeated.status, repeated.text]);
  assert.equal(silent.asked.buy.length, 1);
  await assertSound(heir.deps.db);
  await heir.stop();
  await dead.stop();
});
