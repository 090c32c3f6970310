/** Tests on PostgreSQL that a locked row affects its own client only, and that nothing false is recorded. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { openAccount, writePostings } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { BeginItem } from '../../src/purchases/commit/begin.ts';
import { createTransact, type Patience } from '../../src/purchases/commit/transact.ts';
import { errorFact } from '../../src/purchases/facts/facts.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import {
  aPackage,
  assertRefused,
  assertSold,
  buy,
  catalogue,
  longTimeouts,
  operatorThat,
  served,
} from '../contract/buying.ts';
import { updateRules } from '../support/clients.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/live.ts';
import { readFigures } from '../support/metrics.ts';
import { price, purchaseRequestOf, termsOfWorld } from '../support/purchase-world.ts';
import {
  type Answer,
  addClient,
  request,
  type StartedServer,
  startServer,
} from '../support/server.ts';

const timeout = 120_000;
const metricsToken = 'a-token-for-the-metrics-alone';

/** Locks rows from outside until the returned function releases them. */
const lockRows = async (
  url: string | undefined,
  table: 'accounts' | 'purchases' | 'client_days',
  where: { readonly column: string; readonly is: string },
): Promise<() => Promise<void>> => {
  const holder = new pg.Client({ connectionString: url ?? assert.fail('not on PostgreSQL') });
  await holder.connect();
  await holder.query('begin');
  const text = `select 1 from ${table} where ${where.column} = $1 for update`;
  const { rowCount } = await holder.query(text, [where.is]);
  assert.equal(rowCount, 1, `one row of ${table} is locked`);
  return async () => {
    await holder.query('rollback');
    await holder.end();
  };
};

// How many purchases wait for an account that is known to stay locked.
const laneOf = 16;

const withServer = async (
  operator: ReturnType<typeof operatorThat>,
  work: (server: StartedServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer({
    engine: 'postgres',
    products: catalogue,
    ...served(operator, {
      ...longTimeouts,
      metrics: { host: '127.0.0.1', token: metricsToken },
    }),
  });
  try {
    await work(server);
    const { db } = server.deps;
    assert.deepEqual((await verifyLedger(db)).problems, []);
    assert.deepEqual((await verifyPurchases(db)).problems, []);
  } finally {
    await server.stop();
  }
};

/** An operator that delivers every order once the test lets it answer. */
const operatorThatWaits = () => {
  const told = Promise.withResolvers<void>();
  const operator = operatorThat({
    buy: async ({ ref }) => {
      await told.promise;
      return { kind: 'done', ref };
    },
    status: async () => ({ kind: 'done', ref: 'receipt' }),
  });
  return { operator, answer: told.resolve };
};

const statesOf = async ({ deps }: StartedServer, clientId: string): Promise<string[]> => {
  const rows = await deps.db
    .selectFrom('purchases')
    .select('state')
    .where('client_id', '=', clientId)
    .execute();
  return rows.map(({ state }) => state);
};

describe('A locked account', { concurrency: false, timeout }, () => {
  test('leaves all other clients sold, and its own client’s key free to be retried', async () => {
    await withServer(operatorThat(), async (server) => {
      const { id, token } = await addClient(server, { balance: 10_000_000 });
      const all: Promise<Answer>[] = [];
      const ended: { readonly key: string; readonly answer: Answer }[] = [];
      const unlock = await lockRows(server.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: id,
      });
      try {
        const buyAs = (key: string): Promise<Answer> =>
          buy(server, aPackage, { key, token }).then((answer) => {
            ended.push({ key, answer });
            return answer;
          });
        const told = (): string[] => server.logged.filter((line) => line.includes('locked'));
        const own = [buyAs('locked-first')];
        // From then on it is known that the row stays locked.
        await eventually('the log shows it', async () => told().length > 0);
        for (let index = 0; index < laneOf + 2; index += 1) own.push(buyAs(`locked-${index}`));
        const neighbours = await Promise.all(
          Array.from({ length: 8 }, () => buy(server, aPackage)),
        );
        for (const answer of neighbours) assertSold(answer);
        await eventually('more than a lane takes are refused', async () => ended.length === 3);
        for (const { answer } of ended) assertRefused(answer, 'OVERLOADED');
        assertSold(await buy(server, aPackage));
        assert.equal((await request(server, '/health/ready')).status, 200);
        assert.deepEqual(await statesOf(server, id), [], 'nothing is recorded');
        assert.equal(told().length, 1, 'one line, however often it is met');
        const scraped = await request(server, '/metrics', { token: metricsToken });
        const figures = readFigures(scraped.text);
        assert.equal(figures.of('simgate_locked_rows_total', { batch: 'begin' }), 1);
        all.push(...own);
      } finally {
        await unlock();
      }
      const answers = await Promise.all(all);
      assert.equal(answers.filter(({ status }) => status === 200).length, laneOf);
      const [refused] = ended;
      assertSold(await buy(server, aPackage, { key: refused?.key ?? null, token }));
      assert.equal((await statesOf(server, id)).length, laneOf + 1);
    });
  });

  test('blocks no purchase of another client', async () => {
    const { operator, answer } = operatorThatWaits();
    await withServer(operator, async (server) => {
      const { id, token } = await addClient(server, { balance: 1_000_000 });
      const own = buy(server, aPackage, { token });
      const others = [buy(server, aPackage), buy(server, aPackage)];
      await eventually('three are ordered', async () => operator.asked.buy.length === 3);
      const unlock = await lockRows(server.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: id,
      });
      try {
        answer();
        for (const answer of await Promise.all(others)) assertSold(answer);
        assert.deepEqual(await statesOf(server, id), ['submitted']);
      } finally {
        await unlock();
      }
      assertSold(await own);
    });
  });
});

describe('Another locked row', { concurrency: false, timeout }, () => {
  test('of a purchase blocks no other purchase, and the purchase itself only for a time', async () => {
    const { operator, answer } = operatorThatWaits();
    await withServer(operator, async (server) => {
      const all = ['one', 'two', 'three'].map((key) => buy(server, aPackage, { key }));
      await eventually('three are ordered', async () => operator.asked.buy.length === 3);
      const [first] = operator.asked.buy;
      const unlock = await lockRows(server.env.DATABASE_URL, 'purchases', {
        column: 'id',
        is: first?.ref ?? assert.fail(),
      });
      try {
        answer();
        await eventually('two are sold', async () => {
          const states = await statesOf(server, server.client.id);
          return states.filter((state) => state === 'succeeded').length === 2;
        });
        assertSold(await buy(server, aPackage));
      } finally {
        await unlock();
      }
      for (const answer of await Promise.all(all)) assertSold(answer);
    });
  });

  test('that was not locked beforehand affects only its own client, too', async () => {
    await withServer(operatorThat(), async (server) => {
      const { id, token } = await addClient(server, { balance: 1_000_000 });
      await updateRules(server.deps, id, { dailyLimit: 500_000 });
      await eventually('the limit counts', async () => {
        assertSold(await buy(server, aPackage, { token }));
        const days = await server.deps.db.selectFrom('client_days').select('client_id').execute();
        return days.length > 0;
      });
      const row = { column: 'client_id', is: id };
      const locked: Promise<Answer>[] = [];
      const unlock = await lockRows(server.env.DATABASE_URL, 'client_days', row);
      try {
        locked.push(buy(server, aPackage, { token }));
        const neighbours = await Promise.all(
          Array.from({ length: 4 }, () => buy(server, aPackage)),
        );
        for (const answer of neighbours) assertSold(answer);
      } finally {
        await unlock();
      }
      for (const answer of await Promise.all(locked)) assertSold(answer);
    });
  });
});

describe('A batch with a locked account', { concurrency: false, timeout }, () => {
  const patience: Patience = { batchMs: 20, laneMs: 40, longestMs: 0, lanes: 1 };

  const withDatabase = async (work: (database: TestDatabase) => Promise<void>): Promise<void> => {
    const database = await openTestDatabase('postgres');
    try {
      await work(database);
    } finally {
      await database.close();
    }
  };

  const addRow = async ({ db }: TestDatabase, id: string): Promise<void> => {
    const row = { id, name: id, status: 'active', created_at: 0, test: 0 } as const;
    await db.insertInto('clients').values(row).execute();
  };

  const addAccount = async (database: TestDatabase, id: string): Promise<void> => {
    await addRow(database, id);
    await openAccount(database.db, id);
    await writePostings(database.db, id, [{ kind: 'deposit', amount: 10 * price }], 0);
  };

  const itemOf = (clientId: string, more: Partial<BeginItem> = {}): BeginItem => ({
    requested: purchaseRequestOf({ clientId, id: `${clientId} purchase` }),
    decision: { kind: 'order', terms: termsOfWorld },
    ...more,
  });

  const transactOn = (
    { db }: TestDatabase,
    more: Partial<Patience> = {},
    onLocked: () => void = () => {},
  ) =>
    createTransact({
      db,
      databaseTime: async () => 1000,
      clock: systemClock,
      patience: { ...patience, ...more },
      onLocked,
    });

  test('distinguishes a missing account from a locked one', async () => {
    await withDatabase(async (database) => {
      await addAccount(database, 'locked');
      await addAccount(database, 'free');
      await addRow(database, 'without account');
      const unlock = await lockRows(database.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: 'locked',
      });
      const { begin } = transactOn(database);
      const [locked, free, without] = await Promise.allSettled(
        ['locked', 'free', 'without account'].map((id) => begin(itemOf(id))),
      );
      await unlock();
      assert.ok(locked?.status === 'fulfilled');
      assert.equal(locked.value.rejection?.code, 'OVERLOADED');
      assert.ok(free?.status === 'fulfilled');
      assert.equal(free.value.purchase.state, 'submitted');
      assert.ok(without?.status === 'rejected');
      assert.match(String(without.reason), /There is no account of client without account/);
    });
  });

  test('does not deny what an earlier attempt may have committed', async () => {
    await withDatabase(async (database) => {
      await addAccount(database, 'locked');
      const unlock = await lockRows(database.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: 'locked',
      });
      const { begin } = transactOn(database);
      const [tried] = await Promise.allSettled([begin(itemOf('locked', { mayBeWritten: true }))]);
      await unlock();
      assert.ok(tried?.status === 'rejected');
      assert.match(String(tried.reason), /have the rows of purchase locked purchase locked/);
    });
  });

  test('of the only client waits for the lock, and then takes its step', async () => {
    await withDatabase(async (database) => {
      await addAccount(database, 'locked');
      const { begin, advance } = transactOn(database, { laneMs: 20_000 });
      const { purchase } = await begin(itemOf('locked'));
      const unlock = await lockRows(database.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: 'locked',
      });
      const report = { kind: 'delivered', ref: 'receipt', at: 1 } as const;
      const move = { kind: 'report', report, supplierId: 1, seenNotes: 0 } as const;
      const moving = advance({ name: purchase, fence: 'any', seen: purchase, move });
      // Until it has moved from the batch to its lane.
      const waitsInLane = sql<{ lane: boolean }>`select exists (
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like '%20000%') as lane`;
      try {
        await eventually('it waits in its lane', async () => {
          const { rows } = await waitsInLane.execute(database.db);
          return rows[0]?.lane === true;
        });
      } finally {
        await unlock();
      }
      assert.ok((await moving).moved);
    });
  });

  test('keeps the answer to an order until the lock is gone: the operator may not repeat it', async () => {
    await withDatabase(async (database) => {
      await addAccount(database, 'locked');
      const met = Promise.withResolvers<void>();
      const { begin, advance } = transactOn(database, { longestMs: timeout }, () => met.resolve());
      const { purchase } = await begin(itemOf('locked'));
      const unlock = await lockRows(database.env.DATABASE_URL, 'accounts', {
        column: 'client_id',
        is: 'locked',
      });
      const outcome = {
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'barred',
      } as const;
      const context = {
        terms: termsOfWorld,
        chance: 0,
        refusal: { code: 'OPERATOR_DECLINED' },
      } as const;
      const settling = advance({
        name: purchase,
        fence: 1,
        seen: purchase,
        move: { kind: 'order', outcome, context },
      });
      try {
        await Promise.race([met.promise, settling]);
      } finally {
        await unlock();
      }
      const { state, reason } = (await settling).purchase;
      assert.deepEqual([state, reason], ['failed', errorFact('OPERATOR_DECLINED')]);
    });
  });

  test('or with a locked purchase takes the steps of all other clients while that one waits', async () => {
    await withDatabase(async (database) => {
      await addAccount(database, 'a');
      await addAccount(database, 'b');
      // Longer than the test holds the lock, however slow the machine is.
      const { begin, advance } = transactOn(database, { laneMs: 20_000 });
      const requests = ['a 1', 'b 1', 'b 2'].map((id) =>
        purchaseRequestOf({ clientId: id[0] ?? '', id }),
      );
      const begun = await Promise.all(
        requests.map((requested) => begin({ ...itemOf(requested.clientId), requested })),
      );
      const row = { column: 'id', is: 'a 1' };
      const unlock = await lockRows(database.env.DATABASE_URL, 'purchases', row);
      const report = { kind: 'delivered', ref: 'receipt', at: 1 } as const;
      const [locked, ...others] = begun.map(({ purchase }) =>
        advance({
          name: purchase,
          fence: 'any',
          seen: purchase,
          move: { kind: 'report', report, supplierId: 1, seenNotes: 0 },
        }),
      );
      let waits = true;
      void locked?.finally(() => (waits = false)).catch(() => {});
      const moved = (results: readonly { readonly moved: boolean }[]): boolean[] =>
        results.map((one) => one.moved);
      try {
        assert.deepEqual(moved(await Promise.all(others)), [true, true]);
        assert.ok(waits, 'the step of the locked one is still pending');
      } finally {
        await unlock();
      }
      assert.deepEqual(moved([(await locked) ?? assert.fail()]), [true]);
    });
  });
});
