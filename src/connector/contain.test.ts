/** Tests that a connector that throws, hangs or lies harms only its own operator. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { Connection } from './connector.ts';
import { type CallFault, checkedConnection } from './contain.ts';
import { inquireAt } from './suite/inquire-at.ts';

const order = { ref: 'ours', mobile: '989120000012', amount: 5, productId: 1 };

const isTakenFor = (value: object): value is Connection => 'buy' in value;

/** A connection of untyped code: every call runs `work`. */
const doing = (work: () => unknown, more: object = {}): Connection => {
  const names = ['buy', 'status', 'offers', 'subscriber', 'reports', 'balance', 'close'];
  const all = Object.fromEntries(names.map((name) => [name, work]));
  const connection = { buy: work, ...all, deadlineMs: 1000, ...more };
  assert.ok(isTakenFor(connection));
  return connection;
};

const calls: Readonly<Record<string, (connection: Connection) => Promise<unknown> | undefined>> = {
  buy: (connection) => connection.buy(order),
  status: (connection) => inquireAt(connection, 'ours'),
  offers: (connection) => connection.offers?.(order.mobile),
  subscriber: (connection) => connection.subscriber?.(order.mobile),
  reports: (connection) => connection.reports?.(''),
  balance: (connection) => connection.balance?.(),
};

const secret = 'pin-7-of-989120000012';

// What makes an object awaitable; in two parts, since no object should have it by mistake.
const whenAwaited = ['th', 'en'].join('');

const throwing: Readonly<Record<string, () => unknown>> = {
  'throws at once': () => {
    throw new TypeError(secret);
  },
  rejects: () => Promise.reject(new TypeError(secret)),
  'throws what is no error': () => Promise.reject(Object(secret)),
  'answers nothing': () => undefined,
  'answers with a getter that throws': () => ({
    get kind(): string {
      throw new TypeError(secret);
    },
  }),
  'answers with a promise that throws when it is awaited': () =>
    Object.defineProperty({}, whenAwaited, {
      get: () => {
        throw new TypeError(secret);
      },
    }),
};

describe('a connector that', () => {
  for (const [what, work] of Object.entries(throwing)) {
    test(`${what} leaves every outcome unknown, without secrets and numbers`, async () => {
      const faults: CallFault[] = [];
      const connection = checkedConnection(doing(work), {
        onFault: (one) => faults.push(one),
        mask: (text) => text.replaceAll('pin-7', '***'),
      });
      for (const call of Object.values(calls)) {
        const outcome = await call(connection);
        assert.equal(Reflect.get(Object(outcome), 'kind'), 'unknown');
        assert.doesNotMatch(JSON.stringify(outcome), /pin-7|98912/);
      }
      assert.deepEqual(
        faults,
        Object.keys(calls).map(() => 'threw'),
      );
      await connection.close();
    });
  }

  test('never ends its calls is not called any more beyond a limit, and orders are not sent', async () => {
    const faults: CallFault[] = [];
    let [called, end] = [0, (): void => {}];
    const hanging = doing(() => {
      called += 1;
      return new Promise<unknown>((resolve) => {
        end = () => resolve({ kind: 'pending' });
      });
    });
    const onFault = (fault: CallFault) => faults.push(fault);
    const connection = checkedConnection(hanging, { onFault, mostUnsettled: 3 });
    const [, , last] = [1, 2, 3].map((ref) => inquireAt(connection, String(ref)));
    const refused = await connection.buy(order);
    assert.ok(refused.kind === 'refused' && refused.code === 'unreachable');
    assert.equal(refused.blame, 'supplier');
    assert.equal((await inquireAt(connection, '4')).kind, 'unknown');
    assert.deepEqual([called, faults], [3, ['overdue', 'overdue']]);
    end();
    assert.equal((await last)?.kind, 'pending');
    void inquireAt(connection, '5');
    assert.equal(called, 4, 'one has ended, so there is room for another');
  });

  test('never ends closing does not delay the gateway’s stop', async () => {
    const clock = manualClock();
    const connection = checkedConnection(
      doing(() => new Promise(() => {})),
      { clock },
    );
    const closed = connection.close();
    await clock.advance(5_000);
    await closed;
    assert.equal(clock.pending(), 0);
  });

  test('returns huge texts and lists is read in part, or not at all', async () => {
    const huge = 'x'.repeat(1_000_000);
    const offer = { code: 'a', type: 'b', amount: '5', name: huge, description: huge };
    const said = (kind: unknown) => checkedConnection(doing(async () => kind));
    const length = async (outcome: unknown) => JSON.stringify(await outcome).length;
    assert.ok((await length(said({ kind: 'done', ref: huge }).buy(order))) < 300);
    assert.ok((await length(inquireAt(said({ kind: 'unknown', detail: huge }), ''))) < 600);
    const refused = { kind: 'refused', code: 5, reason: huge, transactionId: huge };
    assert.ok((await length(said(refused).offers?.(''))) < 1_000);
    const listed = said({ kind: 'offers', offers: [offer, { code: 5 }], transactionId: huge });
    const outcome = await listed.offers?.('');
    assert.ok(outcome?.kind === 'offers' && outcome.offers.length === 1);
    assert.ok((await length(outcome)) < 10_000);
    const endless = said({ kind: 'offers', offers: Array.from({ length: 1_001 }, () => offer) });
    assert.equal((await endless.offers?.(''))?.kind, 'unknown');
    const reports = Array.from({ length: 100_001 }, () => ({ ref: 'r', kind: 'delivered' }));
    assert.equal(
      (await said({ kind: 'reports', reports, cursor: '' }).reports?.(''))?.kind,
      'unknown',
    );
  });

  test('invents outcomes is not believed', async () => {
    const said = (outcome: unknown) => checkedConnection(doing(async () => outcome));
    const made = { kind: 'subscriber', simType: 'gold' };
    assert.equal((await said(made).subscriber?.(''))?.kind, 'unknown');
    assert.equal((await said({ kind: 'refused', code: 'x' }).offers?.(''))?.kind, 'unknown');
    assert.equal((await said({ kind: 'delivered' }).subscriber?.(''))?.kind, 'unknown');
    assert.equal((await said({ kind: 'not_found' }).buy(order)).kind, 'unknown');
  });

  test('refuses without saying who is to blame is reported, and blames the request', async () => {
    const faults: CallFault[] = [];
    const said = { kind: 'refused', code: 'out_of_stock', reason: 'No.' };
    const outcomes = async (blame: unknown) => {
      const outcome = { ...said, blame };
      const callbacks = {
        read: () => ({ kind: 'statements', statements: [{ ref: 'r', outcome }] }),
      };
      const connection = checkedConnection(
        doing(async () => outcome, { callbacks }),
        { onFault: (fault) => faults.push(fault) },
      );
      const called = { method: 'POST', query: '', headers: {}, body: Buffer.alloc(0) };
      const read = connection.callbacks?.read({ ...called, receivedAt: 0 });
      assert.ok(read?.kind === 'statements');
      return [
        await connection.buy(order),
        await inquireAt(connection, 'ours'),
        read.statements[0]?.outcome,
      ];
    };
    for (const blame of ['supplier', 'subscriber', 'request']) {
      const whole = { ...said, blame };
      assert.deepEqual(await outcomes(blame), [whole, whole, whole]);
    }
    assert.deepEqual(faults, []);
    for (const blame of [undefined, null, '', 'Supplier', 'operator', 1, ['supplier']]) {
      const whole = { ...said, blame: 'request' };
      assert.deepEqual(await outcomes(blame), [whole, whole, whole]);
      assert.deepEqual(faults.splice(0), ['unblamed', 'unblamed', 'unblamed']);
    }
  });

  for (const [what, more] of Object.entries({
    'has no deadline': { deadlineMs: undefined },
    'waits forever': { deadlineMs: Number.POSITIVE_INFINITY },
    'waits longer than a timer can': { deadlineMs: 2 ** 31 },
    'waits for no number': { deadlineMs: '5s' },
    'carries less than one call': { atOnce: 0 },
    'promises what is no time': { settlesWithin: Number.NaN },
    'promises yes instead of true': { deduplicates: 'yes' },
    'takes repeats for no time': { status: { resendWithin: 0 } },
    'takes repeats forever': { status: { resendWithin: Number.POSITIVE_INFINITY } },
    'has no way to learn of an order': { status: undefined },
  })) {
    test(`${what} is refused when it connects`, () => {
      assert.throws(() => checkedConnection(doing(() => undefined, more)), /must be/);
    });
  }
});
