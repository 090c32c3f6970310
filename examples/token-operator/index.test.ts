/** Tests that the connector for Poplar Hub keeps a connector's promises, and reads answers and callbacks safely. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type {
  CallbackOutcome,
  Connection,
  Order,
  StatusOutcome,
  WireAnswer,
} from 'simgate/connector';
import {
  connectorSuite,
  inquireAt,
  maskSettings,
  openConnection,
  sleep,
  systemClock,
  type TestBed,
  wireSuite,
} from 'simgate/connector-suite';
import { type FakeOperator, partner, signatureOf, startFakeOperator } from './fake-operator.ts';
import { poplarHub } from './index.ts';
import { orderText, readCallback, readOrder, readStatus } from './wire.ts';

// Every lost answer takes it all; and what is answered must be by then, on a busy machine too.
const answerMs = 3_000;
const slack = 30_000;

const connectWith = (
  operator: Pick<FakeOperator, 'url'>,
  more: Readonly<Record<string, unknown>> = {},
): Connection =>
  openConnection(poplarHub, {
    ...partner,
    baseUrl: operator.url,
    tokenUrl: `${operator.url}/auth`,
    ...more,
  });

const mobileEnding = (digits: string): string => `9891200000${digits}`;

const openBed = async (): Promise<TestBed> => {
  const operator = await startFakeOperator();
  const connection = connectWith(operator, { answerMs });
  return {
    // Ours shows an order at once, and a test need not wait for the 30 seconds of the document.
    connector: { ...poplarHub, settlesWithin: 0 },
    connection,
    deadline: connection.deadlineMs,
    slack,
    clock: systemClock,
    wait: (ms) => sleep(systemClock, ms),
    deliveries: (ref) => operator.deliveries.filter((one) => one === ref).length,
    mobiles: {
      success: mobileEnding('12'),
      declined: mobileEnding('90'),
      notSubscriber: mobileEnding('91'),
      answerLost: mobileEnding('93'),
      requestLost: mobileEnding('94'),
      nonsense: mobileEnding('96'),
    },
    end: operator.close,
  };
};

const ref = '0194b7f0-5a3c-7e1d-8f00-0123456789ab';
const order: Order = { ref, mobile: mobileEnding('12'), amount: 33_000, productId: 1001 };

let shared: FakeOperator;
before(async () => {
  shared = await startFakeOperator();
  // The first exchange of a process is its slowest, and none of the suite's to wait for.
  const connection = connectWith(shared);
  assert.equal((await connection.buy(order)).kind, 'done');
  await connection.close();
});
after(() => shared.close());

connectorSuite({ name: 'poplar-hub', open: openBed });
// What its wire does to orders; the sign-in service is another one, and well.
wireSuite({ name: 'poplar-hub', open: (wire) => connectWith(shared, wire) });

const answer = (values: unknown, status = 200, contentType = 'application/json'): WireAnswer => ({
  kind: 'answer',
  status,
  contentType,
  text: typeof values === 'string' ? values : JSON.stringify(values),
});

const kindOf = (outcome: StatusOutcome): string =>
  outcome.kind === 'refused' ? `refused ${outcome.code}, ${outcome.blame}` : outcome.kind;

const state = (values: object): WireAnswer => answer({ reference: ref, ...values });

describe('Poplar Hub', () => {
  test('every answer to an order has its meaning, and any other is unknown', () => {
    const meanings: readonly (readonly [WireAnswer, string])[] = [
      [state({ state: 'delivered', receipt: 'PH-7' }), 'done'],
      [state({ state: 'delivered' }), 'unknown'],
      [state({ state: 'delivered', receipt: null }), 'unknown'],
      [state({ state: 'accepted' }), 'unknown'],
      [state({ state: 'rejected', reason: 'barred' }), 'refused declined, subscriber'],
      [state({ state: 'rejected' }), 'unknown'],
      [state({ state: 'reversed' }), 'unknown'],
      [state({ state: 'Delivered', receipt: 'PH-7' }), 'unknown'],
      [
        answer({ reference: ref, error: 'unknown_subscriber' }, 422),
        'refused not_subscriber, subscriber',
      ],
      [answer({ reference: ref, error: 'wrong_sim' }, 422), 'refused wrong_sim_type, subscriber'],
      [answer({ reference: ref, error: 'no_funds' }, 422), 'refused out_of_funds, supplier'],
      [answer({ reference: ref, error: 'new_error' }, 422), 'unknown'],
      [answer({ error: 'barred' }, 422), 'unknown'],
      [answer({ reference: ref, error: 'barred' }, 400), 'unknown'],
      [answer({ error: 'token_expired' }, 401), 'refused declined, supplier'],
      [answer({ error: 'other' }, 401), 'unknown'],
      [answer({ error: 'token_expired' }, 401, 'text/html'), 'unknown'],
      [answer({ error: 'token_expired' }, 403), 'unknown'],
      [answer({ reference: ref, error: 'no_such_order' }, 404), 'unknown'],
      [answer({ reference: 'another', state: 'delivered', receipt: 'PH-7' }), 'unknown'],
      [state({ state: 'delivered', receipt: 'PH-7' }), 'done'],
      [answer('[]'), 'unknown'],
      [answer('null'), 'unknown'],
      [answer('{'), 'unknown'],
    ];
    for (const [one, meaning] of meanings) {
      assert.equal(kindOf(readOrder(one, ref)), meaning, one.text);
    }
  });

  test('every answer to an inquiry has its meaning, and any other is unknown', () => {
    const meanings: readonly (readonly [WireAnswer, string])[] = [
      [state({ state: 'delivered', receipt: 'PH-7' }), 'done'],
      [state({ state: 'accepted' }), 'pending'],
      [state({ state: 'rejected', reason: 'barred' }), 'refused declined, subscriber'],
      [answer({ reference: ref, error: 'no_such_order' }, 404), 'not_found'],
      [answer({ reference: 'another', error: 'no_such_order' }, 404), 'unknown'],
      [answer({ error: 'no_such_order' }, 404), 'unknown'],
      [answer('<p>Not found</p>', 404, 'text/html'), 'unknown'],
      [answer({ reference: ref, error: 'barred' }, 422), 'unknown'],
      [answer({ error: 'token_expired' }, 401), 'unknown'],
    ];
    for (const [one, meaning] of meanings) {
      assert.equal(kindOf(readStatus(one, ref)), meaning, one.text);
    }
    assert.deepEqual(
      readStatus(state({ state: 'reversed', changed_at: '2026-01-31T09:30:00Z' }), ref),
      { kind: 'reversed', at: Date.UTC(2026, 0, 31, 9, 30) },
    );
  });

  test('an answer that is cut off anywhere is unknown', () => {
    const { text } = answer({ reference: ref, error: 'barred' }, 422);
    for (let end = 0; end < text.length; end += 1) {
      assert.equal(readOrder(answer(text.slice(0, end), 422), ref).kind, 'unknown');
    }
  });

  test('what does not fit into their fields is refused and never sent', () => {
    const unfit: readonly Partial<Order>[] = [
      { mobile: '09120000012' },
      { ref: '../orders' },
      { ref: '' },
      { amount: 0 },
      { profileId: '' },
      { profileId: 'x'.repeat(41) },
    ];
    for (const more of unfit) {
      assert.ok(typeof orderText({ ...order, ...more }) !== 'string', JSON.stringify(more));
    }
  });

  test('the secrets are masked', () => {
    const { clientSecret, callbackKey } = maskSettings(poplarHub, partner);
    assert.deepEqual([clientSecret, callbackKey], ['***', '***']);
  });
});

const withPoplar = async (
  work: (operator: FakeOperator, connection: Connection) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const operator = await startFakeOperator();
  const connection = connectWith(operator, settings);
  try {
    await work(operator, connection);
  } finally {
    await connection.close();
    await operator.close();
  }
};

const numbered = (count: number): Order[] =>
  Array.from({ length: count }, (_, nth) => ({ ...order, ref: `order-${nth}` }));

describe('The token of Poplar Hub', () => {
  test('is fetched once for many orders', () =>
    withPoplar(async (operator, connection) => {
      await Promise.all(numbered(10).map((one) => connection.buy(one)));
      assert.deepEqual([operator.tokens(), operator.deliveries.length], [1, 10]);
    }));

  test('that has ended early is renewed once for all, and every order is delivered once', () =>
    withPoplar(async (operator, connection) => {
      await connection.buy(order);
      operator.endTokens();
      const bought = await Promise.all(numbered(10).map((one) => connection.buy(one)));
      assert.ok(bought.every(({ kind }) => kind === 'done'));
      assert.equal(operator.tokens(), 2);
      assert.equal(new Set(operator.deliveries).size, 11);
      assert.equal(operator.deliveries.length, 11);
    }));

  test('that cannot be had leaves an order for sure unsent, and an inquiry unknown', () =>
    withPoplar(
      async (operator, connection) => {
        const outcome = await connection.buy(order);
        assert.equal(kindOf(outcome), 'refused unreachable, supplier');
        assert.equal((await inquireAt(connection, ref)).kind, 'unknown');
        assert.deepEqual(operator.deliveries, []);
      },
      { clientSecret: 'wrong' },
    ));

  test('that is refused and not replaced refuses the order by their word', () =>
    withPoplar(async (operator, connection) => {
      await connection.buy(order);
      operator.endTokens(false);
      const outcome = await connection.buy({ ...order, ref: 'second' });
      assert.equal(kindOf(outcome), 'refused declined, supplier');
      assert.equal((await inquireAt(connection, ref)).kind, 'unknown');
      assert.deepEqual(operator.deliveries, [ref]);
    }));
});

const seconds = 1_769_851_800;

/** What is read in a callback; as it should be, unless told otherwise. */
const callback = (
  body: string,
  { header = signatureOf(body, seconds), at = seconds }: { header?: string; at?: number } = {},
): CallbackOutcome =>
  readCallback(
    {
      method: 'POST',
      query: '',
      headers: { 'poplar-signature': header },
      body: Buffer.from(body),
      receivedAt: at * 1000,
    },
    partner.callbackKey,
  );

const delivered = JSON.stringify({ reference: ref, state: 'delivered', receipt: 'PH-7' });

describe('A callback of Poplar Hub', () => {
  test('that is signed says what became of an order', () => {
    assert.deepEqual(callback(delivered), {
      kind: 'statements',
      statements: [{ ref, outcome: { kind: 'done', ref: 'PH-7' } }],
    });
    const rejected = JSON.stringify({ reference: ref, state: 'rejected', reason: 'barred' });
    const read = callback(rejected);
    assert.ok(read.kind === 'statements');
    assert.equal(read.statements[0]?.outcome.kind, 'refused');
  });

  test('about something else says nothing final', () => {
    for (const body of ['{}', '[]', 'ping', JSON.stringify({ reference: ref, state: 'new' })]) {
      const read = callback(body);
      assert.ok(read.kind === 'statements', body);
      assert.ok(
        read.statements.every(({ outcome }) => outcome.kind === 'unknown'),
        body,
      );
    }
  });

  test('with another signature, another key, or none is rejected', () => {
    const good = signatureOf(delivered, seconds);
    const headers = [
      '',
      'v1=',
      `t=${seconds},v1=`,
      signatureOf(delivered, seconds, 'another key of theirs'),
      signatureOf(`${delivered} `, seconds),
      signatureOf(delivered, seconds + 1).replace(`t=${seconds + 1}`, `t=${seconds}`),
      good.toUpperCase(),
      `${good}00`,
      good.slice(0, -2),
    ];
    for (const header of headers)
      assert.equal(callback(delivered, { header }).kind, 'rejected', header);
  });

  test('of which one byte was changed is rejected', () => {
    const header = signatureOf(delivered, seconds);
    fc.assert(
      fc.property(
        fc.nat({ max: delivered.length - 1 }),
        fc.integer({ min: 1, max: 94 }),
        (at, by) => {
          const code = ((delivered.charCodeAt(at) - 32 + by) % 95) + 32;
          const changed =
            delivered.slice(0, at) + String.fromCharCode(code) + delivered.slice(at + 1);
          assert.equal(callback(changed, { header }).kind, 'rejected', changed);
        },
      ),
    );
  });

  test('that is older than five minutes is rejected', () => {
    assert.equal(callback(delivered, { at: seconds + 300 }).kind, 'statements');
    assert.equal(callback(delivered, { at: seconds + 301 }).kind, 'rejected');
    assert.equal(callback(delivered, { at: seconds - 301 }).kind, 'rejected');
  });

  test('is declared as final by its connector', async () => {
    const connection = connectWith(shared);
    assert.equal(connection.callbacks?.final, true);
    await connection.close();
  });
});
