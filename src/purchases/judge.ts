/** Judges a request by the catalogue, the client's rules, the operator and the offers. */
import type { Product } from '../catalogue/product.ts';
import { type ClientRules, mayBuy } from '../clients/rules/rules.ts';
import type { Offer } from '../connector/connector.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Origin } from '../lib/http/trace.ts';
import { unavailable } from '../offers/offers.ts';
import { offersToWire } from '../offers/wire.ts';
import type { Operator } from '../operators/registry.ts';
import {
  type Fields,
  judgeOffer,
  judgePrefix,
  judgePrice,
  judgeProduct,
  judgeProfile,
  judgeSubscriber,
  type Refusal,
} from './decide.ts';
import type { PurchaseDeps } from './deps.ts';

export type Decision =
  | { readonly kind: 'order'; readonly operator: Operator; readonly product: Product }
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly product: Product | undefined };

type Asking = {
  readonly product: Product;
  readonly mobile: string;
  readonly origin: Origin | undefined;
};

/** Asks the operator about the subscriber, if it can tell. An operator that does not answer sells nothing. */
const checkSubscriber = async (
  deps: PurchaseDeps,
  operator: Operator,
  { product, mobile, origin }: Asking,
): Promise<Refusal | undefined> => {
  const { subscriber, deadlineMs } = operator.connection;
  if (subscriber === undefined) return undefined;
  const about = { operatorId: operator.id, kind: 'subscriber', origin } as const;
  const result = await deps.call(deadlineMs, (context) => subscriber(mobile, context), about);
  const answer = result.kind === 'answer' ? result.value : result;
  deps.admission.recordOutcome(operator.id, 'question', answer);
  if (answer.kind === 'unknown') throw unavailable(answer.detail);
  return judgeSubscriber(product, answer);
};

const offersOf = (answer: { readonly kind: string; readonly offers?: readonly Offer[] }) =>
  answer.offers ?? [];

/** Uses the cached offers; before a refusal it asks the operator again. */
const checkOffer = async (
  deps: PurchaseDeps,
  operator: Operator,
  fields: Fields,
  origin?: Origin,
): Promise<Refusal | undefined> => {
  const wanted = fields.offer;
  if (wanted === null || operator.connection.offers === undefined) {
    return { code: 'OFFER_NOT_FOUND' };
  }
  const { vatPercent } = deps.config;
  const judge = (offers: readonly Offer[]): Refusal | undefined =>
    judgeOffer(wanted, fields.price, offers, vatPercent);
  const remembered = deps.offers.remembered(operator, fields.mobile);
  if (remembered !== undefined && judge(remembered.offers) === undefined) return undefined;
  const fresh = offersOf(await deps.offers.refresh(operator, fields.mobile, origin));
  const refusal = judge(fresh);
  if (refusal === undefined) return undefined;
  return { ...refusal, more: { ...refusal.more, offers: offersToWire(fresh) } };
};

export const judge = async (
  deps: PurchaseDeps,
  fields: Fields,
  rules?: ClientRules,
  origin?: Origin,
): Promise<Decision> => {
  const product = deps.catalogue().product(fields.productId);
  if (product !== undefined && !mayBuy(rules, product)) {
    throw new GatewayError('PRODUCT_NOT_ALLOWED');
  }
  const unsold = judgeProduct(product, fields.path) ?? judgeProfile(product, fields);
  if (product === undefined || unsold !== undefined) {
    return { kind: 'refuse', refusal: unsold ?? { code: 'PRODUCT_NOT_FOUND' }, product };
  }
  const operator = deps.registry.byId(product.operator_id);
  if (operator === undefined)
    throw unavailable(`operator ${product.operator_id} is not configured`);
  const refusal =
    judgePrefix(product, deps.ownerByPrefix?.(fields.mobile), fields) ??
    (await checkSubscriber(deps, operator, { product, mobile: fields.mobile, origin })) ??
    (deps.config.personalOffers.includes(product.id)
      ? await checkOffer(deps, operator, fields, origin)
      : judgePrice(product, fields.price));
  return refusal === undefined
    ? { kind: 'order', operator, product }
    : { kind: 'refuse', refusal, product };
};
