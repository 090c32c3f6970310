/** Puts the facts recorded about a purchase into the user's language. Pure. */
import type { Operations } from '../api/types.ts';
import { own } from '../i18n/en/index.ts';
import type { Say, TextKey } from '../i18n/keys.ts';
import type { Format } from '../writing.ts';

export type Fact = NonNullable<Operations['getPurchase']['answer']['reason']>;
export type MoneyEffect = Operations['previewResolution']['answer']['money'];

const { reason: reasons } = own.purchaseWords;
const { code: codes, forced } = own.facts;

export const isKnownReason = (code: string): code is keyof typeof reasons =>
  Object.hasOwn(reasons, code);

const isCode = (code: unknown): code is Fact['code'] =>
  typeof code === 'string' && Object.hasOwn(codes, code);

/** Whether a value of unknown form is a fact: earlier entries have sentences. */
export const isFact = (value: unknown): value is Fact =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  isCode(value.code) &&
  'values' in value &&
  typeof value.values === 'object';

const isForcible = (code: string): code is keyof typeof forced => Object.hasOwn(forced, code);

const keyOf = ({ code, values }: Fact): TextKey =>
  values['forced'] === true && isForcible(code) ? `facts.forced.${code}` : `facts.code.${code}`;

/** Counts are written in the digits of the language, with its separators; the numbers in names only in its digits. */
const counted = new Set(['ms', 'attempt', 'inquiries']);

const valueWords = (name: string, value: unknown, say: Say, format: Format): string => {
  if (isFact(value)) return factWords(value, say, format);
  if (name === 'at') {
    return typeof value === 'number' ? format.time(value) : say('facts.unreadableTime');
  }
  if (typeof value !== 'number') return typeof value === 'string' ? value : '';
  if (name === 'status') return String(value);
  return counted.has(name) ? format.count(value) : format.digits(value);
};

export const errorWords = (error: string, say: Say): string =>
  isKnownReason(error)
    ? say(`purchaseWords.reason.${error}`)
    : say('purchaseWords.otherReason', { code: error });

export const factWords = (fact: Fact, say: Say, format: Format): string => {
  const { name } = fact.values;
  if (fact.code === 'error' && typeof name === 'string') return errorWords(name, say);
  const values = Object.entries(fact.values).map(([name, value]): [string, string] => [
    name,
    valueWords(name, value, say, format),
  ]);
  return say(keyOf(fact), Object.fromEntries(values));
};

export const moneyWords = ({ code, amount }: MoneyEffect, say: Say, format: Format): string => {
  const key: TextKey = `facts.money.${code}`;
  return say(key, { amount: format.money(amount) });
};
