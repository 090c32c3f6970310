/** Exports the public API of the library. */
export type { CallOptions } from './ask.ts';
export type { Bought, BuyFields, BuyOptions } from './buying.ts';
export { createClient, type SimgateClient } from './client.ts';
export { OffersRefusedError, SimgateError, UnfinishedError, UnreachableError } from './errors.ts';
export { newKey } from './key.ts';
export type { Offer, OfferOptions } from './offers.ts';
export type { ClientOptions } from './options.ts';
export type { Step } from './pages.ts';
export { offerPrice } from './price.ts';
export type {
  ChangeOptions,
  NumberOptions,
  ProductFilter,
  PurchaseFilter,
  Span,
} from './reading.ts';
export type { Retry } from './send.ts';
export type * from './types.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookMessage,
} from './verify-webhook.ts';
export type {
  DeliveryFilter,
  Resent,
  RotateOptions,
  WebhookChange,
  WebhookFields,
} from './webhooks.ts';
