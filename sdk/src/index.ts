/** Exports the SDK's public API. */
export {
  type Bought,
  type BuyFields,
  type BuyOptions,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  createClient,
  type Offer,
  type ProductFilter,
  type PurchaseFilter,
  type SimgateClient,
  type Span,
} from './client.ts';
export { type ErrorBody, SimgateError, UnfinishedError } from './errors.ts';
export { newKey } from './key.ts';
export type { Step } from './pages.ts';
export { offerPrice } from './price.ts';
export type * from './types.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhook.ts';
