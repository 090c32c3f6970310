/** Buys packages, personal offers and top-ups, each exactly once. */
import type { Ask, CallOptions } from './ask.ts';
import { newKey } from './key.ts';
import type { Offer } from './offers.ts';
import type { Send } from './send.ts';
import type { Checked } from './types.ts';

export type BuyFields = {
  readonly productId: number;
  readonly mobile: string;
  /** In whole currency units, tax included. */
  readonly price: number;
  /** Your own tracking code, 1 to 255 characters; the idempotency key by default. */
  readonly webserviceCode?: string;
  /** The product's `profile_id`. Other values are refused; personal offers pass it on. */
  readonly profileId?: string;
  readonly offerCode?: string;
  readonly offerType?: string;
  /** Buy it even if it looks like a duplicate of another purchase. */
  readonly allowRepeat?: boolean;
  /** The number was ported to the product's operator, whatever its prefix says. */
  readonly ported?: boolean;
};

export type BuyOptions = CallOptions & {
  /** The idempotency key of an earlier attempt, or one that you stored before. A new one by default. */
  readonly key?: string;
};

export type Bought = {
  readonly purchaseId: string;
  /** The idempotency key. */
  readonly key: string;
  /** Quote it when you ask about this answer. */
  readonly requestId: string;
  /** Whether it had already been bought with this key. */
  readonly replayed: boolean;
};

const toWire = (fields: BuyFields, code: string): Readonly<Record<string, unknown>> => ({
  product_id: fields.productId,
  mobile: fields.mobile,
  price: fields.price,
  webservice_code: fields.webserviceCode ?? code,
  ...(fields.profileId === undefined ? {} : { profile_id: fields.profileId }),
  ...(fields.offerCode === undefined ? {} : { offerCode: fields.offerCode }),
  ...(fields.offerType === undefined ? {} : { offerType: fields.offerType }),
  ...(fields.allowRepeat === true ? { allow_repeat: 1 } : {}),
  ...(fields.ported === true ? { ported: 1 } : {}),
});

export const createBuying = (send: Send, ask: Ask) => {
  const buyAt = async (
    path: string,
    fields: BuyFields,
    { key = newKey(), signal }: BuyOptions,
  ): Promise<Bought> => {
    const json = toWire(fields, key);
    const { headers } = await send({ method: 'POST', path, json, key, signal });
    return {
      purchaseId: headers.get('purchase-id') ?? '',
      key,
      requestId: headers.get('request-id') ?? '',
      replayed: headers.get('idempotent-replayed') === 'true',
    };
  };
  return {
    /**
     * Buys a package or a personal offer. Resolves when it is sold, and rejects with a `SimgateError` when it is
     * not. It is bought once, however often it is sent.
     */
    buy: (fields: BuyFields | Offer, options: BuyOptions = {}): Promise<Bought> =>
      buyAt('/api/top-up/package', fields, options),

    /** Buys a direct top-up, in the same way. */
    topUp: (fields: BuyFields, options: BuyOptions = {}): Promise<Bought> =>
      buyAt('/api/top-up', fields, options),

    /** Validates a purchase without buying: resolves with the price and its parts, or rejects as `buy` would. */
    check: (fields: BuyFields | Offer, { signal }: CallOptions = {}): Promise<Checked> =>
      ask({ method: 'POST', path: '/api/top-up/check', json: toWire(fields, 'check'), signal }),
  };
};
