/** Exports what connectors import as `simgate/connector`. Everything else of the program may change at any time. */
export { type Static, type TObject, Type } from 'typebox';
export { Check } from 'typebox/value';
export type { Clock } from '../lib/clock.ts';
export type { NewId, Random } from '../lib/random.ts';
export {
  type AccessToken,
  createTokens,
  type SendWithToken,
  type TokenOptions,
} from './access-token.ts';
export type { Reply, WireAnswer } from './answer-reader.ts';
export type { Call, CallResult } from './call.ts';
export { unknownBecause } from './cause.ts';
export {
  type Blame,
  type CallbackOutcome,
  type CallbackRequest,
  type CallbackStatement,
  type Callbacks,
  type CallContext,
  type Connection,
  type Connector,
  type ConnectorContext,
  connectorApi,
  defineConnector,
  type Offer,
  type OffersOutcome,
  type Order,
  type OrderOutcome,
  type Promises,
  type RefusalCode,
  type Report,
  type ReportsOutcome,
  type SimType,
  type StatusOutcome,
  type SubscriberOutcome,
  type Unknown,
  type UnknownCause,
} from './connector.ts';
export type { SettingText, SettingTexts } from './settings/texts.ts';
export {
  asked,
  openTransport,
  ordered,
  type Transport,
  type TransportRequest,
} from './transport.ts';
export {
  type TransportSettings,
  transportFields,
  transportTexts,
} from './transport-settings.ts';
