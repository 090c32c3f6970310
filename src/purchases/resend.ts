/** Decides when an order is sent again instead of an inquiry, and what its refusal proves. Pure. */
import type { OrderOutcome } from '../connector/connector.ts';
import { askAgain, leastInquiries } from './ask-again.ts';
import { anywhere, type Scene, type SettleContext } from './failover.ts';
import {
  giveUp,
  isOpen,
  leaveUnknown,
  type Note,
  type Open,
  orderAgain,
  type Purchase,
  type Step,
} from './purchase.ts';
import { quietFrom, quietOf, type Terms, timingFrom } from './terms.ts';

type RefusedOrder = Extract<OrderOutcome, { kind: 'refused' }>;

/** Whether the current supplier was sent the order more than once. */
const isResent = ({ attempts, left }: Open): boolean => attempts > left.length + 1;

// The operator has not read the order, so it says nothing of the earlier one either.
const unread: ReadonlySet<RefusedOrder['code']> = new Set(['unreachable', 'throttled']);

/**
 * Whether a refusal is about the order itself, and not only about sending it again. The refusal of a repeat
 * is, where the operator recognizes the reference, and everything sent before has settled.
 */
export const isAboutOrder = (purchase: Open, { code }: RefusedOrder, terms: Terms): boolean => {
  if (terms.resendWithinMs === undefined || !isResent(purchase)) return true;
  return terms.deduplicates && !unread.has(code);
};

/** Whether it may arrive after the operator has forgotten the reference, or no longer helps. */
const isTooLate = (purchase: Open, now: number, terms: Terms): boolean => {
  const { resendWithinMs, settlesWithinMs, sendWithinMs, reviewAfterMs } = terms;
  const { beganAt, sendBefore, inquiries } = purchase;
  // Without a bound it may arrive at any time.
  if (resendWithinMs === undefined || settlesWithinMs === undefined) return true;
  // The clock was set back: how much time has passed is not known.
  if (now < Math.max(beganAt, sendBefore - sendWithinMs)) return true;
  const isOld = now - beganAt >= reviewAfterMs && inquiries >= leastInquiries;
  return isOld || quietFrom(now + sendWithinMs, terms) > beganAt + resendWithinMs;
};

/** An operator that takes no inquiries: the same order once more, or a person decides. */
export const stepToResend =
  (context: Pick<SettleContext, 'terms' | 'chance'>) =>
  (purchase: Purchase, now: number, scene: Scene = anywhere): Step | undefined => {
    if (!isOpen(purchase)) return undefined;
    const { terms } = context;
    const none = { code: 'no_inquiries', values: { operator: purchase.supplierId } } as const;
    const wait = (dueAt: number): Step =>
      leaveUnknown(purchase, { dueAt, inquired: false, note: { kind: 'inquiry', fact: none } });
    if (scene.again === 'later') return wait(now + terms.widestInquiryMs);
    if (scene.again === 'never' || purchase.disputed !== null) {
      return askAgain(purchase, now, context, none);
    }
    if (isTooLate(purchase, now, terms)) {
      const fact = { code: 'resend_over', values: {} } as const;
      return giveUp(purchase, fact, { kind: 'inquiry', fact });
    }
    // Then the answer is about everything that was sent before.
    const quietAt = quietOf(purchase, terms);
    if (now < quietAt) return wait(quietAt);
    const values = { attempt: purchase.attempts + 1 };
    const note: Note = { kind: 'inquiry', fact: { code: 'sent_again', values } };
    return orderAgain(purchase, timingFrom(now, terms), note);
  };
