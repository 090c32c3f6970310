/** Defines what a purchase costs at its suppliers, and what is learnt about that later. Pure. */

/** What the attempts at suppliers that were left behind cost, by supplier; those without are not known. */
export type LeftCosts = ReadonlyMap<number, number>;

/** Shared: hardly any purchase leaves a supplier. */
export const noLeftCosts: LeftCosts = new Map();

/** Why the books of a supplier change besides the capture and the reversal; once each for a purchase. */
export const costKinds = ['delivered', 'captured', 'reversed', 'not_delivered', 'told'] as const;

/** A line of a supplier's ledger. */
export type CostEntry = {
  readonly supplierId: number;
  readonly kind: (typeof costKinds)[number];
  /** Added to the cost; null if it is not known. */
  readonly cost: number | null;
};

/** What a purchase knows of its cost. */
type Costed = {
  readonly supplierId: number | null;
  /** By the rule of its route. */
  readonly cost: number | null;
  /** By the supplier's own words. */
  readonly toldCost: number | null;
  readonly leftCosts: LeftCosts;
};

/** What the current supplier takes for its delivery: what it says counts more than the rule. */
export const bookedCost = ({ cost, toldCost }: Pick<Costed, 'cost' | 'toldCost'>): number | null =>
  toldCost ?? cost;

/** The same at any supplier of the purchase. */
export const costAt = (purchase: Costed, supplierId: number): number | null =>
  purchase.supplierId === supplierId
    ? bookedCost(purchase)
    : (purchase.leftCosts.get(supplierId) ?? null);

/** The opposite of a cost. */
export const reversedCost = (cost: number | null): number | null =>
  cost === null ? null : 0 - cost;

/** The costs of the attempts that were left behind, with that of the current one. */
export const leaving = ({ supplierId, cost, leftCosts }: Costed): LeftCosts =>
  supplierId === null || cost === null ? leftCosts : new Map(leftCosts).set(supplierId, cost);
