/** Reads the Idempotency-Key header. Pure. */
import { GatewayError } from '../../lib/errors.ts';
import type { Text } from '../../lib/text.ts';

const headerName = 'idempotency-key';
const longestKey = 255;

const invalid = (message: Text): GatewayError =>
  new GatewayError('IDEMPOTENCY_KEY_INVALID', { message });

/** A structured-field string and the bare value are one key. */
const unquote = (value: string): string => {
  if (!value.includes('"')) return value;
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value)?.[1];
  if (inner === undefined) {
    throw invalid({
      en: 'The Idempotency-Key has an unmatched quote. Send the key without quotes.',
      fa: 'نقل‌قول در Idempotency-Key بسته نشده است. کلید را بدون نقل‌قول بفرستید.',
    });
  }
  return inner.replace(/\\(["\\])/g, '$1');
};

/** The key in a header's value. */
export const keyIn = (value: string): string => {
  const key = unquote(value.trim());
  if (key === '') throw new GatewayError('IDEMPOTENCY_KEY_MISSING');
  if (key.length > longestKey || !/^[\x21-\x7e]+$/.test(key)) {
    throw new GatewayError('IDEMPOTENCY_KEY_INVALID');
  }
  return key;
};

/** The key of a request, from its raw headers: names and values in turn. */
export const readKey = (rawHeaders: readonly string[]): string => {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === headerName,
  );
  if (values.length > 1) {
    throw invalid({
      en: 'The Idempotency-Key was sent more than once. Send one key with each purchase.',
      fa: 'Idempotency-Key بیش از یک بار ارسال شده است. با هر خرید یک کلید بفرستید.',
    });
  }
  return keyIn(values[0] ?? '');
};
