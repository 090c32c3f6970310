/** Leaves a purchase unknown until the next inquiry, or gives it to a person. Pure. */
import type { PlainFact } from './facts/facts.ts';
import type { SettleContext } from './failover.ts';
import { giveUp, leaveUnknown, type Note, type Open, type Step } from './purchase.ts';
import { inquiryPause } from './terms.ts';

// Time alone is not enough: after a day's downtime the gateway must first inquire a few times.
export const leastInquiries = 3;

/** Still unknown: inquire later, or after the time limit move it to review. */
export const askAgain = (
  purchase: Open,
  now: number,
  context: Pick<SettleContext, 'terms' | 'chance'>,
  fact: PlainFact,
): Step => {
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
