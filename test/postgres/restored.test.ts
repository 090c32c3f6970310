/** Tests that a restored PostgreSQL database sells nothing twice, and that a restart closes nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restoreStatus } from '../../src/purchases/restored/accept.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  buy,
  catalogue,
  newKey,
  operatorThat,
  served,
  type TestOperator,
  turn,
  untilOrdered,
  untilSold,
} from '../contract/buying.ts';
import { acceptSeen } from '../support/accept.ts';
import { at } from '../support/answers.ts';
import { type Copies, openCopies } from '../support/database-copies.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  request,
  type StartedServer,
  startBeside,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

type Setting = { readonly first: StartedServer; readonly copies: Copies };

/** A gateway on a database that can be restored beneath it. */
const withCopies = async (
  options: TestOptions,
  work: (setting: Setting) => Promise<void>,
): Promise<void> => {
  const first = await startServer({ products: catalogue, ...options });
  const copies = await openCopies(first.env.DATABASE_URL ?? assert.fail('no PostgreSQL'));
  try {
    await work({ first, copies });
  } finally {
    await first.stop();
    await copies.remove();
  }
};

/** Runs another instance beside the first. */
const withBeside = async (
  first: StartedServer,
  options: TestOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startBeside(first, options);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

const statusOf = async ({ deps }: TestServer) =>
  (await restoreStatus(deps.db)) ?? assert.fail('it was never restored');

const untilClosed = (server: TestServer, cause: string): Promise<void> =>
  eventually(`it is closed: ${cause}`, async () => {
    // Connections that were cut fail once.
    const status = await restoreStatus(server.deps.db).catch(() => undefined);
    return status?.restore.opened_at === null && status.restore.cause === cause;
  });

/** Advances a clock until an answer has come. */
const winding = async (clock: ManualClock, answer: Promise<Answer>): Promise<Answer> => {
  const seen = { answered: false };
  const settled = answer.finally(() => {
    seen.answered = true;
  });
  while (!seen.answered) {
    await clock.advance(50);
    await turn();
  }
  return settled;
};

const timeless = { timeout: 480_000 };

describe('A restored database', timeless, () => {
  test('sells nothing to a server that starts on it, and an earlier key is not sold again', async () => {
    const operator = operatorThat();
    // The first server's clock never moves: it only keeps the database, and notices nothing.
    const asleep = { ...served(operator), clock: manualClock() };
    await withCopies(asleep, async ({ first, copies }) => {
      const [key, known] = [newKey(), newKey()];
      const kept: string[] = [];
      const answers: Answer[] = [];
      await withBeside(first, served(operator), async (before) => {
        answers.push(await buy(before, aPackage, { key: known }));
        kept.push(await copies.keep());
        await untilSold(before, key);
      });
      const orders = operator.asked.buy.length;
      await copies.putBack(kept[0] ?? '');
      await withBeside(first, served(operator), async (fresh) => {
        assertRefused(await buy(fresh, aPackage, { key }), 'DATABASE_UNAVAILABLE');
        assertRepeated(await buy(fresh, aPackage, { key: known }), answers[0] ?? assert.fail());
        const ready = await request(fresh, '/health/ready', { token: null });
        assert.equal(at(ready.body, 'selling'), false);
        assert.match(String(at(ready.body, 'reason')), /The database has moved/);
        assert.equal(operator.asked.buy.length, orders);
      });
    });
  });

  test('that lacks a sale closes a running gateway, which records its key and answers it 202', async () => {
    const operator = operatorThat();
    await withCopies(served(operator), async ({ first, copies }) => {
      await withBeside(first, served(operator), async (second) => {
        assertSold(await buy(second, aPackage));
        const kept = await copies.keep();
        await untilSold(second);
        const key = newKey();
        const lost = await untilSold(first, key);
        const orders = operator.asked.buy.length;
        await copies.putBack(kept);
        await untilClosed(first, 'witness_contradicted');
        await eventually('the second instance has noticed', async () => {
          const again = await buy(second, aPackage, { key });
          return again.status === 202;
        });
        const pending = await buy(second, aPackage, { key });
        assertRefused(pending, 'TRANSACTION_PENDING');
        assert.equal(pending.headers.get('purchase-id'), lost.headers.get('purchase-id'));
        assertRefused(await buy(second, aPackage), 'DATABASE_UNAVAILABLE');
        const { forgotten } = await statusOf(first);
        const row = forgotten.find(({ ref }) => ref === lost.headers.get('purchase-id'));
        assert.deepEqual(
          [row?.client_id, row?.idempotency_key, row?.kind],
          [first.client.id, key, 'delivered'],
        );
        assert.doesNotMatch(JSON.stringify(forgotten), /989123456700/);
        assert.equal(operator.asked.buy.length, orders, 'nothing was ordered since');
        await acceptSeen(first.deps);
        await untilSold(second);
      });
    });
  });

  test('that lacks nothing is opened by the running instances', async () => {
    const operator = operatorThat();
    await withCopies(served(operator), async ({ first, copies }) => {
      await withBeside(first, served(operator), async (second) => {
        const key = newKey();
        const sold = await buy(first, aPackage, { key });
        await untilSold(second);
        await copies.putBack(await copies.keep());
        await untilSold(first);
        await untilSold(second);
        const { restore, count } = await statusOf(first);
        assert.deepEqual(
          [restore.cause, restore.changed, restore.opened_by, count],
          ['place_changed', 'database', 'simgate', 0],
        );
        const again = await buy(second, aPackage, { key });
        assert.deepEqual([again.status, again.text], [200, sold.text]);
      });
    });
  });

  test('waits for an instance that does not vouch, then asks the operators', async () => {
    const operator = operatorThat();
    const [clock, frozen] = [manualClock(), manualClock()];
    await withCopies({ ...served(operator), clock }, async ({ first, copies }) => {
      // Its clock never moves: for the others it died with the primary.
      await withBeside(first, { ...served(operator), clock: frozen }, async () => {
        assertSold(await buy(first, aPackage));
        await copies.putBack(await copies.keep());
        const refused = await winding(clock, buy(first, aPackage));
        assertRefused(refused, 'DATABASE_UNAVAILABLE');
        await clock.advance(20_000);
        assert.equal((await statusOf(first)).restore.cause, 'place_changed');
        await clock.advance(20_000);
        const { restore } = await statusOf(first);
        assert.deepEqual([restore.cause, restore.opened_at], ['witness_missing', null]);
        assertRefused(await buy(first, aPackage), 'DATABASE_UNAVAILABLE');
      });
    });
  });

  test('that lacks a purchase with an order in flight answers it 202 and records its end', async () => {
    const answer = Promise.withResolvers<void>();
    const operator: TestOperator = operatorThat({
      buy: async ({ ref }) => {
        await answer.promise;
        return { kind: 'done', ref };
      },
      deadlineMs: 60_000,
    });
    await withCopies(served(operator), async ({ first, copies }) => {
      const kept = await copies.keep();
      await eventually(
        'it reaches its database',
        async () => (await request(first, '/api/clients/products')).status === 200,
      );
      const key = newKey();
      const waiting = buy(first, aPackage, { key });
      await untilOrdered(operator, 1);
      await copies.putBack(kept);
      await untilClosed(first, 'witness_contradicted');
      answer.resolve();
      const pending = await waiting;
      assertRefused(pending, 'TRANSACTION_PENDING');
      const id = pending.headers.get('purchase-id');
      await eventually('its end is recorded', async () =>
        (await statusOf(first)).forgotten.some(
          ({ ref, kind }) => ref === id && kind === 'delivered',
        ),
      );
      const again = await buy(first, aPackage, { key });
      assertRefused(again, 'TRANSACTION_PENDING');
      assert.equal(again.headers.get('purchase-id'), id);
      assert.equal(operator.asked.buy.length, 1);
    });
  });
});
