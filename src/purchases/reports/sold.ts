/** Decides what follows from a report on a purchase that is sold anyway. Pure. */
import { costAt } from '../cost.ts';
import { dispute, learnOfDispute } from '../disputes.ts';
import type { Purchase, Step } from '../purchase.ts';
import { reportFact } from '../settle.ts';

/** A delivery that a supplier reports of what it has sold. */
export type SoldReport = {
  readonly at: number;
  readonly supplierId: number;
  readonly seenNotes: number;
  /** Whether another one is noted. */
  readonly isSecond: boolean;
};

/**
 * After a report on a purchase that its supplier has delivered: noted, and disputed if it is a second
 * delivery, by a supplier that declares that there is none. The caller has read this many notes.
 */
export const stepAfterSoldReport =
  ({ at, supplierId, seenNotes, isSecond }: SoldReport) =>
  (purchase: Purchase): Step | undefined => {
    if (purchase.state !== 'succeeded' || purchase.supplierId !== supplierId) return undefined;
    if (purchase.notes !== seenNotes || purchase.disputed !== null) return undefined;
    const fact = reportFact({ kind: 'delivered', at });
    if (!isSecond) return learnOfDispute(purchase, { kind: 'report', fact });
    return {
      ...dispute(purchase, { kind: 'contradiction', fact }),
      brokenBy: supplierId,
      costs: [{ supplierId, kind: 'delivered', cost: costAt(purchase, supplierId) }],
    };
  };
