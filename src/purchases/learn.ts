/** Defines the steps after news that end nothing. Pure. */
import { type InReview, type Note, type Open, type Step, withNote } from './purchase.ts';

/** Something was learnt that ends nothing. An inquiry is due now, unless its order is in flight. */
export const bringInquiryForward = (purchase: Open, now: number, note: Note): Step<Open> => ({
  after: {
    ...purchase,
    ...withNote(purchase, note),
    dueAt: purchase.state === 'unknown' ? Math.min(purchase.dueAt, now) : purchase.dueAt,
  },
  posting: null,
  note,
});

/** New facts about a purchase in review. They are kept for the person who decides, and change nothing. */
export const learn = (purchase: InReview, note: Note): Step<InReview> => ({
  after: { ...purchase, ...withNote(purchase, note), reason: note.fact },
  posting: null,
  note,
});
