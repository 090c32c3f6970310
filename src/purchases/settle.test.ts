/** Tests which step follows from each operator answer, and that money is never released on a guess. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { purchaseRequestOf, termsOfWorld } from '../../test/support/purchase-world.ts';
import type { OrderOutcome, StatusOutcome } from '../connector/connector.ts';
import { errorFact, textFact } from './facts/facts.ts';
import type { SettleContext } from './failover.ts';
import {
  begin,
  fail,
  giveUp,
  type Note,
  type Open,
  type Purchase,
  refuse,
  reverse,
  succeed,
} from './purchase.ts';
import { refusalAnswer, successAnswer } from './replay/answers.ts';
import {
  stepAfterInquiry,
  stepAfterLateAnswer,
  stepAfterOrder,
  stepAfterReport,
  stepAfterReversal,
} from './settle.ts';
import { inquiryPause, type Terms } from './terms.ts';

const began = 1_000_000;
const open = begin(purchaseRequestOf({ clientId: 'a', id: 'p' }), began, {
  sendBefore: began + 1000,
  quietAt: began + 6000,
  dueAt: began + 5000,
}).after;
const refusal = { code: 'OPERATOR_DECLINED' } as const;
const declined = { answer: refusalAnswer(refusal, open.requestId), reason: refusal.code };
const note: Note = { kind: 'inquiry', fact: textFact('') };

const meansOf = (terms: Partial<Terms> = {}): SettleContext => ({
  terms: { ...termsOfWorld, ...terms },
  chance: 0.5,
  refusal,
});

const sold = succeed(open, { at: 5, answer: successAnswer, ref: 'r', note: null }).after;
const ended: readonly Purchase[] = [
  sold,
  fail(open, { at: 5, ...declined, note: null }).after,
  refuse(open, 5, declined.answer, 'no').after,
  reverse(sold, note).after,
  giveUp(open, textFact('too long'), note).after,
];

const orderOutcomes: readonly OrderOutcome[] = [
  { kind: 'done', ref: 'receipt' },
  { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' },
  { kind: 'unknown', detail: 'silence' },
];
const statusOutcomes: readonly StatusOutcome[] = [
  ...orderOutcomes,
  { kind: 'pending' },
  { kind: 'not_found' },
  { kind: 'reversed', at: 7 },
];

test('no answer to an order or inquiry moves a final purchase or one in review', () => {
  for (const purchase of ended) {
    for (const outcome of orderOutcomes) {
      assert.equal(stepAfterOrder(outcome, meansOf())(purchase, 9), undefined);
    }
    for (const outcome of statusOutcomes) {
      assert.equal(stepAfterInquiry(outcome, meansOf(), 9)(purchase, 9), undefined);
    }
  }
});

test('a completed order sells, a refused one releases the hold, without a note', () => {
  const [done, refused] = orderOutcomes.map((one) =>
    stepAfterOrder(one, meansOf())(open, began + 9),
  );
  assert.equal(done?.after.state, 'succeeded');
  assert.equal(done?.after.operatorRef, 'receipt');
  assert.deepEqual(done?.after.answer, successAnswer);
  assert.deepEqual([done?.posting?.kind, done?.note], ['capture', null]);
  assert.equal(refused?.after.state, 'failed');
  assert.deepEqual(
    [refused?.after.answer, refused?.after.reason],
    [declined.answer, errorFact('OPERATOR_DECLINED')],
  );
  assert.deepEqual([refused?.posting?.kind, refused?.note], ['release', null]);
});

test('an order with an unknown end keeps the hold, is noted, and is inquired about after the first pause', () => {
  const step = stepAfterOrder({ kind: 'unknown', detail: 'silence' }, meansOf())(open, began + 9);
  assert.deepEqual([step?.after.state, step?.posting], ['unknown', null]);
  assert.equal(step?.after.dueAt, began + 9 + 1000);
  assert.deepEqual([step?.after.attempts, step?.after.inquiries], [1, 0]);
  assert.deepEqual(step?.note, { kind: 'order', fact: textFact('silence') });
});

/** The step after an inquiry whose answer took a millisecond. */
const inquire = (
  outcome: StatusOutcome,
  askedAt: number,
  terms: Partial<Terms> = {},
  from: Open = open,
) =>
  stepAfterInquiry(outcome, meansOf(terms), askedAt)(from, askedAt + 1) ?? assert.fail('no step');

test('"no such order" asked before the quiet time is not proof, however late the answer', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 5999 }),
      fc.nat(20_000),
      fc.boolean(),
      (passed, slow, deduplicates) => {
        const context = meansOf({ deduplicates });
        const answered = began + passed + slow;
        const step = stepAfterInquiry(
          { kind: 'not_found' },
          context,
          began + passed,
        )(open, answered);
        assert.ok(step !== undefined);
        assert.deepEqual([step.after.state, step.posting], ['unknown', null]);
        const soon = answered + inquiryPause(0, context.terms, context.chance);
        assert.equal(step.after.dueAt, Math.min(soon, open.quietAt), 'inquired again soon');
        assert.equal(step.after.attempts, 1);
      },
    ),
  );
});

test('"no such order" after the quiet time fails and releases', () => {
  for (const passed of [6000, 6001, 59_999, 10_000_000]) {
    const step = inquire({ kind: 'not_found' }, began + passed);
    assert.deepEqual([step.after.state, step.posting?.kind], ['failed', 'release']);
    assert.deepEqual(step.after.answer, declined.answer);
  }
});

test('"no such order" after the quiet time is ordered again if the operator deduplicates', () => {
  const now = began + 6000;
  const { after, posting, note } = inquire({ kind: 'not_found' }, now, { deduplicates: true });
  assert.deepEqual([after.state, after.attempts, posting], ['submitted', 2, null]);
  assert.deepEqual(note?.fact, { code: 'ordered_again', values: { attempt: 2 } });
  assert.deepEqual([after.sendBefore, after.quietAt], [now + 1001, now + 6001]);
  const late = inquire({ kind: 'not_found' }, began + 60_000, { deduplicates: true });
  assert.deepEqual([late.after.state, late.posting?.kind], ['failed', 'release']);
});

test('an operator that declares no time to settle proves nothing by "no such order"', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), fc.boolean(), (passed, deduplicates) => {
      const terms = { settlesWithinMs: undefined, deduplicates };
      const asked = { ...open, inquiries: 2 };
      const step = inquire({ kind: 'not_found' }, began + passed, terms, asked);
      assert.equal(step.after.state, passed + 1 >= 60_000 ? 'review' : 'unknown');
      assert.equal(step.posting, null);
    }),
  );
});

test('however late it is, an operator is asked three times before it needs review', () => {
  const late = began + 10 * 60_000;
  const silence = { kind: 'unknown', detail: 'silence' } as const;
  const states = [0, 1, 2].map(
    (inquiries) => inquire(silence, late, {}, { ...open, inquiries }).after.state,
  );
  assert.deepEqual(states, ['unknown', 'unknown', 'review']);
});

test('pending or unknown purchases are inquired about ever less often, and then need review', () => {
  for (const outcome of [{ kind: 'pending' }, { kind: 'unknown', detail: 'silence' }] as const) {
    let [purchase, now] = [open, began];
    const pauses: number[] = [];
    while (now + 1 - began < 60_000) {
      const { after, posting } = inquire(outcome, now, {}, purchase);
      assert.equal(posting, null);
      assert.ok(after.state === 'unknown');
      pauses.push(after.dueAt - now - 1);
      [purchase, now] = [after, after.dueAt];
    }
    assert.deepEqual(pauses.slice(0, 5), [1000, 2000, 4000, 8000, 8000]);
    assert.equal(purchase.inquiries, pauses.length);
    const last = inquire(outcome, now, {}, purchase);
    assert.deepEqual([last.after.state, last.posting], ['review', null], 'the hold stays');
    const { reason } = last.after;
    assert.ok(reason?.code === 'unresolved');
    assert.equal(reason.values.inquiries, pauses.length + 1);
  }
});

test('an inquiry that says done or reversed sells, one that says refused releases, at any time', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000 }), (passed) => {
      const at = (outcome: StatusOutcome) => inquire(outcome, began + passed);
      const done = at({ kind: 'done', ref: 'receipt' });
      assert.deepEqual([done.after.state, done.posting?.kind], ['succeeded', 'capture']);
      const reversed = at({ kind: 'reversed', at: 7 });
      assert.deepEqual([reversed.after.state, reversed.posting?.kind], ['succeeded', 'capture']);
      const refused = at({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: '' });
      assert.deepEqual([refused.after.state, refused.posting?.kind], ['failed', 'release']);
    }),
  );
});

test('a reversal refunds what was sold, and nothing else', () => {
  const step = stepAfterReversal(7);
  assert.deepEqual([step(sold)?.after.state, step(sold)?.posting?.kind], ['reversed', 'reverse']);
  for (const purchase of [open, ...ended.slice(1)]) assert.equal(step(purchase), undefined);
});

test('a delivery report sells an open purchase, disputes a failed one, is noted for one in review, and changes nothing else', () => {
  const step = (purchase: Purchase, now: number) =>
    stepAfterReport({ ref: 'p', kind: 'delivered', at: 7 }, 1, purchase.notes)(purchase, now);
  const reported = step(open, began + 9);
  const fact = { code: 'reported_delivered', values: { at: 7 } };
  assert.deepEqual([reported?.after.state, reported?.posting?.kind], ['succeeded', 'capture']);
  for (const purchase of ended) {
    const taken = step(purchase, began + 9);
    if (purchase.state === 'review') {
      assert.deepEqual([taken?.after.state, taken?.posting], ['review', null], 'a person decides');
      assert.deepEqual(taken?.after.reason, fact);
      continue;
    }
    if (purchase.state !== 'failed') {
      assert.equal(taken, undefined, purchase.state);
      continue;
    }
    assert.deepEqual([taken?.after.state, taken?.posting], ['failed', null], 'no money moves');
    assert.deepEqual(taken?.after.disputed, fact);
    assert.equal(step(taken?.after ?? purchase, began + 9), undefined, 'it is disputed once');
  }
});

test('a report changes nothing if something was noted since its notes were read', () => {
  const step = stepAfterReport({ ref: 'p', kind: 'delivered', at: 7 }, 1, 5);
  for (const purchase of ended) assert.equal(step(purchase, began + 9), undefined);
  assert.equal(
    step(open, began + 9)?.after.state,
    'succeeded',
    'an open purchase is settled by it',
  );
});

const anyPurchase = fc
  .record({
    purchase: fc.constantFrom(open, ...ended),
    fence: fc.integer({ min: 1, max: 9 }),
    attempts: fc.integer({ min: 1, max: 3 }),
    state: fc.constantFrom('submitted', 'unknown'),
  })
  .map(
    ({ purchase, fence, attempts, state }): Purchase =>
      purchase === open
        ? { ...open, fence, attempts, state: state === 'unknown' ? 'unknown' : 'submitted' }
        : { ...purchase, fence, attempts },
  );

test('a late answer settles an open purchase once, and never against a newer attempt', () => {
  const outcome = fc.constantFrom(...orderOutcomes);
  fc.assert(
    fc.property(
      anyPurchase,
      outcome,
      fc.integer({ min: 1, max: 3 }),
      (purchase, said, attempts) => {
        const answer = stepAfterLateAnswer(said, meansOf(), { supplierId: 1, attempts });
        const step = answer(purchase, began + 9);
        const again = step === undefined ? undefined : answer(step.after, began + 10);
        assert.equal(again, undefined, 'the same answer twice changes nothing more');
        const isOfLast = purchase.attempts === attempts;
        if (said.kind === 'unknown' || (said.kind === 'refused' && !isOfLast)) {
          assert.equal(step, undefined);
          return;
        }
        const { state } = purchase;
        if (state === 'submitted' || state === 'unknown') {
          const [end, money] =
            said.kind === 'done' ? ['succeeded', 'capture'] : ['failed', 'release'];
          assert.deepEqual([step?.after.state, step?.posting?.kind], [end, money]);
          assert.equal(step?.after.fence, purchase.fence, 'the claim stays');
        } else if (state === 'review') {
          assert.deepEqual([step?.after.state, step?.posting], ['review', null]);
        } else if (state === 'failed' && said.kind === 'done') {
          assert.deepEqual([step?.after.state, step?.posting], ['failed', null]);
          assert.ok(step?.after.disputed);
        } else assert.equal(step, undefined, state);
      },
    ),
  );
});
