/** Finds the suppliers of a purchase, and takes a slot at the first that has one. */
import type { Product } from '../catalogue/product.ts';
import { GatewayError } from '../lib/errors.ts';
import { findSupplier, type Operator } from '../operators/registry.ts';
import { isTestPurchase, supplierFor } from '../operators/supplier.ts';
import type { NextAttempt } from './attempt.ts';
import type { PurchaseDeps } from './deps.ts';
import type { Next, OtherAnswer } from './failover.ts';
import type { Open, Purchase } from './purchase.ts';
import type { Choice, PassedOver, Wanted } from './routing.ts';
import { type Terms, termsFor, termsOf } from './terms.ts';

const only = (supplier: Operator | undefined): Choice => ({
  candidates:
    supplier === undefined
      ? []
      : [{ supplier, routeId: null, supplierCode: null, cost: undefined }],
  passedOver: [],
  version: null,
});

/**
 * A personal offer belongs to the supplier that made it: the operator's own. A test client's purchase never
 * leaves the simulator.
 */
const chooseFor = (deps: PurchaseDeps, wanted: Wanted): Choice => {
  const { routing, registry, config } = deps;
  const { id, operator_id } = wanted.product;
  if (wanted.test || routing === undefined || config.personalOffers.includes(id)) {
    const supplierId = supplierFor(wanted, operator_id);
    return only(wanted.left.length === 0 ? findSupplier(registry, supplierId) : undefined);
  }
  return routing.choose(wanted);
};

/** A supplier, and the attempt at it. */
export type Chosen = {
  readonly supplier: Operator;
  readonly attempt: NextAttempt;
  /** What the order costs; undefined if it is not known. */
  readonly cost: number | undefined;
};

/** A slot, until `leave` is called, and the attempt at the supplier that has it; undefined: there is none. */
export type Entered = {
  readonly leave: () => void;
  readonly chosen: Chosen | undefined;
  /** The version of the routes that decided it; null if routes do not matter. */
  readonly routes: string | null;
};

// A purchase's row stays small, however many routes fit its product.
const mostStored = 30;

const jsonOf = (passedOver: readonly PassedOver[]): string | null =>
  passedOver.length === 0 ? null : JSON.stringify(passedOver.slice(0, mostStored));

/** Takes a slot at the first supplier that admits work. Throws the best one's refusal if none does. */
const enterFor = (deps: PurchaseDeps, wanted: Wanted): Entered | undefined => {
  const { candidates, passedOver, version: routes } = chooseFor(deps, wanted);
  const over = [...passedOver];
  let refusal: GatewayError | undefined;
  for (const { supplier, routeId, supplierCode, cost } of candidates) {
    try {
      const leave = deps.admission.enter(supplier.id);
      const { id: supplierId, system: sentTo } = supplier;
      const attempt = {
        supplierId,
        sentTo,
        routeId,
        supplierCode,
        cost: cost ?? null,
        passedOver: jsonOf(over),
      };
      return { leave, chosen: { supplier, attempt, cost }, routes };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      refusal ??= error;
      over.push({ route: routeId, supplier: supplier.id, code: error.code });
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
};

/** Takes a slot for a new purchase, also where there is no supplier or no product. */
export const enterFirst = (
  deps: PurchaseDeps,
  product: Product | undefined,
  wanted: Omit<Wanted, 'product' | 'left' | 'charged'>,
): Entered => {
  // The commission yields to the cost: at most the client pays the price.
  const first = { ...wanted, charged: wanted.price, left: [] };
  const entered = product === undefined ? undefined : enterFor(deps, { ...first, product });
  const supplierId = product && supplierFor(wanted, product.operator_id);
  return entered ?? { leave: deps.admission.enter(supplierId), chosen: undefined, routes: null };
};

const none: readonly OtherAnswer[] = [];

/** The other suppliers of a purchase's operator, not asked yet. */
export const othersOf = (deps: PurchaseDeps, purchase: Open): readonly OtherAnswer[] => {
  const { operatorId, supplierId, left } = purchase;
  if (deps.routing === undefined || operatorId === null || isTestPurchase(purchase)) return none;
  return deps.routing
    .serving(operatorId)
    .filter(({ id }) => id !== supplierId && !left.includes(id))
    .map((supplier) => ({ supplier, terms: termsOf(supplier, deps.config.recovery) }));
};

const hasBrokenPromise = ({ promises }: PurchaseDeps, supplierId: number): boolean =>
  (promises?.brokenBy(supplierId) ?? 0) > 0;

/** The terms of one purchase. A supplier that has broken a promise gets no order again. */
export const termsNow = (
  deps: PurchaseDeps,
  supplier: Operator,
  purchase: Pick<Purchase, 'sentTo'>,
): Terms => {
  const terms = termsFor(supplier, purchase, deps.config.recovery);
  const { resendWithinMs } = terms;
  if (!hasBrokenPromise(deps, supplier.id)) return terms;
  return {
    ...terms,
    deduplicates: false,
    resendWithinMs: resendWithinMs === undefined ? undefined : 0,
  };
};

/** The next supplier, with a slot there. */
export type EnteredNext = {
  readonly leave: () => void;
  readonly supplier: Operator;
  readonly next: Next;
};

/** Takes a slot at the next supplier of a purchase, if there is one. */
export const enterNext = (deps: PurchaseDeps, purchase: Open): EnteredNext | undefined => {
  const { routing } = deps;
  const product = deps.catalogue().product(purchase.productId);
  if (routing === undefined || product === undefined || purchase.supplierId === null) {
    return undefined;
  }
  if (isTestPurchase(purchase)) return undefined;
  const { clientId, price, id } = purchase;
  const left = [...purchase.left, purchase.supplierId];
  if (left.length >= routing.mostSuppliers) return undefined;
  // What it denies proves nothing any more.
  if (hasBrokenPromise(deps, purchase.supplierId)) return undefined;
  try {
    const charged = deps.pricing?.allowsBelowCost(clientId) ? price : purchase.charged;
    const wanted = { product, clientId, test: false, price, charged, purchaseId: id, left };
    const entered = enterFor(deps, wanted);
    if (entered?.chosen === undefined) return undefined;
    const { supplier, attempt } = entered.chosen;
    const { giveUpAfterMs } = routing;
    const terms = termsOf(supplier, deps.config.recovery);
    const next = { attempt, terms, giveUpAfterMs, routes: entered.routes };
    return { leave: entered.leave, supplier, next };
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};
