/** Defines the timing of a purchase: waiting, inquiries and review. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

const seconds = (count: number): number => count * 1000;

export const PurchasesSchema = Type.Object(
  {
    pendingAfterMs: wholeNumber(
      seconds(25),
      1,
      'A request that waits longer than this is answered 202. Most clients and proxies give up at 30 seconds.',
    ),
    sendWithinMs: wholeNumber(
      seconds(2),
      1,
      'How long after the start of a purchase its order may still be sent. Part of the quiet time.',
    ),
    firstInquiryMs: wholeNumber(seconds(2), 1, 'Pause before the first inquiry about an order.'),
    widestInquiryMs: wholeNumber(
      seconds(600),
      1,
      'Longest pause between inquiries. Each pause is twice the one before, varied by a fifth.',
    ),
    reviewAfterMs: wholeNumber(
      seconds(86_400),
      1,
      'After this time a purchase needs review. Its money stays held.',
    ),
    callbackDays: wholeNumber(90, 1, 'Days for which callbacks of operators are kept as evidence.'),
  },
  group,
);
