/** Reads the Idempotency-Key header. Pure. */
import { GatewayError } from '../../lib/errors.ts';

const headerName = 'idempotency-key';
const longestKey = 255;

const invalid = (message: string): GatewayError =>
  new GatewayError('IDEMPOTENCY_KEY_INVALID', { message });

/** A structured-field string and the bare value are one key. */
const unquote = (value: string): string => {
  if (!value.includes('"')) return value;
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value)?.[1];
  if (inner === undefined) {
    throw invalid(
      'The Idempotency-Key has a quote that does not close. Send the key without quotes.',
    );
  }
  return inner.replace(/\\(["\\])/g, '$1');
};

/** The key in a header's value. */
export const keyIn = (value: string): string => {
  const key = unquote(value.trim());
  if (key === '') throw new GatewayError('IDEMPOTENCY_KEY_MISSING');
  if (key.length > longestKey || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid(`The Idempotency-Key must be 1 to ${longestKey} visible ASCII characters.`);
  }
  return key;
};

/** The key of a request, from its headers as they came: names and values in turn. */
export const readKey = (rawHeaders: readonly string[]): string => {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === headerName,
  );
  if (values.length > 1) {
    throw invalid('The Idempotency-Key was sent more than once. Send one key with each purchase.');
  }
  return keyIn(values[0] ?? '');
};
