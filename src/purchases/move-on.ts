/** Defines the steps that leave a supplier behind: to the next one, or back to one that delivered. Pure. */
import { type Attempt, type LeftAttempt, type NextAttempt, noAttempt } from './attempt.ts';
import { bookedCost, type CostEntry, costAt, leaving, reversedCost } from './cost.ts';
import type { PlainFact } from './facts/facts.ts';
import { deliveredByLeft, disputeAbout, leftReversed } from './left/step.ts';
import {
  type Answer,
  type Note,
  type Open,
  type Purchase,
  type Step,
  type Succeeded,
  succeed,
  type Timing,
  withNote,
} from './purchase.ts';

const attemptOf = (purchase: Open | Succeeded): Attempt & Pick<LeftAttempt, 'attempts'> => {
  const { supplierId, sentTo, routeId, supplierCode, cost, passedOver, attempts } = purchase;
  return { supplierId, sentTo, routeId, supplierCode, cost, passedOver, attempts };
};

/** Ordered from another supplier. The new fencing number keeps whatever still runs at the old one out. */
export const moveOn = (
  purchase: Open,
  next: { readonly attempt: NextAttempt; readonly timing: Timing },
  left: Pick<LeftAttempt, 'proof' | 'fact' | 'askAt'> & { readonly note: Note },
  routes: string | null,
): Step<Open> => {
  const { note, ...proof } = left;
  const behind = purchase.supplierId === null ? [] : [purchase.supplierId];
  return {
    after: {
      ...purchase,
      ...withNote(purchase, note),
      ...next.attempt,
      ...next.timing,
      state: 'submitted',
      fence: purchase.fence + 1,
      attempts: purchase.attempts + 1,
      left: [...purchase.left, ...behind],
      leftCosts: leaving(purchase),
      reason: note.fact,
    },
    posting: null,
    note,
    left: { ...attemptOf(purchase), ...proof },
    routes,
  };
};

/** The purchase is with a supplier that was left behind, instead of the current one. */
const soldBy = (
  purchase: Purchase,
  supplierId: number,
): Attempt & Pick<Purchase, 'left' | 'leftCosts' | 'toldCost' | 'disputed'> => {
  const { supplierId: current, left, disputed } = purchase;
  const others = left.filter((id) => id !== supplierId);
  return {
    ...noAttempt,
    supplierId,
    cost: costAt(purchase, supplierId),
    toldCost: null,
    leftCosts: leaving(purchase),
    left: current === null ? others : [...others, current],
    disputed: disputeAbout(deliveredByLeft(disputed).filter((id) => id !== supplierId)),
  };
};

/**
 * Delivered by a supplier that was left behind, as was learnt later, while the current one is proved to have
 * delivered nothing. The hold is captured.
 */
export const succeedEarlier = (
  purchase: Open,
  supplierId: number,
  end: { readonly at: number; readonly answer: Answer; readonly note: Note },
  left: Pick<LeftAttempt, 'proof' | 'fact' | 'askAt'>,
): Step<Succeeded> => {
  const sold = { ...purchase, ...soldBy(purchase, supplierId) };
  const isBooked = deliveredByLeft(purchase.disputed).includes(supplierId);
  // The capture pays for it from now on.
  const captured: CostEntry = { supplierId, kind: 'captured', cost: reversedCost(sold.cost) };
  return {
    ...succeed(sold, { ...end, ref: purchase.id }),
    ...(isBooked ? { costs: [captured] } : {}),
    left: { ...attemptOf(purchase), ...left },
  };
};

/**
 * The current supplier has reversed its delivery, and one that was left behind has delivered too: no money
 * moves. An attempt that was left before has been written then.
 */
export const staySold = (
  purchase: Succeeded,
  earlier: number,
  fact: PlainFact,
): Step<Succeeded> => {
  const { supplierId: current, sentTo } = purchase;
  const note: Note = {
    kind: 'reversal',
    fact: current === null ? fact : leftReversed(current),
  };
  return {
    after: { ...purchase, ...withNote(purchase, note), ...soldBy(purchase, earlier) },
    posting: null,
    note,
    ...(current === null
      ? {}
      : {
          costs: [
            { supplierId: current, kind: 'reversed', cost: reversedCost(bookedCost(purchase)) },
          ],
        }),
    ...(sentTo === null
      ? {}
      : { left: { ...attemptOf(purchase), proof: 'refused', fact, askAt: null } }),
  };
};
