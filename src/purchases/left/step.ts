/** Defines the steps that follow from what a supplier that was left behind delivered, or reversed. Pure. */

import { costAt, reversedCost } from '../cost.ts';
import { dispute } from '../disputes.ts';
import { type Fact, isSameFact, type PlainFact } from '../facts/facts.ts';
import { learn } from '../learn.ts';
import { type Ended, isFinal, isOpen, type Note, type Purchase, type Step } from '../purchase.ts';

export const leftDelivered = (supplierId: number): PlainFact => ({
  code: 'left_delivered',
  values: { supplier: supplierId },
});

export const leftReversed = (supplierId: number): PlainFact => ({
  code: 'left_reversed',
  values: { supplier: supplierId },
});

/** The suppliers, left behind, that delivered and have not reversed it, in the order of the news. */
export const deliveredByLeft = (disputed: Fact | null): readonly number[] =>
  disputed?.code === 'left_delivered'
    ? [disputed.values.supplier, ...(disputed.values.also ?? [])]
    : [];

/** The dispute about their deliveries; null if there are none. */
export const disputeAbout = ([supplier, ...also]: readonly number[]): PlainFact | null => {
  if (supplier === undefined) return null;
  if (also.length === 0) return leftDelivered(supplier);
  return { code: 'left_delivered', values: { supplier, also } };
};

const hasEnded = (purchase: Purchase): purchase is Ended =>
  isFinal(purchase) && purchase.state !== 'refused';

/** Notes it, and replaces what is disputed. In review a person decides by the notes. */
const recorded = (purchase: Purchase, note: Note, disputed: Fact): Step | undefined => {
  if (isOpen(purchase) || hasEnded(purchase)) return dispute(purchase, note, disputed);
  if (purchase.state !== 'review') return undefined;
  const step = learn(purchase, note);
  return purchase.disputed === null ? step : { ...step, after: { ...step.after, disputed } };
};

/** Whether it is disputed by something else than what suppliers that were left behind did. */
const isOfOther = (disputed: Fact | null): disputed is Fact =>
  disputed !== null && disputed.code !== 'left_delivered' && disputed.code !== 'left_reversed';

/**
 * A supplier that was left behind delivered after all. That settles nothing: the current supplier may deliver
 * too. It forbids further suppliers, and counts if the current one is proved to have delivered nothing. The
 * caller has read this many notes, without this delivery.
 */
export const stepAfterLeftDelivery =
  (supplierId: number, seenNotes: number) =>
  (purchase: Purchase): Step | undefined => {
    const { left, disputed, notes } = purchase;
    const before = deliveredByLeft(disputed);
    if (!left.includes(supplierId) || notes !== seenNotes) return undefined;
    if (before.includes(supplierId) || isSameFact(disputed, leftReversed(supplierId))) {
      return undefined;
    }
    const fact = leftDelivered(supplierId);
    const now = isOfOther(disputed) ? disputed : disputeAbout([...before, supplierId]);
    const step = recorded(purchase, { kind: 'contradiction', fact }, now ?? fact);
    if (step === undefined) return undefined;
    const cost = costAt(purchase, supplierId);
    return { ...step, brokenBy: supplierId, costs: [{ supplierId, kind: 'delivered', cost }] };
  };

/**
 * The supplier that was left behind has reversed what it delivered. If neither another one of them nor the
 * current one has delivered, then nothing is sold.
 */
export const stepAfterLeftReversal =
  (supplierId: number) =>
  (purchase: Purchase): Step | undefined => {
    const { disputed, reason, state } = purchase;
    const before = deliveredByLeft(disputed);
    const isLearnt = state === 'review' && isSameFact(reason, leftDelivered(supplierId));
    if (!before.includes(supplierId) && !isLearnt) return undefined;
    const fact = leftReversed(supplierId);
    const now = disputeAbout(before.filter((id) => id !== supplierId)) ?? fact;
    const step = recorded(purchase, { kind: 'contradiction', fact }, now);
    if (step === undefined) return undefined;
    const cost = reversedCost(costAt(purchase, supplierId));
    return { ...step, costs: [{ supplierId, kind: 'reversed', cost }] };
  };
