/** Defines a route: for which products and which client a supplier is ordered from, and by which terms. */
import type { productTypes } from '../catalogue/product.ts';

export type ProductType = (typeof productTypes)[number];

/** In the order of ISO 8601: a week begins on Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** What an order costs us: not known, an amount, or the price less a percentage ("2.5"). */
export type CostRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'fixed'; readonly amount: number }
  | { readonly kind: 'percent'; readonly percent: string };

/** Minutes since the business day began, from the first until before the second. It may pass midnight. */
export type Hours = { readonly from: number; readonly to: number };

/** What people say of a route. Each null in its scope means "any". */
export type RouteTerms = {
  readonly operatorId: number;
  readonly productId: number | null;
  readonly categoryId: number | null;
  readonly productType: ProductType | null;
  readonly clientId: string | null;
  readonly supplierId: number;
  /** The supplier's own code of the product. */
  readonly productCode: string | null;
  readonly cost: CostRule;
  /** It may be taken although its cost is above what the client pays. */
  readonly allowDearer: boolean;
  /** 1 is the best. */
  readonly priority: number;
  /** Its share among the routes of the same priority. */
  readonly weight: number;
  readonly hours: Hours | null;
  /** Empty: every day. Hours that pass midnight belong to the day on which they begin. */
  readonly days: readonly Weekday[];
  /** From this moment until before that one, in epoch milliseconds by the database's clock. */
  readonly validFrom: number | null;
  readonly validUntil: number | null;
  readonly enabled: boolean;
};

export type Route = RouteTerms & {
  /** Stays the same when the route changes. 0 is the implicit route. */
  readonly id: number;
};

// Enough for any table that people can read.
export const mostPriority = 1000;
export const mostWeight = 1000;

export const implicitRouteId = 0;
const implicitPriority = 100;

/** What every operator has without being told: a route for everything to the supplier with its own id. */
export const implicitRoute = (operatorId: number): Route => ({
  id: implicitRouteId,
  operatorId,
  productId: null,
  categoryId: null,
  productType: null,
  clientId: null,
  supplierId: operatorId,
  productCode: null,
  cost: { kind: 'none' },
  allowDearer: false,
  priority: implicitPriority,
  weight: 1,
  hours: null,
  days: [],
  validFrom: null,
  validUntil: null,
  enabled: true,
});

/** Whether it is for everything of its operator, for every client. */
export const isOperatorWide = (route: RouteTerms): boolean =>
  route.productId === null &&
  route.categoryId === null &&
  route.productType === null &&
  route.clientId === null;

// A ten-thousandth of a percent is the smallest step.
const percentStep = 10_000;
const whole = 100 * percentStep;

/** Whether it is a percentage from 0 to 100, with at most four decimals. */
export const isPercent = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 100;

/** The part of the price that a percentage leaves, in millionths. */
export const keptOf = (percent: string): number =>
  whole - Math.round(Number(percent) * percentStep);

/** So many millionths of a price, exactly, rounded half up. */
export const shareOf = (price: number, kept: number): number => {
  const parts = price * kept + whole / 2;
  return Number.isSafeInteger(parts)
    ? Math.floor(parts / whole)
    : Number((BigInt(price) * BigInt(kept) + BigInt(whole / 2)) / BigInt(whole));
};

/** What an order of this price costs us; undefined if it is not known. */
export const costOf = (rule: CostRule, price: number): number | undefined => {
  if (rule.kind === 'fixed') return rule.amount;
  return rule.kind === 'percent' ? shareOf(price, keptOf(rule.percent)) : undefined;
};

/** Why a route is passed over, in the order of the checks: the first that applies is given. */
export const passedOverCodes = [
  'off',
  'not_valid_now',
  'out_of_hours',
  'tried_before',
  'same_group',
  'unknown_here',
  'suspended',
  'breaker_open',
  'no_float',
  'full',
  'dearer',
  'route_closed',
  'same_supplier',
] as const;
export type PassedOverCode = (typeof passedOverCodes)[number];

/** What is known of a supplier at this moment, and of this route to it. */
export type SupplierState =
  | 'ready'
  | Extract<
      PassedOverCode,
      'unknown_here' | 'suspended' | 'route_closed' | 'breaker_open' | 'no_float' | 'full'
    >;
