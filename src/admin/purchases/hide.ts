/** Owns that a subscriber's number is not told by accident: not in its field, nor within any other text. Pure. */
import { latinDigits } from '../../lib/digits.ts';
import { type MobileFormat, maskMobile, readTypedMobile } from '../../lib/mobile.ts';

/** Masks what it is for wherever it stands in a text, and leaves all else as it is. */
export type Hide = (text: string) => string;

// Between two digits of a number people put whatever is neither letter nor digit: spaces, hyphens, dots,
// brackets, marks that turn the direction.
const notBetween = /[\p{L}\p{N}]/gu;
const between = /[^\p{L}\p{N}]/gu;

/** Without what may stand between two digits, and in Latin ones: a number in it stands in one piece. */
export const closedUp = (text: string): string => latinDigits(text).replace(between, '');

const shownAtEnd = 4;

/** Of each stretch of digits that `find` finds in the text closed up, all but the last become stars. */
const star = (text: string, find: RegExp): string => {
  const kept = [...latinDigits(text).matchAll(notBetween)];
  // One character each, so that the places stay right.
  const digits = kept.map(([one]) => (/^[0-9]$/.test(one) ? one : 'x')).join('');
  const stars = new Set<number>();
  for (const { index, 0: found } of digits.matchAll(find)) {
    for (const one of kept.slice(index, index + found.length - shownAtEnd)) stars.add(one.index);
  }
  return Array.from({ length: text.length }, (_, at) => (stars.has(at) ? '*' : text[at])).join('');
};

/** Masks one number: with the prefix of its country or without, as people write it, in digits of whichever script. */
export const hiding = (mobile: string, format: MobileFormat): Hide => {
  const own = mobile.slice(format.prefix.length);
  return (text) =>
    // Of nearly all texts this says enough.
    own === '' || !closedUp(text).includes(own) ? text : star(text, new RegExp(own, 'g'));
};

/** Masks whatever may be a number: all that has as many digits, or more. */
export const hidingAll = (format: MobileFormat): Hide => {
  const many = new RegExp(`[0-9]{${format.digits},}`, 'g');
  return (text) => {
    const number = readTypedMobile(text, format);
    return number === undefined ? star(text, many) : maskMobile(number, format);
  };
};
