/** Builds the item that begins a purchase, from a request that was admitted and judged. */
import type { ClientRules } from '../clients/rules/rules.ts';
import { testSupplierId } from '../operators/supplier.ts';
import { type Attempt, attemptOfNone } from './attempt.ts';
import type { BeginItem } from './commit/begin.ts';
import { type Fields, profileFor } from './decide.ts';
import type { PurchaseDeps } from './deps.ts';
import { guardOf } from './guard/guard.ts';
import type { Decision } from './judge.ts';
import type { PurchaseRequest } from './purchase.ts';
import type { Entered } from './suppliers.ts';
import { termsOf } from './terms.ts';

export type BuyRequest = Pick<PurchaseRequest, 'requestId' | 'trace'> & {
  readonly clientId: string;
  readonly key: string;
  readonly fields: Fields;
  /** The client's rules; undefined if none are set. */
  readonly rules?: ClientRules | undefined;
  /** Whether a test client sent it. */
  readonly test: boolean;
};

/** A request with the fingerprint of its fields. */
export type Marked = BuyRequest & { readonly fingerprint: string };

/** A request with the id of its purchase. */
export type Named = Marked & { readonly id: string };

/** A request that has got a slot. */
export type Admitted = Named & { readonly entered: Entered };

const unordered = ({ test }: Marked, operatorId: number | null): Attempt =>
  attemptOfNone(test ? testSupplierId(operatorId ?? 0) : null);

const purchaseRequestOf = (
  deps: PurchaseDeps,
  request: Admitted,
  decision: Decision,
): PurchaseRequest => {
  const { clientId, id, key, requestId, trace, fields, fingerprint } = request;
  const operatorId = decision.product?.operator_id ?? null;
  return {
    clientId,
    id,
    key,
    fingerprint,
    productId: fields.productId,
    operatorId,
    ...(decision.kind === 'order' ? decision.chosen.attempt : unordered(request, operatorId)),
    mobile: fields.mobile,
    price: fields.price,
    offer: fields.offer,
    profileId:
      decision.kind === 'order'
        ? profileFor(decision.product, fields, deps.config.personalOffers)
        : fields.profileId,
    webserviceCode: fields.webserviceCode,
    requestId,
    trace,
  };
};

/** The transaction's item: the purchase, its decision, and the limits on it. */
export const beginItem = (deps: PurchaseDeps, request: Admitted, decision: Decision): BeginItem => {
  const { routes } = request.entered;
  const requested = purchaseRequestOf(deps, request, decision);
  if (decision.kind === 'refuse') {
    return { requested, decision: { kind: 'refuse', refusal: decision.refusal }, routes };
  }
  const guard = guardOf(request.rules, request.fields);
  const { supplier, cost } = decision.chosen;
  const { clientId, price } = requested;
  const quote = deps.pricing?.quote({ product: decision.product, clientId, price, cost });
  return {
    requested,
    decision: {
      kind: 'order',
      terms: termsOf(supplier, deps.config.recovery),
      ...(quote === undefined ? {} : { quote }),
    },
    routes,
    ...(guard === undefined ? {} : { guard }),
  };
};
