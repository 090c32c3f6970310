/** Defines an attempt: the order of a purchase at one supplier. */
import { isTestSupplier } from '../operators/supplier.ts';
import type { Fact } from './facts/facts.ts';

/** The order at one supplier. */
export type Attempt = {
  /** The supplier of the current attempt; null if nothing was ordered, except for test clients. */
  readonly supplierId: number | null;
  /** The system that it is sent to, on every order of the attempt; null if unknown. */
  readonly sentTo: string | null;
  /** The route that was taken; null for the one that every operator has by itself. */
  readonly routeId: number | null;
  /** The supplier's own code of the product, if the route gives one. */
  readonly supplierCode: string | null;
  /** What it costs by the rule of its route; null if that is not known. */
  readonly cost: number | null;
  /** The routes that were passed over, each with a code, as JSON; null if there were none. */
  readonly passedOver: string | null;
};

/** An attempt that was left behind, with the proof that it delivered nothing. */
export type LeftAttempt = Attempt & {
  /** The number of its last order among those of the purchase. */
  readonly attempts: number;
  readonly proof: 'refused' | 'not_found';
  readonly fact: Fact;
  /** When the supplier is asked once more; null: never. */
  readonly askAt: number | null;
};

/** The attempt that follows one which is proved to have delivered nothing. */
export type NextAttempt = Attempt & { readonly supplierId: number };

export const noAttempt: Attempt = {
  supplierId: null,
  sentTo: null,
  routeId: null,
  supplierCode: null,
  cost: null,
  passedOver: null,
};

/** Nothing was ordered. Only the mark of a test client's purchase is kept. */
export const attemptOfNone = (supplierId: number | null): Attempt =>
  isTestSupplier(supplierId) ? { ...noAttempt, supplierId } : noAttempt;
