/** Tests a full, read-only or locked database: no wrong answer, few log lines, and automatic recovery. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { at, listOf } from '../support/answers.ts';
import { eventually, parsed } from '../support/live.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Answer, request, type TestServer } from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertSold,
  buy,
  moneyOf,
  newKey,
  operatorThat,
  purchaseDefaults,
  recorded,
  served,
  untilOrdered,
  withServer,
} from './buying.ts';

/** Sets or reads a pragma of the server's own connection. */
const pragma = async (server: TestServer, text: string): Promise<string> => {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${text}`).execute(server.deps.db);
  return String(rows.flatMap((row) => Object.values(row)).at(-1));
};

const fileOf = async (server: TestServer): Promise<string> => pragma(server, 'database_list');

const assertSound = async (server: TestServer): Promise<void> => {
  const { db } = server.deps;
  assert.deepEqual((await verifyLedger(db)).problems, []);
  assert.deepEqual((await verifyPurchases(db)).problems, []);
};

const ready = (server: TestServer): Promise<Answer> =>
  request(server, '/health/ready', { token: null });

/** Reads are answered, and callers see what is wrong. */
const assertOnlyReads = async (server: TestServer, trouble: RegExp): Promise<void> => {
  const list = await request(server, '/api/clients/products');
  assert.equal(list.status, 200);
  assert.ok(listOf(at(list.body, 'data')).length > 0);
  const answer = await ready(server);
  assertRefused(answer, 'DATABASE_UNAVAILABLE');
  assert.match(String(at(answer.body, 'message')), trouble);
  assert.equal((await request(server, '/health/live', { token: null })).status, 200);
};

const troubleLines = (server: TestServer): unknown[] =>
  server.logged.map(parsed).filter((line) => at(line, 'level') === 'error');

const silent = operatorThat();

describe('A database that takes no more', () => {
  test('refuses with DATABASE_UNAVAILABLE, holds and records nothing, and buys under the same key when there is room', async () => {
    const purchases = { ...purchaseDefaults, pendingAfterMs: 500 };
    await withServer(
      { ...served(operatorThat(), { purchases }), balance: 100_000_000 },
      async (server) => {
        // Without the pages that migrations have freed.
        await sql.raw('vacuum').execute(server.deps.db);
        await pragma(server, `max_page_count = ${await pragma(server, 'page_count')}`);
        let [key, before, count] = [newKey(), await moneyOf(server), 0];
        let answer = await buy(server, aPackage, { key });
        // There is some room left on the last pages. If it ends between an order and its answer, that one is
        // pending.
        for (; answer.status !== 503; answer = await buy(server, aPackage, { key })) {
          assert.ok([200, 202].includes(answer.status), answer.text);
          [key, before, count] = [newKey(), await moneyOf(server), await recorded(server)];
          assert.ok(count < 1000);
        }
        assertRefused(answer, 'DATABASE_UNAVAILABLE');
        assert.deepEqual(await moneyOf(server), before);
        assert.equal(await recorded(server), count);
        await assertOnlyReads(server, /full/);
        const more = await Promise.all(Array.from({ length: 40 }, () => buy(server, aPackage)));
        for (const one of more) assertRefused(one, 'DATABASE_UNAVAILABLE');
        const lines = troubleLines(server);
        assert.ok(lines.length > 0 && lines.length < 10, `${lines.length} lines`);
        for (const line of lines) assert.match(String(at(line, 'trouble')), /full/);
        await pragma(server, 'max_page_count = 1000000');
        assertSold(await buy(server, aPackage, { key }));
        await eventually('it is ready', async () => (await ready(server)).status === 200);
        await assertSound(server);
      },
    );
  });
});

describe('A database that can only be read', () => {
  test('refuses new purchases, and answers finished keys', async () => {
    await withServer(served(silent), async (server) => {
      const [done, key] = [newKey(), newKey()];
      const first = await buy(server, aPackage, { key: done });
      await pragma(server, 'query_only = on');
      assertRefused(await buy(server, aPackage, { key }), 'DATABASE_UNAVAILABLE');
      assert.equal((await buy(server, aPackage, { key: done })).text, first.text);
      await assertOnlyReads(server, /only be read/);
      await pragma(server, 'query_only = off');
      assertSold(await buy(server, aPackage, { key }));
      await assertSound(server);
    });
  });

  test('answers 202 to what had been ordered, and settles it when it can be written again', async () => {
    const answered = Promise.withResolvers<void>();
    const operator = operatorThat({
      buy: async ({ ref }) => {
        await answered.promise;
        return { kind: 'done', ref };
      },
      status: async (ref) => ({ kind: 'done', ref }),
      deadlineMs: 1000,
    });
    const purchases = { ...purchaseDefaults, sendWithinMs: 5000, pendingAfterMs: 1500 };
    await withServer(served(operator, { purchases }), async (server) => {
      const key = newKey();
      const buying = buy(server, aPackage, { key });
      await untilOrdered(operator, 1);
      await pragma(server, 'query_only = on');
      answered.resolve();
      assertRefused(await buying, 'TRANSACTION_PENDING');
      assertRefused(await buy(server, aPackage, { key }), 'TRANSACTION_PENDING');
      assert.equal((await moneyOf(server)).held, 10_000);
      await pragma(server, 'query_only = off');
      await eventually('it is sold', async () => {
        const answer = await buy(server, aPackage, { key });
        return answer.status === 200;
      });
      assert.equal(operator.asked.buy.length, 1);
      assert.equal((await moneyOf(server)).held, 0);
      await assertSound(server);
    });
  });
});

test('a token’s last use is remembered until it can be written', async () => {
  const clock = manualClock();
  await withServer({ ...served(silent), clock }, async (server) => {
    const lastUse = async (): Promise<unknown> => {
      const row = await server.deps.db
        .selectFrom('tokens')
        .select('last_used_at')
        .executeTakeFirst();
      return row?.last_used_at;
    };
    const used = clock.now();
    assert.equal((await request(server, '/api/clients/products')).status, 200);
    await pragma(server, 'query_only = on');
    await clock.advance(20_000);
    assert.equal(await lastUse(), null);
    await pragma(server, 'query_only = off');
    await clock.advance(20_000);
    assert.equal(await lastUse(), used);
  });
});

describe('A database that another process keeps locked', () => {
  const lockedBy = async (server: TestServer): Promise<DatabaseSync> => {
    const other = new DatabaseSync(await fileOf(server));
    other.exec('begin immediate');
    return other;
  };

  test('blocks nothing: reads are answered while purchases wait, and then these are refused', async () => {
    await withServer(served(silent), async (server) => {
      const other = await lockedBy(server);
      const key = newKey();
      let over = false;
      const buying = buy(server, aPackage, { key }).finally(() => {
        over = true;
      });
      for (let count = 0; count < 20; count += 1) {
        assert.equal((await request(server, '/api/clients/products')).status, 200);
      }
      assert.equal(over, false, 'the purchase still waits');
      assertRefused(await buying, 'DATABASE_UNAVAILABLE');
      await assertOnlyReads(server, /locked/);
      assert.deepEqual([await recorded(server), (await moneyOf(server)).held], [0, 0]);
      other.close();
      assertSold(await buy(server, aPackage, { key }));
      await assertSound(server);
    });
  });

  test('only briefly delays a purchase and nothing more', async () => {
    await withServer(served(silent), async (server) => {
      const other = await lockedBy(server);
      const buying = buy(server, aPackage);
      assert.equal((await request(server, '/api/clients/products')).status, 200);
      other.close();
      assertSold(await buying);
      assert.deepEqual(troubleLines(server), []);
    });
  });
});
