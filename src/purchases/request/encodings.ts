/** Reads a purchase's fields from every encoding: form, multipart, JSON, the query, and a body on GET. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../lib/errors.ts';
import { readPairs } from '../../lib/http/form.ts';
import type { Text } from '../../lib/text.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';

export type RawFields = Readonly<Record<string, unknown>>;

const malformed = (message: Text, cause?: unknown): GatewayError =>
  new GatewayError('MALFORMED_REQUEST', { message }, { cause });

const problems = {
  json: { en: 'The body is not valid JSON.', fa: 'بدنهٔ درخواست JSON معتبر نیست.' },
  notObject: {
    en: 'The body must be a JSON object.',
    fa: 'بدنهٔ درخواست باید یک شیء JSON باشد.',
  },
  multipart: {
    en: 'The body is not valid multipart/form-data.',
    fa: 'بدنهٔ درخواست multipart/form-data معتبر نیست.',
  },
  incomplete: { en: 'The body is incomplete.', fa: 'بدنهٔ درخواست ناقص است.' },
  contentType: {
    en: 'The body must be application/x-www-form-urlencoded, multipart/form-data or application/json.',
    fa: 'بدنه باید application/x-www-form-urlencoded، multipart/form-data یا application/json باشد.',
  },
} as const satisfies Readonly<Record<string, Text>>;

const readJson = (body: Buffer): RawFields => {
  const text = decodeUtf8(body);
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.length === 0) return {};
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value));
    }
  } catch (cause) {
    throw malformed(problems.json, cause);
  }
  throw malformed(problems.notObject);
};

const readMultipart = async (body: Buffer, contentType: string): Promise<RawFields> => {
  // The parser replaces invalid UTF-8 with a replacement character.
  decodeUtf8(body);
  try {
    const headers = { 'content-type': contentType };
    const form = await new Response(Uint8Array.from(body), { headers }).formData();
    return Object.fromEntries(form);
  } catch (cause) {
    throw malformed(problems.multipart, cause);
  }
};

/** Nothing in it is encoded, and no name has a special meaning in JavaScript. */
const isBare = (text: string): boolean => /^[\w.=&~-]*$/.test(text) && !text.includes('__');

// A name cut from a text is interned whenever it becomes a key.
const names = new Map(
  ['product_id', 'mobile', 'price', 'webservice_code', 'profile_id', 'offerCode', 'offerType'].map(
    (name) => [name, name],
  ),
);

const readForm = (body: Buffer): RawFields => {
  const text = body.toString('latin1');
  if (!isBare(text)) return Object.fromEntries(readPairs(text));
  const fields: Record<string, string> = {};
  for (const part of text.split('&')) {
    const end = part.indexOf('=');
    const name = end < 0 ? part : part.slice(0, end);
    if (name !== '') fields[names.get(name) ?? name] = end < 0 ? '' : part.slice(end + 1);
  }
  return fields;
};

const kindOf = (contentType: string): string => {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
};

/** The fields of a body of a type that is parsed synchronously; undefined for any other. */
export const readPlainBody = (body: Buffer, contentType: string): RawFields | undefined => {
  switch (kindOf(contentType)) {
    case 'application/x-www-form-urlencoded':
      return readForm(body);
    case 'application/json':
      return readJson(body);
    default:
      return undefined;
  }
};

/** The fields of a body of any type; the last of duplicates wins. */
export const readBody = async (body: Buffer, contentType: string): Promise<RawFields> => {
  if (body.length === 0) return {};
  const fields = readPlainBody(body, contentType);
  if (fields !== undefined) return fields;
  if (kindOf(contentType) === 'multipart/form-data') return readMultipart(body, contentType);
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', {
    message: problems.contentType,
  });
};

/** Reads a body that the framework does not read, such as that of a GET. */
export const collectBody = async (message: IncomingMessage, limit: number): Promise<Buffer> => {
  const arriving: AsyncIterable<Uint8Array> = message;
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const bytes of arriving) {
      length += bytes.length;
      if (length > limit) {
        // The rest is not read: a connection that stays open would wait for it forever.
        throw new GatewayError('PAYLOAD_TOO_LARGE', { headers: { connection: 'close' } });
      }
      parts.push(bytes);
    }
  } catch (error) {
    // A client that hangs up midway is not our error.
    throw error instanceof GatewayError ? error : malformed(problems.incomplete, error);
  }
  return Buffer.concat(parts);
};
