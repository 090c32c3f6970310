/** Settles an order: turns the operator's answer into the purchase's next state. Pure. */
import type { OrderOutcome, Report, StatusOutcome } from '../connector/connector.ts';
import { askAgain } from './ask-again.ts';
import { bookedCost } from './cost.ts';
import { dispute } from './disputes.ts';
import { type Fact, isSameFact, type PlainFact, unknownFact } from './facts/facts.ts';
import {
  anywhere,
  endWithout,
  nextOf,
  type Proof,
  type Scene,
  type SettleContext,
  type Without,
} from './failover.ts';
import { learn } from './learn.ts';
import { deliveredByLeft, stepAfterLeftDelivery, stepAfterLeftReversal } from './left/step.ts';
import { staySold } from './move-on.ts';
import {
  type Failed,
  giveUp,
  type InReview,
  isOpen,
  leaveUnknown,
  type Note,
  type Open,
  orderAgain,
  type Purchase,
  reverse,
  type Step,
  type Succeeded,
  succeed,
} from './purchase.ts';
import { successAnswer } from './replay/answers.ts';
import { isAboutOrder } from './resend.ts';
import { inquiryPause, quietOf, timingFrom } from './terms.ts';

type RefusedOrder = Extract<OrderOutcome, { kind: 'refused' }>;

/** A refusal as proof that nothing was delivered. */
export const proofOf = ({ blame, reason }: RefusedOrder): Proof => ({
  kind: 'refused',
  blame,
  reason,
});

const mayBeElsewhere: PlainFact = { code: 'may_be_elsewhere', values: {} };

/** After an order. A plain success or refusal needs no note: the purchase itself shows it. */
export const stepAfterOrder =
  (outcome: OrderOutcome, context: SettleContext) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    if (!isOpen(purchase)) return undefined;
    const leave = (fact: PlainFact): Step => {
      const dueAt = now + inquiryPause(purchase.inquiries, context.terms, context.chance);
      return leaveUnknown(purchase, { dueAt, inquired: false, note: { kind: 'order', fact } });
    };
    switch (outcome.kind) {
      case 'done':
        return succeed(purchase, {
          at: now,
          answer: successAnswer,
          ref: outcome.ref,
          cost: outcome.cost,
          balance: outcome.balance,
          note: null,
        });
      case 'refused': {
        if (!isAboutOrder(purchase, outcome, context.terms)) {
          return leave({ code: 'refused_again', values: { reason: outcome.reason } });
        }
        const proof = proofOf(outcome);
        return (
          endWithout(purchase, now, { context, scene, proof, note: null }) ?? leave(mayBeElsewhere)
        );
      }
      case 'unknown':
        return leave(unknownFact(outcome));
    }
  };

/** An inquiry: its time by the database's clock, and the place of that clock. */
type Asked = { readonly askedAt: number; readonly askedIn?: string | undefined };

/** Times of one database say nothing about another one's clock. */
const isElsewhere = (askedIn: string | undefined, { signature }: Scene): boolean =>
  askedIn !== undefined && askedIn !== signature;

/** Without the other suppliers' "no such order", which is proof only by its time. */
const withoutTimes = ({ others = [], ...context }: SettleContext): SettleContext => ({
  ...context,
  others: others.map(({ asked, ...other }) =>
    asked?.outcome.kind === 'not_found' ? other : { ...other, asked },
  ),
});

/** "No such order": proof after the quiet time, and only if the operator settles within a declared time. */
const notFound = (
  purchase: Open,
  now: number,
  { context, asked, scene }: { context: SettleContext; asked: Asked; scene: Scene },
): Step => {
  const { terms } = context;
  const { again } = scene;
  const elsewhere = isElsewhere(asked.askedIn, scene);
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
  const proof: Proof = { kind: 'not_found' };
  const end: Without = { context, scene, proof, note: { kind: 'inquiry', fact } };
  const mayOrderAgain =
    terms.deduplicates &&
    again !== 'never' &&
    purchase.disputed === null &&
    now - purchase.beganAt < terms.reviewAfterMs;
  // Another supplier before the same one again.
  if (mayOrderAgain && nextOf(purchase, now, end) === undefined) {
    if (again === 'later') return askAgain(purchase, now, context, fact);
    const values = { attempt: purchase.attempts + 1 };
    const note: Note = { kind: 'inquiry', fact: { code: 'ordered_again', values } };
    return orderAgain(purchase, timingFrom(now, terms), note);
  }
  return endWithout(purchase, now, end) ?? askAgain(purchase, now, context, mayBeElsewhere);
};

const answered = (code: 'delivered' | 'reversed' | 'refused'): Note => ({
  kind: 'inquiry',
  fact: { code: `answered_${code}`, values: {} },
});

/** After an inquiry made at `askedAt`, by the database's time. */
export const stepAfterInquiry =
  (outcome: StatusOutcome, given: SettleContext, askedAt: number, askedIn?: string) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    if (!isOpen(purchase)) return undefined;
    const context = isElsewhere(askedIn, scene) ? withoutTimes(given) : given;
    const sold = { at: now, answer: successAnswer };
    switch (outcome.kind) {
      case 'done':
        return succeed(purchase, {
          ...sold,
          ref: outcome.ref,
          cost: outcome.cost,
          balance: outcome.balance,
          note: answered('delivered'),
        });
      case 'reversed':
        return succeed(purchase, { ...sold, ref: purchase.id, note: answered('reversed') });
      case 'refused': {
        const end = { context, scene, proof: proofOf(outcome), note: answered('refused') };
        return endWithout(purchase, now, end) ?? askAgain(purchase, now, context, mayBeElsewhere);
      }
      case 'not_found':
        return notFound(purchase, now, { context, asked: { askedAt, askedIn }, scene });
      case 'pending':
        return askAgain(purchase, now, context, { code: 'answered_pending', values: {} });
      case 'unknown':
        return askAgain(purchase, now, context, unknownFact(outcome));
    }
  };

/** What a person has decided, the supplier has not denied. */
const hasDenied = ({ reason }: Failed): boolean =>
  !(reason?.code === 'error' && reason.values.name === 'NOT_DELIVERED');

/** What the supplier says of the cost after its delivery was captured; once. */
const learnCost = (purchase: Succeeded, told: number | undefined): Step | undefined => {
  const { supplierId, toldCost } = purchase;
  if (told === undefined || supplierId === null || toldCost !== null) return undefined;
  const cost = told - (bookedCost(purchase) ?? 0);
  return {
    after: { ...purchase, toldCost: told },
    posting: null,
    note: null,
    ...(cost === 0 ? {} : { costs: [{ supplierId, kind: 'told', cost }] }),
  };
};

/** A delivery contradicts the recorded end, or says what it cost. */
export const contradict = (purchase: Purchase, fact: Fact, told?: number): Step | undefined => {
  if (purchase.state === 'succeeded') return learnCost(purchase, told);
  if (purchase.state !== 'failed' || purchase.disputed !== null) return undefined;
  const { supplierId } = purchase;
  const disputed = { ...purchase, toldCost: told ?? purchase.toldCost };
  const step = dispute(disputed, { kind: 'contradiction', fact });
  if (supplierId === null) return step;
  const costs = [{ supplierId, kind: 'delivered', cost: bookedCost(disputed) }] as const;
  return hasDenied(purchase) ? { ...step, costs, brokenBy: supplierId } : { ...step, costs };
};

export const reportFact = ({ kind, at }: Pick<Report, 'kind' | 'at'>): PlainFact => ({
  code: `reported_${kind}`,
  values: { at },
});

/**
 * After a supplier's report: an open purchase is sold, one recorded as failed is disputed. The caller has read
 * this many notes, without this report; if there are more by now, it may be among them. The purchase may have
 * left the supplier since.
 */
export const stepAfterReport =
  (report: Report, supplierId: number, seenNotes: number) =>
  (purchase: Purchase, now: number): Step | undefined => {
    if (purchase.supplierId !== supplierId) {
      return report.kind === 'delivered'
        ? stepAfterLeftDelivery(supplierId, seenNotes)(purchase)
        : stepAfterLeftReversal(supplierId)(purchase);
    }
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

/** An order: its supplier, and its number among the purchase's orders. */
export type OrderName = { readonly supplierId: number; readonly attempts: number };

/**
 * After a final answer to an order that others have claimed since. A delivery is a fact under any claim. A
 * refusal ends only its own attempt: a deduplicating operator may judge a refused order again, and a newer
 * attempt may deliver.
 */
export const stepAfterLateAnswer =
  (outcome: OrderOutcome, context: SettleContext, { supplierId, attempts }: OrderName) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    if (outcome.kind === 'unknown') return undefined;
    if (purchase.supplierId !== supplierId) {
      if (outcome.kind !== 'done') return undefined;
      return stepAfterLeftDelivery(supplierId, purchase.notes)(purchase);
    }
    const fact = lateAnswerFact(outcome);
    const note: Note = { kind: 'late answer', fact };
    const learnOnce = (inReview: InReview): Step | undefined =>
      isSameFact(inReview.reason, fact) ? undefined : learn(inReview, note);
    if (outcome.kind === 'done') {
      if (isOpen(purchase)) {
        const { ref, cost, balance } = outcome;
        return succeed(purchase, { at: now, answer: successAnswer, ref, cost, balance, note });
      }
      return purchase.state === 'review'
        ? learnOnce(purchase)
        : contradict(purchase, fact, outcome.cost);
    }
    if (purchase.attempts !== attempts) return undefined;
    if (isOpen(purchase)) {
      if (!isAboutOrder(purchase, outcome, context.terms)) return undefined;
      return endWithout(purchase, now, { context, scene, proof: proofOf(outcome), note });
    }
    return purchase.state === 'review' ? learnOnce(purchase) : undefined;
  };

/**
 * A delivery that the operator reversed: the money returns once, unless a supplier that was left behind has
 * delivered too.
 */
export const stepAfterReversal =
  (at: number | null, supplierId?: number) =>
  (purchase: Purchase): Step | undefined => {
    if (purchase.state !== 'succeeded') return undefined;
    if ((supplierId ?? purchase.supplierId) !== purchase.supplierId) return undefined;
    const fact = { code: 'reversed', values: { at } } as const;
    const [earlier] = deliveredByLeft(purchase.disputed);
    return earlier === undefined
      ? reverse(purchase, { kind: 'reversal', fact })
      : staySold(purchase, earlier, fact);
  };

/** After it was found that no instance can ask its operator. */
export const stepWithoutOperator = (purchase: Purchase): Step | undefined => {
  if (!isOpen(purchase)) return undefined;
  const values = { operator: purchase.supplierId };
  const fact = { code: 'operator_unreachable', values } as const;
  return giveUp(purchase, fact, { kind: 'inquiry', fact });
};
