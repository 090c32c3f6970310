/** Tests a purchase's times: silence proves nothing while an order can still arrive, and pauses grow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { type Connection, defineConnector, type Promises } from '../connector/connector.ts';
import {
  inquiryPause,
  longestLeaseMs,
  quietFrom,
  quietOf,
  type Terms,
  termsFor,
  termsOf,
  timingFrom,
} from './terms.ts';

const span = fc.integer({ min: 1, max: 86_400_000 });
const terms: fc.Arbitrary<Terms> = fc
  .record({
    sendWithinMs: span,
    deadlineMs: span,
    settlesWithinMs: fc.option(span, { nil: undefined }),
    deduplicates: fc.boolean(),
    resendWithinMs: fc.option(span, { nil: undefined }),
    firstInquiryMs: span,
    widestInquiryMs: span,
    reviewAfterMs: span,
  })
  .map((one) => ({ ...one }));
const now = fc.integer({ min: 0, max: 4_000_000_000_000 });

test('a missing answer is proof only after the last time to send, the deadline and the time to settle', () => {
  fc.assert(
    fc.property(now, terms, (at, one) => {
      const { sendBefore, quietAt } = timingFrom(at, one);
      assert.equal(sendBefore, at + one.sendWithinMs);
      assert.equal(quietAt, sendBefore + one.deadlineMs + (one.settlesWithinMs ?? 0));
      assert.equal(quietAt, quietFrom(sendBefore, one));
    }),
  );
});

test('a lease outlasts sending and the call if possible, and never exceeds 20 seconds', () => {
  fc.assert(
    fc.property(now, terms, (at, one) => {
      const lease = timingFrom(at, one).dueAt - at;
      assert.ok(lease > 0 && lease <= longestLeaseMs);
      assert.ok(lease === longestLeaseMs || lease > one.sendWithinMs + one.deadlineMs);
    }),
  );
  assert.ok(longestLeaseMs < 30_000, 'a dead server’s work is taken over within 30 seconds');
});

test('pauses double up to the widest, with a jitter of a fifth either way', () => {
  fc.assert(
    fc.property(
      terms,
      fc.nat({ max: 5000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (one, n, chance) => {
        const middle = Math.min(one.firstInquiryMs * 2 ** n, one.widestInquiryMs);
        const pause = inquiryPause(n, one, chance);
        assert.ok(Number.isSafeInteger(pause));
        assert.ok(pause >= Math.round(middle * 0.8) && pause <= Math.round(middle * 1.2));
        assert.ok(inquiryPause(n + 1, one, chance) >= pause, 'it never shrinks');
        assert.ok(inquiryPause(n, one, 0) <= pause && pause <= inquiryPause(n, one, 1));
      },
    ),
  );
});

test('a connection’s promises override its connector’s, and those override the configuration', () => {
  const config = { sendWithinMs: 1, firstInquiryMs: 2, widestInquiryMs: 3, reviewAfterMs: 4 };
  const termsWith = (connector: Promises, connection: Promises): Terms => {
    const silent = async () => ({ kind: 'unknown', detail: 'silent' }) as const;
    const connected: Connection = {
      ...connection,
      buy: silent,
      status: silent,
      deadlineMs: 5,
      close: async () => {},
    };
    const declared = defineConnector({
      ...connector,
      name: 'test',
      settings: Type.Object({}),
      connect: () => connected,
    });
    const names = { en: 'One', fa: 'یک' };
    const kind = 'operator';
    const operator = {
      id: 1,
      kind,
      name: 'one',
      names,
      connector: declared,
      connection: connected,
    } as const;
    return termsOf({ ...operator, system: 'one' }, config);
  };
  const inquiries = { firstInquiryMs: 20, widestInquiryMs: 30, reviewAfterMs: 40 };
  const none = {
    ...config,
    deadlineMs: 5,
    settlesWithinMs: undefined,
    deduplicates: false,
    resendWithinMs: undefined,
  };
  assert.deepEqual(termsWith({}, {}), none);
  const promised = { settlesWithin: 50, deduplicates: true, inquiries };
  const kept = { ...none, ...inquiries, settlesWithinMs: 50, deduplicates: true };
  assert.deepEqual(termsWith(promised, {}), kept);
  assert.deepEqual(termsWith({}, promised), kept);
  assert.deepEqual(termsWith(promised, { settlesWithin: 0, deduplicates: false }), {
    ...kept,
    settlesWithinMs: 0,
    deduplicates: false,
  });
});

test('"no such order" is proof only from the system that the order was sent to', () => {
  const config = { sendWithinMs: 1, firstInquiryMs: 2, widestInquiryMs: 3, reviewAfterMs: 4 };
  const silent = async () => ({ kind: 'unknown', detail: 'silent' }) as const;
  const connection: Connection = {
    settlesWithin: 50,
    deduplicates: true,
    buy: silent,
    status: silent,
    deadlineMs: 5,
    close: async () => {},
  };
  const connector = defineConnector({
    name: 'test',
    settings: Type.Object({}),
    connect: () => connection,
  });
  const names = { en: 'One', fa: 'یک' };
  const operator = { id: 1, kind: 'operator', name: 'one', names, connector, connection } as const;
  const system = fc.option(fc.constantFrom('one', 'two', ''));
  const proves = ({ settlesWithinMs, deduplicates }: Terms): boolean[] => [
    settlesWithinMs !== undefined,
    deduplicates,
  ];
  fc.assert(
    fc.property(system, system, (asked, sentTo) => {
      const same = asked !== null && asked === sentTo;
      const terms = termsFor({ ...operator, system: asked }, { sentTo }, config);
      assert.deepEqual(proves(terms), [same, same]);
    }),
  );
});

test('a purchase’s quiet time is the longer of the terms at sending and those of now', () => {
  fc.assert(
    fc.property(now, fc.nat(), terms, (sendBefore, waitMs, one) => {
      const quietAt = sendBefore + waitMs;
      const quiet = quietOf({ sendBefore, quietAt }, one);
      assert.ok(quiet >= quietAt && quiet >= quietFrom(sendBefore, one));
      assert.ok(quiet === quietAt || quiet === quietFrom(sendBefore, one));
    }),
  );
});
