/** Judges a request by the catalogue, the client's rules, the operator and the offers. */
import type { Product } from '../catalogue/product.ts';
import { type ClientRules, mayBuy } from '../clients/rules/rules.ts';
import type { Connection, Offer, SubscriberOutcome } from '../connector/connector.ts';
import { type BoundedCache, boundedCache } from '../lib/bounded-cache.ts';
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
import type { Chosen } from './suppliers.ts';

export type Decision =
  | { readonly kind: 'order'; readonly chosen: Chosen; readonly product: Product }
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly product: Product | undefined };

type Asking = {
  readonly product: Product;
  readonly mobile: string;
  readonly origin: Origin | undefined;
};

type Known = Exclude<SubscriberOutcome, { kind: 'unknown' }>;
type Remembered = { readonly answer: Known; readonly until: number };

// Seldom does a number change its operator within minutes of a purchase, and one in use is asked about often.
const rememberMs = 5 * 60_000;

// Some hundred bytes each: less than a megabyte for each connection.
const mostRemembered = 5000;

/** What each connection has said; a connection with other settings begins without any. */
const subscribers = new WeakMap<Connection, BoundedCache<Remembered>>();

const rememberedBy = (connection: Connection): BoundedCache<Remembered> => {
  const known = subscribers.get(connection) ?? boundedCache<Remembered>(mostRemembered);
  subscribers.set(connection, known);
  return known;
};

type CheckSubscriber = (
  deps: PurchaseDeps,
  operator: Operator,
  asking: Asking,
) => Promise<Refusal | undefined>;

/** Asks the operator about the subscriber, if it can tell. An operator that does not answer sells nothing. */
const askSubscriber: CheckSubscriber = async (deps, operator, { product, mobile, origin }) => {
  const { subscriber, deadlineMs } = operator.connection;
  if (subscriber === undefined) return undefined;
  const about = { operatorId: operator.id, kind: 'subscriber', origin } as const;
  const result = await deps.call(deadlineMs, (context) => subscriber(mobile, context), about);
  const answer = result.kind === 'answer' ? result.value : result;
  deps.admission.recordOutcome(operator.id, 'question', answer);
  if (answer.kind === 'unknown') throw unavailable(answer.detail);
  const until = deps.clock.monotonic() + rememberMs;
  rememberedBy(operator.connection).set(mobile, { answer, until }, 1);
  return judgeSubscriber(product, answer);
};

/** Asks only where the order would not tell, and not again within minutes. */
const checkSubscriber: CheckSubscriber = async (deps, operator, asking) => {
  const { connection, connector } = operator;
  if (connection.ordersTellSubscriber ?? connector.ordersTellSubscriber ?? false) return undefined;
  const known = subscribers.get(connection)?.get(asking.mobile);
  return known !== undefined && known.until > deps.clock.monotonic()
    ? judgeSubscriber(asking.product, known.answer)
    : askSubscriber(deps, operator, asking);
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

/** A request to judge, with the supplier that has a slot for it. */
export type Judging = {
  readonly fields: Fields;
  readonly rules?: ClientRules | undefined;
  readonly origin?: Origin | undefined;
  /** Undefined if there is no supplier. */
  readonly chosen: Chosen | undefined;
};

const judgeBy =
  (subscriberCheck: CheckSubscriber) =>
  async (deps: PurchaseDeps, { fields, rules, origin, chosen }: Judging): Promise<Decision> => {
    const product = deps.catalogue().product(fields.productId);
    if (product !== undefined && !mayBuy(rules, product)) {
      throw new GatewayError('PRODUCT_NOT_ALLOWED');
    }
    const unsold = judgeProduct(product, fields.path) ?? judgeProfile(product, fields);
    if (product === undefined || unsold !== undefined) {
      return { kind: 'refuse', refusal: unsold ?? { code: 'PRODUCT_NOT_FOUND' }, product };
    }
    if (chosen === undefined)
      throw unavailable(`no route leads to a supplier of operator ${product.operator_id}`);
    const { supplier } = chosen;
    const refusal =
      judgePrefix(product, deps.ownerByPrefix?.(fields.mobile), fields) ??
      (await subscriberCheck(deps, supplier, { product, mobile: fields.mobile, origin })) ??
      (deps.config.personalOffers.includes(product.id)
        ? await checkOffer(deps, supplier, fields, origin)
        : judgePrice(product, fields.price));
    return refusal === undefined
      ? { kind: 'order', chosen, product }
      : { kind: 'refuse', refusal, product };
  };

/** Judges a purchase, whose order may tell of the subscriber. */
export const judge = judgeBy(checkSubscriber);

/** Judges a check, which is followed by no order: the operator is always asked. */
export const judgeCheck = judgeBy(askSubscriber);
