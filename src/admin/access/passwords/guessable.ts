/** Tells whether a password is easy to guess: common words, sequences, keyboard walks, repetition. Pure. */
import { commonPasswords } from './common.ts';

const common: ReadonlySet<string> = new Set(commonPasswords);

/** Signs that people put for letters. */
const letterFor: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '1': 'i',
  '!': 'i',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
};

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '');

const withLetters = (text: string, one = 'i'): string =>
  text.replaceAll(/[^\p{L}]/gu, (sign) => (sign === '1' ? one : (letterFor[sign] ?? sign)));

/** Numbers and signs around a word add next to nothing: people put them there. */
const trimmed = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

/** Whether a text is one of the list, two of them side by side, or one again and again. */
const isMadeOfCommon = (text: string): boolean => {
  if (text === '') return false;
  if (common.has(text)) return true;
  for (let end = 3; end <= text.length - 3; end += 1) {
    const head = text.slice(0, end);
    if (!common.has(head)) continue;
    if (common.has(text.slice(end))) return true;
    if (head.repeat(Math.ceil(text.length / end)).startsWith(text)) return true;
  }
  return false;
};

const isCommon = (text: string): boolean => {
  const readings = [text, trimmed(text)].flatMap((one) => [
    one,
    lettersOf(one),
    lettersOf(withLetters(one)),
    lettersOf(withLetters(one, 'l')),
  ]);
  return readings.some(isMadeOfCommon);
};

/** Rows and columns of keyboards, Latin and Persian, and well-known orders. */
const orders = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  '!@#$%^&*()_+',
  'ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی',
  'ضصثقفغعهخحجچ',
  'شسیبلاتنمکگ',
  'ظطزرذدپو',
  '۰۱۲۳۴۵۶۷۸۹۰',
];

const shortestRun = 3;

const pairsOf = (order: string): string[] => {
  const signs = Array.from(order);
  return signs.slice(1).flatMap((sign, index) => {
    const before = signs[index] ?? '';
    return [before + sign, sign + before];
  });
};

/** Two signs that follow each other in one of the orders, forward or backward, or are the same. */
const neighbours: ReadonlySet<string> = new Set(orders.flatMap(pairsOf));

const follows = (one: string, next: string): boolean => one === next || neighbours.has(one + next);

/** How many signs there are to guess: a run along an order counts once. */
const thoughtOf = (text: string): number => {
  const signs = Array.from(text);
  let count = 0;
  for (let at = 0; at < signs.length; ) {
    let end = at + 1;
    while (end < signs.length && follows(signs[end - 1] ?? '', signs[end] ?? '')) end += 1;
    count += end - at >= shortestRun ? 1 : end - at;
    at = end;
  }
  return count;
};

/** Fewer than this are tried out fast, whatever they are. */
const fewestThoughtOf = 8;

/** The shortest part by whose repetition a text is made; the text itself where there is none. */
const unitOf = (text: string): string => {
  const signs = Array.from(text);
  for (let length = 1; length <= signs.length / 2; length += 1) {
    const unit = signs.slice(0, length).join('');
    if (unit.repeat(Math.ceil(signs.length / length)).startsWith(text)) return unit;
  }
  return text;
};

/** Whether a new password is among those that are tried first. */
export const isGuessable = (password: string): boolean => {
  const text = password.normalize('NFKC').toLowerCase();
  const unit = unitOf(text);
  return (
    isCommon(text) ||
    isCommon(unit) ||
    Array.from(unit).length < fewestThoughtOf ||
    thoughtOf(unit) < fewestThoughtOf
  );
};
