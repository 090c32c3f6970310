/** Calculates what an entry of a statement adds to the available balance. */

/** Below zero if the amount is held, charged or taken. */
export const signedAmount = ({
  amount,
  to,
}: {
  readonly amount: number;
  readonly to: string;
}): number => (to === 'available' ? amount : -amount);
