/** Tests that every step keeps the request and moves the right money once, and that illegal steps do not compile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { purchaseRequestOf } from '../../test/support/purchase-world.ts';
import { emptyAccount, post } from '../ledger/posting.ts';
import { dispute } from './disputes.ts';
import { errorFact, textFact } from './facts/facts.ts';
import {
  begin,
  fail,
  giveUp,
  isFinal,
  isOpen,
  leaveUnknown,
  type Note,
  type Open,
  orderAgain,
  type Purchase,
  type PurchaseRequest,
  refuse,
  reverse,
  type Step,
  states,
  succeed,
} from './purchase.ts';

const text = fc.string({ maxLength: 20 });
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const requested: fc.Arbitrary<PurchaseRequest> = fc
  .record({
    clientId: text,
    id: text,
    key: text,
    fingerprint: text,
    productId: fc.nat(),
    operatorId: fc.option(fc.nat()),
    supplierId: fc.option(fc.integer()),
    sentTo: fc.option(text),
    routeId: fc.option(fc.nat()),
    supplierCode: fc.option(text),
    cost: fc.option(fc.nat()),
    passedOver: fc.option(text),
    trace: fc.option(text),
    mobile: text,
    price: fc.integer({ min: 1, max: 1_000_000_000 }),
    offer: fc.option(fc.record({ code: text, type: text })),
    profileId: fc.option(text),
    webserviceCode: text,
    requestId: text,
  })
  .map((one) => ({ ...one }));
const timing = fc.record({ sendBefore: time, quietAt: time, dueAt: time });
const answer = fc.record({ status: fc.constantFrom(200, 402, 422), body: text });
const note: Note = { kind: 'inquiry', fact: textFact('the operator’s words') };

/** A path from the beginning to an end, by the names of its steps. */
const way = fc.record({
  middle: fc.array(fc.constantFrom('leaveUnknown', 'orderAgain'), { maxLength: 6 }),
  reviewed: fc.boolean(),
  end: fc.constantFrom('succeed', 'fail', 'reverse', 'none'),
});

const middleStep = (purchase: Open, name: string, at: number): Step<Open> =>
  name === 'leaveUnknown'
    ? leaveUnknown(purchase, { dueAt: at, inquired: true, note })
    : orderAgain(purchase, { sendBefore: at, quietAt: at, dueAt: at }, note);

type Way = { readonly middle: readonly string[]; readonly reviewed: boolean; readonly end: string };

/** Every step of a path, including the first. */
const walk = (one: PurchaseRequest, { middle, reviewed, end }: Way): Step[] => {
  const steps: Step[] = [];
  const first = begin(one, 5, { sendBefore: 10, quietAt: 20, dueAt: 15 });
  steps.push(first);
  let open = first.after;
  for (const name of middle) {
    const step = middleStep(open, name, 30);
    steps.push(step);
    open = step.after;
  }
  const given = reviewed ? giveUp(open, textFact('too long'), note) : undefined;
  if (given !== undefined) steps.push(given);
  const last = given?.after ?? open;
  if (end === 'fail') {
    const failing = { at: 40, answer: { status: 422, body: '' }, reason: 'no', note };
    steps.push(fail(last, failing));
  }
  if (end === 'succeed' || end === 'reverse') {
    const sold = succeed(last, { at: 40, answer: { status: 200, body: '' }, ref: 'ref', note });
    steps.push(sold);
    if (end === 'reverse') steps.push(reverse(sold.after, note));
  }
  return steps;
};

test('no step changes the request, and every note is counted', () => {
  fc.assert(
    fc.property(requested, way, (one, steps) => {
      let notes = 0;
      for (const { after, note: written } of walk(one, steps)) {
        assert.deepEqual({ ...after, ...one }, after);
        notes += written === null ? 0 : 1;
        assert.equal(after.notes, notes);
        assert.equal(after.beganAt, 5);
      }
    }),
  );
});

test('the money of any path adds up: held while open, then captured or released, and never twice', () => {
  fc.assert(
    fc.property(requested, way, (one, steps) => {
      const { price: amount } = one;
      let account = post(emptyAccount, { kind: 'deposit', amount });
      const kinds = new Set<string>();
      const walked = walk(one, steps);
      for (const { posting } of walked) {
        if (posting === null) continue;
        assert.ok('purchaseId' in posting && posting.purchaseId === one.id);
        assert.ok(!kinds.has(posting.kind), `a second ${posting.kind}`);
        kinds.add(posting.kind);
        account = post(account, posting);
      }
      const end = walked.at(-1)?.after ?? assert.fail();
      assert.equal(account.held, isFinal(end) ? 0 : amount);
      const kept = end.state === 'succeeded' || !isFinal(end);
      assert.equal(account.available, kept ? 0 : amount);
    }),
  );
});

test('final purchases have an answer and are never due; open ones are due; those in review are neither', () => {
  fc.assert(
    fc.property(requested, way, (one, steps) => {
      for (const { after } of walk(one, steps)) {
        assert.ok(states.includes(after.state));
        assert.equal(isFinal(after), ['succeeded', 'failed', 'reversed'].includes(after.state));
        assert.equal(isOpen(after), ['submitted', 'unknown'].includes(after.state));
        assert.equal(after.answer === null, after.settledAt === null);
      }
    }),
  );
});

test('a purchase begins as submitted with the fencing number 1 and one attempt', () => {
  fc.assert(
    fc.property(requested, time, timing, (one, now, times) => {
      const { after, posting, note: written } = begin(one, now, times);
      assert.deepEqual([after.state, after.fence, after.attempts], ['submitted', 1, 1]);
      assert.deepEqual({ ...after, ...times }, after);
      assert.deepEqual(posting, { kind: 'hold', amount: one.price, purchaseId: one.id });
      assert.equal(written, null);
    }),
  );
});

test('a refusal holds nothing, has no attempt, and keeps its answer', () => {
  fc.assert(
    fc.property(requested, time, answer, (one, now, recorded) => {
      const { after, posting } = refuse(one, now, recorded, 'why');
      assert.equal(posting, null);
      assert.deepEqual(
        [after.state, after.attempts, after.reason],
        ['refused', 0, errorFact('why')],
      );
      assert.deepEqual([after.answer, after.settledAt], [recorded, now]);
    }),
  );
});

test('a reversal and a dispute leave the recorded answer unchanged', () => {
  const opened = begin(purchaseRequestOf({ clientId: 'a', id: 'p' }), 0, {
    sendBefore: 1,
    quietAt: 2,
    dueAt: 3,
  }).after;
  const recorded = { status: 200, body: 'sold' };
  const sold = succeed(opened, { at: 4, answer: recorded, ref: 'r', note: null }).after;
  const reversed = reverse(sold, note).after;
  assert.deepEqual([reversed.answer, reversed.settledAt], [recorded, 4]);
  const failed = fail(opened, { at: 4, answer: recorded, reason: 'no', note: null }).after;
  const disputed = dispute(failed, note);
  assert.deepEqual([disputed.after.answer, disputed.after.state], [recorded, 'failed']);
  assert.equal(disputed.posting, null, 'no money moves on its own');
  assert.equal(disputed.after.disputed, note.fact);
});

test('each order and each inquiry is counted', () => {
  const open = begin(purchaseRequestOf({ clientId: 'a', id: 'p' }), 0, {
    sendBefore: 1,
    quietAt: 2,
    dueAt: 3,
  }).after;
  const counts = ({ after }: Step): number[] => [after.attempts, after.inquiries];
  const next = { dueAt: 9, note };
  assert.deepEqual(counts(leaveUnknown(open, { ...next, inquired: false })), [1, 0]);
  assert.deepEqual(counts(leaveUnknown(open, { ...next, inquired: true })), [1, 1]);
  assert.deepEqual(counts(orderAgain(open, { sendBefore: 5, quietAt: 6, dueAt: 7 }, note)), [2, 1]);
  assert.deepEqual(counts(giveUp(open, textFact('too long'), note)), [1, 1]);
});

/** Never run: it is proof that it compiles with each error expected. */
export const illegalSteps = (open: Open, purchase: Purchase): unknown[] => {
  const end = { at: 0, answer: { status: 200, body: '' }, note: null };
  const sold = succeed(open, { ...end, ref: '' }).after;
  const failed = fail(open, { ...end, reason: '' }).after;
  const refused = refuse(open, 0, end.answer, '').after;
  const reversed = reverse(sold, note).after;
  const reviewed = giveUp(open, note.fact, note).after;
  const next = { dueAt: 0, inquired: false, note };
  const times = { sendBefore: 0, quietAt: 0, dueAt: 0 };
  return [
    // @ts-expect-error a failed purchase is never sold
    succeed(failed, { ...end, ref: '' }),
    // @ts-expect-error a sold purchase is not sold again
    succeed(sold, { ...end, ref: '' }),
    // @ts-expect-error a refused purchase is never sold
    succeed(refused, { ...end, ref: '' }),
    // @ts-expect-error a reversed purchase is not sold again
    succeed(reversed, { ...end, ref: '' }),
    // @ts-expect-error it may not be open
    succeed(purchase, { ...end, ref: '' }),
    // @ts-expect-error a sold purchase does not fail
    fail(sold, { ...end, reason: '' }),
    // @ts-expect-error a failed purchase does not fail again
    fail(failed, { ...end, reason: '' }),
    // @ts-expect-error a refused purchase has no hold to release
    fail(refused, { ...end, reason: '' }),
    // @ts-expect-error a failed purchase's hold is already released
    reverse(failed, note),
    // @ts-expect-error the money returns once
    reverse(reversed, note),
    // @ts-expect-error an open purchase was not delivered
    reverse(open, note),
    // @ts-expect-error a final outcome is known
    leaveUnknown(sold, next),
    // @ts-expect-error a person decides, not an inquiry
    leaveUnknown(reviewed, next),
    // @ts-expect-error a sold purchase is never ordered again
    orderAgain(sold, times, note),
    // @ts-expect-error a failed purchase is never ordered again
    orderAgain(failed, times, note),
    // @ts-expect-error a purchase in review is not ordered again
    orderAgain(reviewed, times, note),
    // @ts-expect-error a final purchase needs no review
    giveUp(failed, '', note),
    // @ts-expect-error a person decides already
    dispute(reviewed, note),
    // @ts-expect-error an end needs its answer
    succeed(open, { at: 0, ref: '', note: null }),
    // @ts-expect-error a state is reached by a step, not by assigning it
    (sold.state = 'reversed'),
  ];
};
