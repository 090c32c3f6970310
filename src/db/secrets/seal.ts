/** Seals secrets with AES-256-GCM, bound to where they are stored. Pure. */
import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { Random } from '../../lib/random.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
// The length that the mode is designed for.
const nonceBytes = 12;
const tagBytes = 16;
// Enough to distinguish a handful of keys, and useless for guessing one.
const idBytes = 6;

export type Key = { readonly id: string; readonly bytes: Uint8Array };

export type Opened =
  | { readonly kind: 'open'; readonly text: string }
  | { readonly kind: 'closed'; readonly why: string };

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** One text for the same bytes: other encodings of them are rejected. */
const fromText = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return toText(bytes) === text ? bytes : undefined;
};

const keyOf = (bytes: Uint8Array): Key => ({
  id: toText(hash('sha256', bytes, 'buffer').subarray(0, idBytes)),
  bytes,
});

/** Reads a key from a setting or a file; undefined if the text is not one. */
export const readKey = (text: string): Key | undefined => {
  const bytes = fromText(text);
  return bytes?.length === keyBytes ? keyOf(bytes) : undefined;
};

/** The text of a new key. */
export const makeKey = (random: Random): string => toText(random(keyBytes));

const headOf = ({ id }: Key): string => `v1.${id}`;

/** Kind and location are authenticated, so that nothing opens in another's place. */
const boundTo = (key: Key, about: string): Buffer => Buffer.from(`${headOf(key)} ${about}`);

/** Seals a text; `about` names its location: table, column, id. */
export const seal = (key: Key, text: string, about: string, random: Random): string => {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(key, about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${headOf(key)}.${toText(nonce)}.${toText(body)}`;
};

const form = /^v1\.([\w-]+)\.([\w-]+)\.([\w-]+)$/;

export const isSealed = (text: string): boolean => form.test(text);

export const isSealedBy = (key: Key, text: string): boolean => form.exec(text)?.[1] === key.id;

const closed = (why: string): Opened => ({ kind: 'closed', why });
const touched = closed('it is not as it was sealed');

const decrypt = (key: Key, nonce: Buffer, body: Buffer, about: string): Opened => {
  const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
  decipher.setAAD(boundTo(key, about));
  decipher.setAuthTag(body.subarray(body.length - tagBytes));
  try {
    const text = decipher.update(body.subarray(0, body.length - tagBytes));
    return { kind: 'open', text: Buffer.concat([text, decipher.final()]).toString('utf8') };
  } catch {
    return touched;
  }
};

/** Opens what was sealed under one of the keys for the same location. */
export const open = (keys: readonly Key[], sealed: string, about: string): Opened => {
  const [, id, nonceText = '', bodyText = ''] = form.exec(sealed) ?? [];
  if (id === undefined) return closed('it is not sealed');
  const key = keys.find((one) => one.id === id);
  if (key === undefined) return closed(`the key that it was sealed with (${id}) is not here`);
  const [nonce, body] = [fromText(nonceText), fromText(bodyText)];
  if (nonce?.length !== nonceBytes || body === undefined || body.length < tagBytes) return touched;
  return decrypt(key, nonce, body, about);
};
