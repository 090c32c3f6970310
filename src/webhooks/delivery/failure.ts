/** Lists why an attempt got no answer, as codes with values, and the words shown to its owner. */
import { keysOf } from '../../lib/record.ts';

/** Codes without values, in words. */
const words = {
  address_not_public: 'the host does not have a public address',
  name_unknown: 'the name of the host is not known',
  answer_too_long: 'the answer is too long',
  connect_timeout: 'there was no connection in time',
  connection_refused: 'the connection was refused',
  connection_broken: 'the connection was broken off',
  not_secure: 'there is no secure connection to the host',
  secret_unreadable: 'the key that sealed its secret is not here',
  gateway_stopped: 'the gateway was stopped',
  request_failed: 'the request failed',
} as const;

export type FailureCode = keyof typeof words;

export type Failure =
  | { readonly code: FailureCode; readonly values: Readonly<Record<string, never>> }
  | { readonly code: 'no_answer_within'; readonly values: { readonly ms: number } };

export const failureCodes: readonly Failure['code'][] = [...keysOf(words), 'no_answer_within'];

export const failureOf = (code: FailureCode): Failure => ({ code, values: {} });

export const failureWords = (failure: Failure): string =>
  failure.code === 'no_answer_within'
    ? `there was no answer within ${failure.values.ms} ms`
    : words[failure.code];
