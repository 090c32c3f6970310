/** Makes the posting of a delivery. Pure. */
import type { Posting } from '../ledger/posting.ts';

type Delivered = {
  readonly id: string;
  readonly charged: number;
  readonly supplierId: number | null;
};

/** By the current supplier; or of the delivery's reversal. */
export const delivery = (
  kind: 'capture' | 'reverse',
  { id: purchaseId, charged: amount, supplierId }: Delivered,
  cost: number | null,
  supplierBalance: number | null = null,
): Posting => ({ kind, amount, purchaseId, supplierId, cost, supplierBalance });
