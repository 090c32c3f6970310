/** Generates and validates access tokens: a prefix for secret scanners, randomness, a checksum. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../lib/random.ts';

export const scopes = ['catalogue', 'offers', 'purchase', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

const prefix = 'simgate_';
// For people and secret scanners; whether a client is a test client is in the database.
const testPrefix = 'simgate_test_';
const prefixOf = (isTest: boolean): string => (isTest ? testPrefix : prefix);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 30 characters of 62 are 178 bits, far beyond guessing.
const bodyLength = 30;
// 62 to the 6th is just above two to the 32nd: the whole checksum fits.
const checksumLength = 6;

const base62 = (value: number): string => {
  let digits = '';
  for (let rest = value; digits.length < checksumLength; rest = Math.floor(rest / 62)) {
    digits = alphabet.charAt(rest % 62) + digits;
  }
  return digits;
};

const checksum = (text: string): string => base62(crc32(text));

export const makeToken = (random: Random, isTest = false): string => {
  let body = '';
  while (body.length < bodyLength) {
    const [byte = 255] = random(1);
    // 248 is the last multiple of 62 in a byte: above it some letters would be more likely.
    if (byte < 248) body += alphabet.charAt(byte % 62);
  }
  const text = prefixOf(isTest) + body;
  return text + checksum(text);
};

/** Whether it can be a token at all; catches every single typo without a lookup. */
export const isWellFormed = (token: string): boolean => {
  const start = prefixOf(token.startsWith(testPrefix));
  if (token.length !== start.length + bodyLength + checksumLength) return false;
  return token.startsWith(start) && token.endsWith(checksum(token.slice(0, -checksumLength)));
};

/** The token has more randomness than any dictionary: a fast hash is the right one. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

/** The part that may be shown later. */
export const endingOf = (token: string): string => token.slice(-4);
