/** Tests that a hanging operator affects no other, and that nothing is lost when it comes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { Connection, Connector } from '../../src/connector/connector.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import {
  aPackage,
  assertSold,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  newKey,
  operatorThat,
  purchaseDefaults,
  sold,
} from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

const never = <T>(): Promise<T> => new Promise(() => {});

type Hanging = {
  readonly connector: Connector;
  /** The orders it received. */
  readonly ordered: () => number;
  readonly comeBack: () => void;
};

/** Answers nothing at all, neither orders nor inquiries, until it comes back; then it knows no order. */
const hangingOperator = (): Hanging => {
  let hangs = true;
  const answer = <T>(value: T): Promise<T> => (hangs ? never() : Promise.resolve(value));
  const { connector, asked } = operatorThat(
    {
      buy: ({ ref }) => answer({ kind: 'done', ref }),
      status: () => answer({ kind: 'not_found' }),
      deadlineMs: 300,
    },
    {
      settlesWithin: 0,
      inquiries: { firstInquiryMs: 50, widestInquiryMs: 200, reviewAfterMs: 600_000 },
    },
  );
  return {
    connector: { ...connector, name: 'hanging' },
    ordered: () => asked.buy.length,
    comeBack: () => {
      hangs = false;
    },
  };
};

/** Sells at once, except for one number: its outcome is known only by inquiry. */
const forgetful = '989123456788';
const healthyOperator = (): Connector => {
  const status: Connection['status'] = async (ref) => ({ kind: 'done', ref });
  return operatorThat(
    {
      buy: async ({ ref, mobile }) =>
        mobile === forgetful ? { kind: 'unknown', detail: 'lost' } : { kind: 'done', ref },
      status,
    },
    { inquiries: { firstInquiryMs: 50, widestInquiryMs: 200, reviewAfterMs: 600_000 } },
  ).connector;
};

const ofTheHealthy: Fields = { ...aPackage, product_id: sold.tdLte };
const defaults = readConfig({});

const withOperators = async (
  hanging: Hanging,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer({
    products: catalogue,
    balance: 100_000_000,
    connectors: [hanging.connector, healthyOperator()],
    config: {
      operators: [
        { id: 1, name: 'operator_1', connector: 'hanging', settings: {} },
        { id: 2, name: 'operator_2', connector: 'test', settings: {} },
      ],
      // The others' sales take less than this even on a busy machine.
      purchases: { ...purchaseDefaults, pendingAfterMs: 5000, sendWithinMs: 4000 },
      limits: { ...defaults.limits, purchasesPerOperator: 60, purchases: 80 },
      breaker: { ...defaults.breaker, pauseMs: 600_000 },
    },
  });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

test('an operator hangs: the others sell, theirs are recovered, and all of its own end when it is back', async () => {
  const hanging = hangingOperator();
  await withOperators(hanging, async (server) => {
    const keys = Array.from({ length: 100 }, newKey);
    const send = (key: string): Promise<Answer> => buy(server, aPackage, { key });
    const first = await Promise.all(keys.map(send));
    const begun = first.filter(({ status }) => status === 202).length;
    assert.ok(begun > 0);
    for (const { status } of first) assert.ok(status === 202 || status === 503);
    assert.equal((await moneyOf(server)).held, 10_000 * begun);
    await eventually('it is paused', async () => {
      const { body } = await buy(server, aPackage);
      return at(body, 'code') === 'OPERATOR_UNAVAILABLE';
    });

    const others = await Promise.all(Array.from({ length: 50 }, () => buy(server, ofTheHealthy)));
    for (const answer of others) assertSold(answer);
    const lost = newKey();
    const lostFields = { ...ofTheHealthy, mobile: forgetful };
    await eventually('what the healthy one lost is found by inquiry', async () => {
      const answer = await buy(server, lostFields, { key: lost });
      return answer.status === 200;
    });
    const tried = hanging.ordered();
    for (let count = 0; count < 50; count += 1) await buy(server, aPackage);
    assert.equal(hanging.ordered(), tried, 'and the hanging one is left alone');

    hanging.comeBack();
    await eventually('every key of it ends', async () => {
      const answers = await Promise.all(keys.map(send));
      return answers.every(({ status }) => status === 200 || status === 422);
    });
    assert.equal((await moneyOf(server)).held, 0);
    const { db } = server.deps;
    assert.deepEqual((await verifyLedger(db)).problems, []);
    assert.deepEqual((await verifyPurchases(db)).problems, []);
    assertSold(await buy(server, aPackage));
  });
});
