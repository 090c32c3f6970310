/** Verifies webhooks: the signature, and that the message is recent. */
import type { BalanceLow, CatalogueChanged, OperatorStatus, Purchase } from './types.ts';

/** What happened. Go by `type`. */
export type WebhookEvent = { readonly timestamp: string } & (
  | {
      readonly type:
        | 'purchase.succeeded'
        | 'purchase.failed'
        | 'purchase.pending'
        | 'purchase.reversed';
      readonly data: Purchase;
    }
  | { readonly type: 'balance.low'; readonly data: BalanceLow }
  | { readonly type: 'catalogue.changed'; readonly data: CatalogueChanged }
  | { readonly type: 'operator.status'; readonly data: OperatorStatus }
);

/** An event, and its id, which is the same at every attempt: handle each id once. */
export type WebhookMessage = WebhookEvent & { readonly id: string };

/** The message is not from the gateway, or is too old or too new. Answer 401 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** The raw body, before any parsing. */
  readonly body: string;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret, or both during a rotation. */
  readonly secret: string | readonly string[];
  /** How far its time may differ from yours. */
  readonly toleranceSeconds?: number;
  /** The current time in epoch milliseconds; the system's by default. */
  readonly now?: number;
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string') return value;
  throw new WebhookError(`The header ${name} is missing.`);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new WebhookError('A signature or a secret is not base64.');
  }
};

const keyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );

/** All signatures of the supported version. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => bytesOf(one.slice('v1,'.length)));

const isSignedBy = async (
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const key = await keyOf(secret);
  const checks = signatures.map((one) => crypto.subtle.verify('HMAC', key, one, signed));
  return (await Promise.all(checks)).includes(true);
};

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value && 'data' in value;

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Returns the message if its signature is valid; throws a `WebhookError` if it is not. */
export const verifyWebhook = async (options: VerifyOptions): Promise<WebhookMessage> => {
  const { body, headers, secret, toleranceSeconds = 300, now = Date.now() } = options;
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('The webhook-timestamp is no time.');
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds) {
    throw new WebhookError('The message is too old, or from the future.');
  }
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const checks = secrets.map((one) => isSignedBy(one, signatures, signed));
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookError('The signature is not one of this secret.');
  }
  const event = parse(body);
  if (!isEvent(event)) throw new WebhookError('The message holds no event.');
  return { ...event, id };
};
