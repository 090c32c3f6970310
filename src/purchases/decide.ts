/** Decides whether a request may be bought and at what price. Pure. */

import type { Product } from '../catalogue/product.ts';
import type { Offer, SubscriberOutcome } from '../connector/connector.ts';
import type { ErrorCode, ErrorDetails, FieldErrors } from '../lib/errors.ts';
import { type Decimal, readDecimal, withVat } from '../lib/money.ts';
import type { Text } from '../lib/text.ts';

export type PurchasePath = 'package' | 'top-up';

/** What a client wants to buy, with every field read. */
export type Fields = {
  readonly path: PurchasePath;
  readonly productId: number;
  readonly mobile: string;
  readonly price: number;
  readonly offer: { readonly code: string; readonly type: string } | null;
  readonly profileId: string | null;
  readonly webserviceCode: string;
  /** The client confirms that this is not an accidental repeat. */
  readonly allowRepeat?: boolean;
  /** The number was ported to the product's operator, whatever its prefix. */
  readonly ported?: boolean;
};

/** The refusal: an error of the table, with its extra fields. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly message?: Text;
  /** The operator's own words, recorded beside the code. */
  readonly words?: string;
  readonly errors?: FieldErrors;
  readonly more?: Readonly<Record<string, unknown>>;
  /** If it differs from the table. */
  readonly retry?: ErrorDetails['retry'];
};

/** The path on which a product is sold. */
export const pathOf = (product: Product): PurchasePath =>
  product.type === 'cell_direct_charge' ? 'top-up' : 'package';

const buyAt = (address: string): Text => ({
  en: `Buy this product at ${address}.`,
  fa: `این محصول را از ${address} بخرید.`,
});

/** Checks against the catalogue alone. */
export const judgeProduct = (
  product: Product | undefined,
  path: PurchasePath,
): Refusal | undefined => {
  if (product === undefined) return { code: 'PRODUCT_NOT_FOUND' };
  const right = pathOf(product);
  if (right !== path) {
    return {
      code: 'VALIDATION_FAILED',
      errors: { product_id: [buyAt(right === 'top-up' ? '/api/top-up/' : '/api/top-up/package/')] },
    };
  }
  return product.status === 1 ? undefined : { code: 'PRODUCT_INACTIVE' };
};

/** A product's own profile may be the operator's item code: a client must not choose another. */
export const judgeProfile = (
  product: Product | undefined,
  { profileId: sent }: Pick<Fields, 'profileId'>,
): Refusal | undefined => {
  const own = product?.profile_id;
  return own === undefined || sent === null || sent === own.trim()
    ? undefined
    : {
        code: 'VALIDATION_FAILED',
        errors: {
          profile_id: [
            {
              en: `The profile_id of this product is ${own}. Send it, or leave it out.`,
              fa: `مقدار profile_id این محصول ${own} است. همان را بفرستید یا آن را نفرستید.`,
            },
          ],
        },
      };
};

/** The profile for the operator: the product's own. Only a personal offer passes on the one that was sent. */
export const profileFor = (
  product: Product,
  { profileId: sent }: Pick<Fields, 'profileId'>,
  personalOffers: readonly number[],
): string | null => product.profile_id ?? (personalOffers.includes(product.id) ? sent : null);

/** Checks the number's prefix: the operator that assigned it, undefined if unknown. */
export const judgePrefix = (
  product: Product,
  owner: number | undefined,
  { ported = false }: Pick<Fields, 'ported'>,
): Refusal | undefined =>
  ported || owner === undefined || owner === product.operator_id
    ? undefined
    : {
        code: 'OPERATOR_MISMATCH',
        message: {
          en: "The prefix belongs to another operator. If the number was ported to this product's operator, send ported=1 with a new key.",
          fa: 'پیش‌شماره متعلق به اپراتور دیگری است. اگر شماره به اپراتور این محصول ترابرد شده است، ported=1 را با کلید جدید بفرستید.',
        },
        retry: 'new_key',
      };

/** Checks the operator's answer about the subscriber. */
export const judgeSubscriber = (
  product: Product,
  subscriber: Exclude<SubscriberOutcome, { kind: 'unknown' }>,
): Refusal | undefined => {
  if (subscriber.kind === 'not_subscriber') return { code: 'OPERATOR_MISMATCH' };
  return subscriber.simType === product.sim_card_type ? undefined : { code: 'SIM_TYPE_MISMATCH' };
};

/** The price of an ordinary product: fixed, or within its range. */
export const judgePrice = (product: Product, price: number): Refusal | undefined => {
  const { second_price: highest } = product;
  if (highest === null) {
    return price === product.price
      ? undefined
      : { code: 'PRICE_MISMATCH', more: { expected_price: product.price } };
  }
  return price >= product.price && price <= highest
    ? undefined
    : {
        code: 'AMOUNT_OUT_OF_RANGE',
        message: {
          en: `The price must be a whole amount from ${product.price} to ${highest}.`,
          fa: `قیمت باید مبلغی صحیح از ${product.price} تا ${highest} باشد.`,
        },
      };
};

/** The price of an offer with tax; undefined if its amount cannot be read. */
export const offerPrice = (offer: Offer, vatPercent: Decimal): number | undefined => {
  const amount = readDecimal(offer.amount);
  return amount === undefined ? undefined : withVat(amount, vatPercent);
};

/** The price of a personal offer, against the subscriber's offers. */
export const judgeOffer = (
  wanted: { readonly code: string; readonly type: string },
  price: number,
  offers: readonly Offer[],
  vatPercent: Decimal,
): Refusal | undefined => {
  const offer = offers.find(({ code, type }) => code === wanted.code && type === wanted.type);
  const expected = offer === undefined ? undefined : offerPrice(offer, vatPercent);
  if (expected === undefined) return { code: 'OFFER_NOT_FOUND' };
  return price === expected
    ? undefined
    : { code: 'PRICE_MISMATCH', more: { expected_price: expected } };
};
