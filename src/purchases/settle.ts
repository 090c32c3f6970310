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

/** What a step needs besides the outcome; made before the transaction, outside of it. */
export type SettleContext = {
  readonly terms: Terms;
  /** From 0 to 1. */
  readonly chance: number;
  /** What is recorded where the operator's word is a refusal. */
  readonly refusal: Refusal;
};

/** What a refusal leaves behind. */
export const refused = (purchase: Open, { refusal }: SettleContext) => ({
  answer: refusalAnswer(refusal, purchase.requestId),
  reason: refusal.code,
  words: refusal.words,
});

/** After the first order. A plain success or refusal needs no note: the purchase itself tells it. */
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

// Time alone is no reason: a gateway that was away for a day has to have asked a few times first.
const leastInquiries = 3;

/** Not known yet: asked again later, or past the time a person's. */
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
 * Whether the database lets a purchase be ordered again. `later`: nothing is ordered while a restore is not
 * opened. `never`: what was lost in a restore may hold another end of it, which the client was told.
 */
export type OrdersAgain = 'now' | 'later' | 'never';

/** What a step has to know of the database in which it is taken. */
export type Scene = {
  readonly again: OrdersAgain;
  /** Of its place; undefined for a file, and for a place that is not examined. */
  readonly signature: string | undefined;
};

const anywhere: Scene = { again: 'now', signature: undefined };

/** An inquiry: when it was made by the database's time, and in which place that time was read. */
type Asked = { readonly askedAt: number; readonly askedIn?: string | undefined };

/** "No such order": proof after the quiet time, and only where the operator settles within one. */
const notFound = (
  purchase: Open,
  now: number,
  { context, asked, scene }: { context: SettleContext; asked: Asked; scene: Scene },
): Step => {
  const { terms } = context;
  const { again, signature } = scene;
  // Times of one database say nothing of another one's clock.
  const elsewhere = asked.askedIn !== undefined && asked.askedIn !== signature;
  const fact = { code: 'not_found', values: {} } as const;
  if (terms.settlesWithinMs === undefined) return askAgain(purchase, now, context, fact);
  // By the time of the question: what came true while the answer travelled is not in it.
  const quietAt = elsewhere ? Number.POSITIVE_INFINITY : quietOf(purchase, terms);
  if (elsewhere || asked.askedAt < quietAt) {
    const note: Note = { kind: 'inquiry', fact: { code: 'not_found_yet', values: {} } };
    // The order may surface at any time until then: it is asked about at the usual pace.
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

/** After an inquiry that was made at `askedAt`, by the database's time. */
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
 * After a report: what is open is sold by it, what was recorded as failed is disputed. Whoever applies it
 * has seen so many notes, and this report not among them: where there are others by now it may be.
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
 * After a final answer to an order that came when others had claimed the purchase. A delivery is a fact,
 * whoever has the claim. A refusal is the end of its own attempt only: an operator that recognises
 * deliveries may judge a refused order once more, and a newer attempt may deliver.
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

/** A delivery that the operator took back: the money returns once. */
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
