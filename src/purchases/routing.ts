/** Defines how a purchase finds the suppliers of its product. */
import type { Product } from '../catalogue/product.ts';
import type { Operator } from '../operators/registry.ts';

/** A supplier that a product can be ordered from, by a route. */
export type Candidate = {
  readonly supplier: Operator;
  readonly routeId: number | null;
  readonly supplierCode: string | null;
  /** What the order costs; undefined if it is not known. */
  readonly cost: number | undefined;
};

export type Wanted = {
  readonly product: Product;
  readonly clientId: string;
  /** Whether it is a test client's: then routes do not matter. */
  readonly test: boolean;
  readonly price: number;
  /** What the client pays at most. */
  readonly charged: number;
  readonly purchaseId: string;
  /** The suppliers that have had it. */
  readonly left: readonly number[];
};

/** A route that was not taken, and why. */
export type PassedOver = {
  readonly route: number | null;
  readonly supplier: number;
  readonly code: string;
};

export type Choice = {
  /** Those that may be tried, the best first, each supplier once. */
  readonly candidates: readonly Candidate[];
  readonly passedOver: readonly PassedOver[];
  /** The version of the routes that decided it; null if routes do not matter. */
  readonly version: string | null;
};

/** How products find their suppliers. */
export type Routing = {
  readonly choose: (wanted: Wanted) => Choice;
  /** Reads the routes again if they still have this version. */
  readonly renew: (outdated: string | null) => Promise<void>;
  /** All that may have got an order for this operator, also by routes of the past. */
  readonly serving: (operatorId: number) => readonly Operator[];
  /** An attempt has ended: delivered, or failed by the supplier's fault. */
  readonly record: (
    attempt: { readonly routeId: number | null; readonly supplierId: number },
    end: 'delivered' | 'failed',
  ) => void;
  readonly mostSuppliers: number;
  /** No purchase moves on when it began longer ago than this. */
  readonly giveUpAfterMs: number;
};
