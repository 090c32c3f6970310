/** Selects products for the back office by their attributes or a search text. Pure. */
import { type Folded, foldName, nameContains } from '../../catalogue/filter.ts';
import type { Product } from '../../catalogue/product.ts';
import { latinDigits } from '../../lib/digits.ts';

export type ProductFilter = {
  /** Part of a name, an id, or part of the seller's own code. */
  readonly search?: string | undefined;
  readonly operatorId?: number | undefined;
  readonly categoryId?: number | undefined;
  readonly type?: Product['type'] | undefined;
  readonly simCardType?: Product['sim_card_type'] | undefined;
  /** Whether it is on sale. */
  readonly on?: boolean | undefined;
  /** The lowest and the highest price. */
  readonly priceFrom?: number | undefined;
  readonly priceTo?: number | undefined;
};

/** Listed either way; sold only if it is on. */
export const isOn = ({ status }: Pick<Product, 'status'>): boolean => status === 1;

type Candidate = { readonly product: Product; readonly names: readonly Folded[] };

const searcher = (search: string): ((one: Candidate) => boolean) => {
  const part = foldName(search);
  const code = latinDigits(search.trim()).toLowerCase();
  return ({ product: { id, sku }, names }) =>
    names.some((name) => nameContains(name, part)) ||
    String(id) === code ||
    (sku ?? '').toLowerCase().includes(code);
};

export const productMatcher = (filter: ProductFilter): ((one: Candidate) => boolean) => {
  const { operatorId, categoryId, type, simCardType, on, priceFrom, priceTo } = filter;
  const text = filter.search?.trim() ?? '';
  const isFound = text === '' ? () => true : searcher(text);
  return (one) => {
    const { product } = one;
    return (
      (operatorId === undefined || product.operator_id === operatorId) &&
      (type === undefined || product.type === type) &&
      (simCardType === undefined || product.sim_card_type === simCardType) &&
      (on === undefined || isOn(product) === on) &&
      (priceFrom === undefined || product.price >= priceFrom) &&
      (priceTo === undefined || product.price <= priceTo) &&
      (categoryId === undefined || product.categories.some(({ id }) => id === categoryId)) &&
      isFound(one)
    );
  };
};
