/** Defines the steps that leave a supplier behind: to the next one, or back to one that delivered. Pure. */
import { type Attempt, type LeftAttempt, type NextAttempt, noAttempt } from './attempt.ts';
import {
  type Answer,
  type Note,
  type Open,
  type Step,
  type Succeeded,
  succeed,
  type Timing,
  withNote,
} from './purchase.ts';

const attemptOf = (purchase: Open): Attempt & Pick<LeftAttempt, 'attempts'> => {
  const { supplierId, sentTo, routeId, supplierCode, passedOver, attempts } = purchase;
  return { supplierId, sentTo, routeId, supplierCode, passedOver, attempts };
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
      reason: note.fact,
    },
    posting: null,
    note,
    left: { ...attemptOf(purchase), ...proof },
    routes,
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
  const { supplierId: current } = purchase;
  const others = purchase.left.filter((id) => id !== supplierId);
  const step = succeed(purchase, { ...end, ref: purchase.id });
  return {
    ...step,
    after: {
      ...step.after,
      ...noAttempt,
      supplierId,
      left: current === null ? others : [...others, current],
      disputed: null,
    },
    left: { ...attemptOf(purchase), ...left },
  };
};
