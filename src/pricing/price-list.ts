/** Defines price lists: what a client's commission is, by product, category, operator and type. */
import { keptOf, type ProductType } from '../routing/route.ts';

/** A percentage of the price ("2.5"), or an amount. */
export type Commission =
  | { readonly kind: 'percent'; readonly percent: string }
  | { readonly kind: 'fixed'; readonly amount: number };

/** For which products. Each null means "any"; a product stands alone. */
export type Scope = {
  readonly productId: number | null;
  readonly categoryId: number | null;
  readonly operatorId: number | null;
  readonly productType: ProductType | null;
};

export type EntryTerms = Scope & { readonly commission: Commission };

export type Entry = EntryTerms & {
  /** Unique among the entries of all lists, and never given again. */
  readonly id: number;
};

/** What a list says from one moment on, by the database's clock, until its next version. */
export type ListVersion = {
  /** Counts a list's versions, from 1. */
  readonly number: number;
  readonly from: number;
  readonly entries: readonly Entry[];
};

/** What people say of a list itself. Unlike its versions it is not dated. */
export type ListTerms = {
  readonly name: string;
  /** The list that applies where this one has no entry; null for none. */
  readonly parentId: number | null;
  /** Its clients may pay less than the supplier costs. */
  readonly allowBelowCost: boolean;
};

export type PriceList = ListTerms & {
  readonly id: number;
  /** Without those that were withdrawn. */
  readonly versions: readonly ListVersion[];
};

/** The list of every client that is assigned to no other. It always exists. */
export const defaultListId = 1;

const whole = 1_000_000n;

/**
 * What a client gets of a price. A percentage is rounded down to a whole unit, so that no client gets more
 * than the list says. Costs are rounded half up: a list with the percentage of a route never sells below its cost.
 */
export const commissionOf = (commission: Commission, price: number): number => {
  if (commission.kind === 'fixed') return commission.amount;
  const parts = whole - BigInt(keptOf(commission.percent));
  return Number((BigInt(price) * parts) / whole);
};

/** What a client pays: at least 1, at least `floor`, and never more than the price. */
export const chargedOf = (
  price: number,
  commission: Commission | undefined,
  floor: number | undefined,
): number => {
  if (commission === undefined) return price;
  const wanted = price - commissionOf(commission, price);
  return Math.min(price, Math.max(1, wanted, floor ?? 1));
};
