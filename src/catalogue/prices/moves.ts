/** Compares prices before and after a change of the catalogue, and plans how to revert a change. Pure. */
import type { Product } from '../product.ts';

export const priceFields = ['price', 'second_price', 'showable_price'] as const;
export type PriceField = (typeof priceFields)[number];

/** One price of one product; null where the product has none. */
export type StoredMove = {
  readonly productId: number;
  readonly field: PriceField;
  readonly before: number | null;
  readonly after: number | null;
};

/** The prices that differ. A new product has no earlier price, so it is not among them. */
export const movesBetween = (
  before: readonly Product[],
  after: readonly Product[],
): StoredMove[] => {
  const next = new Map(after.map((one) => [one.id, one]));
  return before.flatMap((old) => {
    const now = next.get(old.id);
    if (now === undefined) return [];
    return priceFields
      .filter((field) => old[field] !== now[field])
      .map((field) => ({ productId: old.id, field, before: old[field], after: now[field] }));
  });
};

/** Why a price is not reverted. `wrong_range`: the highest price would be below the price. */
export const keptCodes = ['changed_since', 'removed', 'wrong_range'] as const;
export type KeptCode = (typeof keptCodes)[number];

export type KeptMove = StoredMove & { readonly code: KeptCode };

export type RevertPlan = {
  /** The products with their earlier prices, without their times. */
  readonly products: readonly Product[];
  /** The prices to revert, as the change made them. */
  readonly moves: readonly StoredMove[];
  readonly kept: readonly KeptMove[];
};

const keep = (moves: readonly StoredMove[], code: KeptCode): KeptMove[] =>
  moves.map((move) => ({ ...move, code }));

const withEarlier = (product: Product, moves: readonly StoredMove[]): Product => {
  const earlier = (field: PriceField): number | null => {
    const move = moves.find((one) => one.field === field);
    return move === undefined ? product[field] : move.before;
  };
  return {
    ...product,
    price: earlier('price') ?? product.price,
    second_price: earlier('second_price'),
    showable_price: earlier('showable_price'),
  };
};

/** Restores the prices that still are as the change left them. */
export const planRevert = (
  products: readonly Product[],
  moves: readonly StoredMove[],
): RevertPlan => {
  const byProduct = Map.groupBy(moves, ({ productId }) => productId);
  const reverted: Product[] = [];
  const back: StoredMove[] = [];
  const kept: KeptMove[] = [];
  for (const product of products) {
    const own = byProduct.get(product.id);
    if (own === undefined) continue;
    byProduct.delete(product.id);
    const [same, other] = [true, false].map((wanted) =>
      own.filter(({ field, after }) => (product[field] === after) === wanted),
    );
    kept.push(...keep(other ?? [], 'changed_since'));
    if (same === undefined || same.length === 0) continue;
    const next = withEarlier(product, same);
    if (next.second_price !== null && next.second_price < next.price) {
      kept.push(...keep(same, 'wrong_range'));
      continue;
    }
    reverted.push(next);
    back.push(...same);
  }
  for (const own of byProduct.values()) kept.push(...keep(own, 'removed'));
  return { products: reverted, moves: back, kept };
};
