/** Names what may look different after an action on purchases. */
import type { OperationId } from '../api/client.ts';

export const changedByAction: readonly OperationId[] = [
  'getPurchase',
  'searchPurchases',
  'sumPurchases',
];
