/** Creates and checks two-factor codes as authenticator apps do (TOTP, RFC 6238). Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
// A code just before and just after, for clocks that differ and people who type.
const tolerance = 1;

/** As long as the hash, as RFC 4226 recommends. */
export const secretBytes = 20;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding. */
export const toBase32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
};

export const fromBase32 = (text: string): Uint8Array => {
  const bits = Array.from(text, (sign) => {
    const value = alphabet.indexOf(sign);
    if (value === -1) throw new RangeError('This is not base32.');
    return value.toString(2).padStart(5, '0');
  }).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
};

export const stepAt = (now: number): number => Math.floor(now / stepMs);

/** The code of one step: RFC 4226, section 5.3. */
export const codeOf = (secret: Uint8Array, step: number, length = digits): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const tag = createHmac('sha1', secret).update(counter).digest();
  const offset = tag.readUInt8(tag.length - 1) & 0x0f;
  const number = tag.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** length).padStart(length, '0');
};

export type CodeCheck = {
  /** In base32. */
  readonly secret: string;
  readonly code: string;
  readonly now: number;
  /** The step of the last code used; a code works once, and no earlier one works after it. */
  readonly lastStep: number;
};

const isSame = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The step of the code, to be remembered; undefined if the code is not valid now. */
export const stepOfCode = ({ secret, code, now, lastStep }: CodeCheck): number | undefined => {
  const key = fromBase32(secret);
  const current = stepAt(now);
  const near = Array.from({ length: 2 * tolerance + 1 }, (_, index) => current - tolerance + index);
  // Compares all steps, so that timing reveals nothing.
  return near.filter((step) => isSame(codeOf(key, step), code)).find((step) => step > lastStep);
};

/** The URI that an authenticator app reads from a QR code. */
export const keyUri = (secret: string, name: string): string =>
  `otpauth://totp/Simgate:${encodeURIComponent(name)}?secret=${secret}&issuer=Simgate&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`;
