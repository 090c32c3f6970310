/** Signs and reads the callbacks of the HTTP connector: JSON with an HMAC of its bytes in a header. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackOutcome, CallbackRequest, StatusOutcome } from '../../connector/connector.ts';
import { fieldOf } from '../../lib/record.ts';
import { readStatus } from './wire.ts';

const header = 'x-signature';

const signatureOf = (body: Uint8Array | string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** What proves the sender of a callback. */
export const callbackHeaders = (
  body: string,
  secret: string,
): Readonly<Record<string, string>> => ({
  [header]: signatureOf(body, secret),
});

const isSigned = ({ headers, body }: CallbackRequest, secret: string): boolean => {
  const expected = Buffer.from(signatureOf(body, secret));
  const given = Buffer.from(headers[header] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The same answers as to an inquiry; of a delivery and its reversal only, which the wire tells apart. */
const outcomeOf = (text: string, ref: string): StatusOutcome =>
  readStatus({ kind: 'answer', status: 200, contentType: 'application/json', text }, ref);

export const readCallback = (request: CallbackRequest, secret: string): CallbackOutcome => {
  if (!isSigned(request, secret)) return { kind: 'rejected', detail: 'The signature is wrong.' };
  const text = textOf(request.body);
  const ref = fieldOf(parsed(text), 'ref');
  if (typeof ref !== 'string' || ref === '') return { kind: 'statements', statements: [] };
  return { kind: 'statements', statements: [{ ref, outcome: outcomeOf(text, ref) }] };
};
