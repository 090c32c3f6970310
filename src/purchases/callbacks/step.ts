/** Decides how an operator's callback changes a purchase. Pure. */
import type { StatusOutcome } from '../../connector/connector.ts';
import type { PlainFact } from '../facts/facts.ts';
import { anywhere, endWithout, type Scene, type SettleContext } from '../failover.ts';
import { bringInquiryForward, learn } from '../learn.ts';
import { isOpen, type Note, type Open, type Purchase, type Step, succeed } from '../purchase.ts';
import { successAnswer } from '../replay/answers.ts';
import { contradict, proofOf } from '../settle.ts';

/** A callback's statement, as it is noted. */
export const callbackFact = (outcome: StatusOutcome): PlainFact => {
  switch (outcome.kind) {
    case 'done':
      return { code: 'called_back_delivered', values: {} };
    case 'reversed':
      return { code: 'called_back_reversed', values: { at: outcome.at } };
    case 'refused':
      return { code: 'called_back_refused', values: { reason: outcome.reason } };
    default:
      return { code: 'called_back', values: {} };
  }
};

/**
 * The end by a final callback. A delivery is a fact at any time. A refusal ends only its own attempt, and a
 * callback does not name it: so it counts if there was one attempt, and its answer is not awaited.
 */
const endByCallback = (
  purchase: Open,
  now: number,
  {
    outcome,
    context,
    scene,
  }: {
    readonly outcome: StatusOutcome;
    readonly context: SettleContext;
    readonly scene: Scene;
  },
): Step | undefined => {
  const note: Note = { kind: 'callback', fact: callbackFact(outcome) };
  const sold = { at: now, answer: successAnswer, note };
  if (outcome.kind === 'done') {
    const { ref, cost, balance } = outcome;
    return succeed(purchase, { ...sold, ref, cost, balance });
  }
  if (outcome.kind === 'reversed') return succeed(purchase, { ...sold, ref: purchase.id });
  const isOfOnly = purchase.state === 'unknown' && purchase.attempts === 1;
  // A callback never causes an order: where another supplier may be tried, an inquiry does.
  return outcome.kind === 'refused' && isOfOnly && outcome.blame !== 'supplier'
    ? endWithout(purchase, now, { context, scene, proof: proofOf(outcome), note })
    : undefined;
};

/** What a supplier's callback says. */
export type CalledBack = {
  readonly supplierId: number;
  readonly outcome: StatusOutcome;
  /** The number of notes when none of them said this; null if it is not to be noted. */
  readonly seenNotes: number | null;
  /** For an end; absent if the callback is no proof of one. */
  readonly context?: SettleContext | undefined;
};

/** After a callback: it ends an open purchase if it is final, and otherwise triggers an inquiry now. */
export const stepAfterCallback =
  ({ supplierId, outcome, seenNotes, context }: CalledBack) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    // It has left the supplier since.
    if (purchase.supplierId !== supplierId) return undefined;
    const fact = callbackFact(outcome);
    const note: Note = { kind: 'callback', fact };
    const isNew = purchase.notes === seenNotes;
    if (isOpen(purchase)) {
      const end =
        context === undefined
          ? undefined
          : endByCallback(purchase, now, { outcome, context, scene });
      return end ?? (isNew ? bringInquiryForward(purchase, now, note) : undefined);
    }
    if (!isNew || fact.code === 'called_back') return undefined;
    if (purchase.state === 'review') return learn(purchase, note);
    return outcome.kind === 'done' ? contradict(purchase, fact, outcome.cost) : undefined;
  };
