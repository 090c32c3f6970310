/** Calculates what an entry of a statement adds to the balance, whose parts are available and held. */

const isOwn = (account: string): boolean => account === 'available' || account === 'held';

/** Zero if the amount moves within the balance, such as a hold: it is charged later, or released. */
export const balanceChange = ({
  amount,
  from,
  to,
}: {
  readonly amount: number;
  readonly from: string;
  readonly to: string;
}): number => amount * (Number(isOwn(to)) - Number(isOwn(from)));
