/** Adds up what a purchase cost at its suppliers, and what is left of what its client was charged. Pure. */
import type { LedgerRow } from '../cost-store.ts';
import type { Purchase } from '../purchase.ts';
import type { readPostings } from './store.ts';

type Posting = Pick<Awaited<ReturnType<typeof readPostings>>[number], 'kind' | 'amount' | 'cost'>;

export type PurchaseCost = {
  /** What the current supplier takes by the rule of its route; null if that is not known. */
  readonly byRule: number | null;
  /** What it says that it takes; null if it does not. */
  readonly told: number | null;
  /** What all suppliers together have taken; null while the purchase is open, and if that is not known. */
  readonly cost: number | null;
  /** What the client was charged less the cost. */
  readonly margin: number | null;
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const isOfDelivery = ({ kind }: Posting): boolean => kind === 'capture' || kind === 'reverse';

/** What the supplier said later is the whole cost where none was known before. */
const isKnown = (
  postings: readonly Posting[],
  learnt: readonly Pick<LedgerRow, 'kind' | 'cost'>[],
) =>
  learnt.every(({ cost }) => cost !== null) &&
  (postings.every(({ cost }) => cost !== null) || learnt.some(({ kind }) => kind === 'told'));

/** Null for a refused purchase, which was ordered nowhere. */
export const costOfPurchase = (
  purchase: Purchase,
  allPostings: readonly Posting[],
  learnt: readonly Pick<LedgerRow, 'kind' | 'cost'>[],
): PurchaseCost | null => {
  if (purchase.state === 'refused') return null;
  const { cost: byRule, toldCost: told } = purchase;
  const postings = allPostings.filter(isOfDelivery);
  if (purchase.answer === null || !isKnown(postings, learnt)) {
    return { byRule, told, cost: null, margin: null };
  }
  const cost = sumOf([...postings, ...learnt].map((one) => one.cost ?? 0));
  const charged = sumOf(
    postings.map(({ kind, amount }) => (kind === 'capture' ? amount : 0 - amount)),
  );
  return { byRule, told, cost, margin: charged - cost };
};
