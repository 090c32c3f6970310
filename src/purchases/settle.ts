/** Settles an order: turns the operator's answer into the purchase's next state. Pure. */
import type { OrderOutcome, Report, StatusOutcome } from '../connector/connector.ts';
import type { Refusal } from './decide.ts';
import { type Fact, isSameFact, type PlainFact, unknownFact } from './facts/facts.ts';
import {
  dispute,
  fail,
  giveUp,
  type InReview,
  isOpen,
  learn,
  leaveUnknown,
  type Note,
  type Open,
  orderAgain,
  type Purchase,
  reverse,
  type Step,
  succeed,
} from './purchase.ts';
import { refusalAnswer, successAnswer } from './replay/answers.ts';
import { inquiryPause, quietOf, type Terms, timingFrom } from './terms.ts';

/** What a step needs besides the outcome; built before the transaction. */
export type SettleContext = {
  readonly terms: Terms;
  /** From 0 to 1. */
  readonly chance: number;
  /** The answer to record if the operator refuses. */
  readonly refusal: Refusal;
};

/** What a refusal leaves behind. */
export const refused = (purchase: Open, { refusal }: SettleContext) => ({
  answer: refusalAnswer(refusal, purchase.requestId),
  reason: refusal.code,
  words: refusal.words,
});

/** After the first order. A plain success or refusal needs no note: the purchase itself shows it. */
export const stepAfterOrder =
  (outcome: OrderOutcome, context: SettleContext) =>
  (purchase: Purchase, now: number): Step | undefined => {
    if (!isOpen(purchase)) return undefined;
    switch (outcome.kind) {
      case 'done':
        return succeed(purchase, { at: now, answer: successAnswer, ref: outcome.ref, note: null });
      case 'refused':
        return fail(purchase, { at: now, ...refused(purchase, context), note: null });
      case 'unknown': {
        const dueAt = now + inquiryPause(0, context.terms, context.chance);
        const note: Note = { kind: 'order', fact: unknownFact(outcome) };
        return leaveUnknown(purchase, { dueAt, inquired: false, note });
      }
    }
  };

// Time alone is not enough: after a day's downtime the gateway must first inquire a few times.
const leastInquiries = 3;

/** Still unknown: inquire later, or after the time limit move it to review. */
const askAgain = (purchase: Open, now: number, context: SettleContext, fact: PlainFact): Step => {
  const note: Note = { kind: 'inquiry', fact };
  const { terms } = context;
  const asked = purchase.inquiries + 1;
  if (now - purchase.beganAt >= terms.reviewAfterMs && asked >= leastInquiries) {
    const values = { inquiries: asked, last: fact };
    return giveUp(purchase, { code: 'unresolved', values }, note);
  }
  const dueAt = now + inquiryPause(purchase.inquiries, terms, context.chance);
  return leaveUnknown(purchase, { dueAt, inquired: true, note });
};

/**
 * Whether the database allows a purchase to be ordered again. `later`: nothing is ordered while a restore is
 * closed. `never`: the lost part of a restore may hold another end, which the client knows.
 */
export type OrdersAgain = 'now' | 'later' | 'never';

/** What a step needs to know of its database. */
export type Scene = {
  readonly again: OrdersAgain;
  /** The place's; undefined for a file, and for an unexamined place. */
  readonly signature: string | undefined;
};

const anywhere: Scene = { again: 'now', signature: undefined };

/** An inquiry: its time by the database's clock, and the place of that clock. */
type Asked = { readonly askedAt: number; readonly askedIn?: string | undefined };

/** "No such order": proof after the quiet time, and only if the operator settles within a declared time. */
const notFound = (
  purchase: Open,
  now: number,
  { context, asked, scene }: { context: SettleContext; asked: Asked; scene: Scene },
): Step => {
  const { terms } = context;
  const { again, signature } = scene;
  // Times of one database say nothing about another one's clock.
  const elsewhere = asked.askedIn !== undefined && asked.askedIn !== signature;
  const fact = { code: 'not_found', values: {} } as const;
  if (terms.settlesWithinMs === undefined) return askAgain(purchase, now, context, fact);
  // By the time of the question: the answer excludes what happened while it travelled.
  const quietAt = elsewhere ? Number.POSITIVE_INFINITY : quietOf(purchase, terms);
  if (elsewhere || asked.askedAt < quietAt) {
    const note: Note = { kind: 'inquiry', fact: { code: 'not_found_yet', values: {} } };
    // The order may appear at any time until then: inquire at the usual rate.
    const pause = inquiryPause(purchase.inquiries, terms, context.chance);
    const dueAt = Math.min(now + pause, quietAt);
    return leaveUnknown(purchase, { dueAt, inquired: true, note });
  }
  if (terms.deduplicates && again !== 'never' && now - purchase.beganAt < terms.reviewAfterMs) {
    if (again === 'later') return askAgain(purchase, now, context, fact);
    const values = { attempt: purchase.attempts + 1 };
    const note: Note = { kind: 'inquiry', fact: { code: 'ordered_again', values } };
    return orderAgain(purchase, timingFrom(now, terms), note);
  }
  return fail(purchase, {
    at: now,
    ...refused(purchase, context),
    note: { kind: 'inquiry', fact },
  });
};

const answered = (code: 'delivered' | 'reversed' | 'refused'): Note => ({
  kind: 'inquiry',
  fact: { code: `answered_${code}`, values: {} },
});

/** After an inquiry made at `askedAt`, by the database's time. */
export const stepAfterInquiry =
  (outcome: StatusOutcome, context: SettleContext, askedAt: number, askedIn?: string) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    if (!isOpen(purchase)) return undefined;
    const sold = { at: now, answer: successAnswer };
    switch (outcome.kind) {
      case 'done':
        return succeed(purchase, { ...sold, ref: outcome.ref, note: answered('delivered') });
      case 'reversed':
        return succeed(purchase, { ...sold, ref: purchase.id, note: answered('reversed') });
      case 'refused':
        return fail(purchase, {
          at: now,
          ...refused(purchase, context),
          note: answered('refused'),
        });
      case 'not_found':
        return notFound(purchase, now, { context, asked: { askedAt, askedIn }, scene });
      case 'pending':
        return askAgain(purchase, now, context, { code: 'answered_pending', values: {} });
      case 'unknown':
        return askAgain(purchase, now, context, unknownFact(outcome));
    }
  };

/** Something contradicts the recorded end. */
export const contradict = (purchase: Purchase, fact: Fact): Step | undefined => {
  if (purchase.state !== 'failed' || purchase.disputed !== null) return undefined;
  return dispute(purchase, { kind: 'contradiction', fact });
};

export const reportFact = ({ kind, at }: Pick<Report, 'kind' | 'at'>): PlainFact => ({
  code: `reported_${kind}`,
  values: { at },
});

/**
 * After a report: an open purchase is sold, one recorded as failed is disputed. The caller has read this many
 * notes, without this report; if there are more by now, it may be among them.
 */
export const stepAfterReport =
  (report: Report, seenNotes: number) =>
  (purchase: Purchase, now: number): Step | undefined => {
    const fact = reportFact(report);
    const note: Note = { kind: 'report', fact };
    if (isOpen(purchase)) {
      return succeed(purchase, { at: now, answer: successAnswer, ref: report.ref, note });
    }
    if (purchase.notes !== seenNotes) return undefined;
    return purchase.state === 'review' ? learn(purchase, note) : contradict(purchase, fact);
  };

/** A final answer to an order that came after others had claimed the purchase. */
const lateAnswerFact = (outcome: Exclude<OrderOutcome, { kind: 'unknown' }>): PlainFact =>
  outcome.kind === 'done'
    ? { code: 'late_delivered', values: {} }
    : { code: 'late_refused', values: { reason: outcome.reason } };

/**
 * After a final answer to an order that others have claimed since. A delivery is a fact under any claim. A
 * refusal ends only its own attempt: a deduplicating operator may judge a refused order again, and a newer
 * attempt may deliver.
 */
export const stepAfterLateAnswer =
  (outcome: OrderOutcome, context: SettleContext, attempts: number) =>
  (purchase: Purchase, now: number): Step | undefined => {
    if (outcome.kind === 'unknown') return undefined;
    const fact = lateAnswerFact(outcome);
    const note: Note = { kind: 'late answer', fact };
    const learnOnce = (inReview: InReview): Step | undefined =>
      isSameFact(inReview.reason, fact) ? undefined : learn(inReview, note);
    if (outcome.kind === 'done') {
      if (isOpen(purchase)) {
        return succeed(purchase, { at: now, answer: successAnswer, ref: outcome.ref, note });
      }
      return purchase.state === 'review' ? learnOnce(purchase) : contradict(purchase, fact);
    }
    if (purchase.attempts !== attempts) return undefined;
    if (isOpen(purchase)) return fail(purchase, { at: now, ...refused(purchase, context), note });
    return purchase.state === 'review' ? learnOnce(purchase) : undefined;
  };

/** A delivery that the operator reversed: the money returns once. */
export const stepAfterReversal =
  (at: number | null) =>
  (purchase: Purchase): Step | undefined =>
    purchase.state === 'succeeded'
      ? reverse(purchase, { kind: 'reversal', fact: { code: 'reversed', values: { at } } })
      : undefined;

/** After it was found that no instance can ask its operator. */
export const stepWithoutOperator = (purchase: Purchase): Step | undefined => {
  if (!isOpen(purchase)) return undefined;
  const values = { operator: purchase.operatorId };
  const fact = { code: 'operator_unreachable', values } as const;
  return giveUp(purchase, fact, { kind: 'inquiry', fact });
};
