/** Masks subscribers' numbers in any text: one purchase's own, or whatever reads like a number. Pure. */
import { type MobileFormat, maskMobile, readTypedMobile, shownAtEnd } from '../lib/mobile.ts';
import { mayDo, type Role } from './access/roles.ts';

/** Masks what it is for wherever it stands in a text, and leaves all else as it is. */
export type Mask = (text: string) => string;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

const hanDigits = '〇一二三四五六七八九';

/** The Latin digits of a character, of any script or style; undefined where it is none. */
const digitsOf = (character: string): string | undefined => {
  if (character < '\u0080') return /^[0-9]$/.test(character) ? character : undefined;
  const han = hanDigits.indexOf(character);
  if (han >= 0) return String(han);
  // Circled and in brackets, as ⑫, ⑴ or ⒓, they become the digits that they show.
  const plain = character.normalize('NFKC').replace(/^\((.+)\)$|\.$/, '$1');
  if (/^[0-9]+$/.test(plain)) return plain;
  const code = plain.codePointAt(0) ?? 0;
  // Of several signs, as of ½, none is a digit of its own.
  if (plain !== String.fromCodePoint(code) || !isDigit(code)) return undefined;
  // The digits of a script are ten in a row from zero on; those of several scripts may adjoin.
  let before = 0;
  while (isDigit(code - before - 1)) before += 1;
  return String(before % 10);
};

/** A text with all its digits in Latin, and for each place in it the character that it came from. */
type Read = { readonly plain: string; readonly characters: string[]; readonly from: number[] };

const read = (text: string): Read => {
  const characters = Array.from(text);
  const from: number[] = [];
  const plain = characters.map((character, at) => {
    const shown = digitsOf(character) ?? character;
    for (let unit = 0; unit < shown.length; unit += 1) from.push(at);
    return shown;
  });
  return { plain: plain.join(''), characters, from };
};

// Between two digits of a number people put whatever is neither letter nor digit: spaces, hyphens, dots,
// brackets, marks that turn the direction.
const between = /[^\p{L}\p{N}]/u;

/** The same without what may stand between two digits: a number in it stands in one piece. */
const close = ({ plain, characters, from }: Read): Read => {
  const kept: number[] = [];
  let closed = '';
  let at = 0;
  for (const character of plain) {
    const origin = from[at] ?? 0;
    at += character.length;
    if (between.test(character)) continue;
    // One place for each letter, whatever its own length.
    closed += /[0-9]/.test(character) ? character : 'x';
    kept.push(origin);
  }
  return { plain: closed, characters, from: kept };
};

export const withoutSeparators = (text: string): string => close(read(text)).plain;

/** The characters of a text, with stars in those of these places of it. */
const star = ({ characters, from }: Read, places: Iterable<number>): string => {
  const starred = new Set<number>();
  for (const place of places) starred.add(from[place] ?? -1);
  return characters.map((one, at) => (starred.has(at) ? '*' : one)).join('');
};

/** The places of each stretch of digits that `find` finds, without its last ones. */
const placesOf = ({ plain }: Read, find: RegExp): number[] =>
  [...plain.matchAll(find)].flatMap(({ index, 0: found }) =>
    Array.from({ length: Math.max(0, found.length - shownAtEnd) }, (_, at) => index + at),
  );

/** Whether a text has too few digits for a number: most texts do, and are not read further. */
const hasFew = (text: string, digits: number): boolean =>
  text.length < digits / 2 ||
  (/^[\x20-\x7e]*$/.test(text) && (text.match(/[0-9]/g)?.length ?? 0) < digits);

/** Masks one number: with the prefix of its country or without, as people write it, in digits of whichever script. */
export const maskNumber = (mobile: string, format: MobileFormat): Mask => {
  const own = mobile.slice(format.prefix.length);
  return (text) => {
    if (own === '' || hasFew(text, own.length)) return text;
    const closed = close(read(text));
    return closed.plain.includes(own) ? star(closed, placesOf(closed, new RegExp(own, 'g'))) : text;
  };
};

/** Masks all that has as many digits as a number, or more: for what is written down of a search. */
export const maskAllNumbers = (format: MobileFormat): Mask => {
  const many = new RegExp(`[0-9]{${format.digits},}`, 'g');
  return (text) => {
    const number = readTypedMobile(text, format);
    if (number !== undefined) return maskMobile(number, format);
    const closed = close(read(text));
    return star(closed, placesOf(closed, many));
  };
};

const year = '(?:1[34]|19|20)[0-9]{2}';
const time = '[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:[.][0-9]+)?';
const day = '[0-9]{1,2}';

/** What is full of digits and no number: ids of versions 4 and 7, dates of either calendar with their time, amounts. */
const others = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:',
    '[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    `|(?:${year}([-/.])${day}\\1${day}|${day}([-/.])${day}\\2${year})(?:[ T]${time})?`,
    // As long as a number. Behind a plus sign or other digits it may be the rest of one.
    '|(?<![+0-9][^\\p{L}\\p{N}]{0,5})[1-9][0-9]{0,2}(?:[,،٬][0-9]{3}){3,}(?![,،٬]\\p{N})',
    ')(?!\\p{N})',
  ].join(''),
  'giu',
);

// Amounts have commas and times have colons; numbers have neither.
const narrow = '[^\\p{L}\\p{N},،٬٫:;\\r\\n]{0,3}';

// Behind what only a number begins with, all that people put between digits. Fewer than the stars of a
// number that is masked, which are not to be read as a gap.
const wide = '[^\\p{L}\\p{N}]{0,5}';

/** What may stand before a number: a zero, or the prefix of its country, with zeros before and after it. */
const leadWith = (gap: string, prefix: string): string => {
  const zeros = (least: number): string => `(?:0${gap}){${least},4}`;
  return `${zeros(0)}${Array.from(prefix).join(gap)}${gap}${zeros(0)}|${zeros(1)}`;
};

/** Numbers as people write them. Those of the default country begin with 9; a bank's reference seldom does. */
const numberIn = ({ prefix, digits }: MobileFormat): RegExp => {
  const first = prefix === '98' ? '9' : '[1-9]';
  const number = (lead: string, own: string, gap: string): string =>
    `(?<lead>${lead})(?<own>${own}(?:${gap}[0-9]){${digits - 1}})(?![0-9])`;
  const spelled = `(?<wide>)${number(leadWith(wide, prefix), first, wide)}`;
  const ways = [
    number(leadWith(narrow, prefix), '[1-9]', narrow),
    // Where numbers begin with any digit, a zero before them tells too little.
    ...(first === '9' ? [`(?<=[+]${wide})${spelled}`] : []),
    number('', first, narrow),
    ...(first === '9' ? [spelled] : []),
  ];
  // Looked for at each place: one that only seems to be a number must not hide the one behind it.
  return new RegExp(`(?<![0-9])(?=${ways.join('|')})`, 'gu');
};

/** Masks whatever reads like a number, and leaves dates, amounts, references and ids as they are. */
export const maskNumbers = (format: MobileFormat): Mask => {
  const find = numberIn(format);
  return (text) => {
    if (hasFew(text, format.digits)) return text;
    const whole = read(text);
    // Letters in their place: nothing else is found there.
    const plain = whole.plain.replace(others, (one) => 'x'.repeat(one.length));
    let end = 0;
    const places = [...plain.matchAll(find)].flatMap(({ index, groups = {} }) => {
      const { wide: isWide, lead = '', own = '' } = groups;
      // Within a number as people write one, it would go on into the amount behind that.
      if (isWide !== undefined && index < end) return [];
      const start = index + lead.length;
      if (isWide === undefined) end = start + own.length;
      const digits = [...own.matchAll(/[0-9]/g)].map(({ index: at }) => start + at);
      return digits.slice(0, -shownAtEnd);
    });
    return places.length === 0 ? text : star(whole, places);
  };
};

const asItIs: Mask = (text) => text;

/** How a role reads texts that others wrote: as they are with the right to numbers, else masked. */
export const maskFor = (role: Role, format: MobileFormat): Mask =>
  mayDo(role, 'unmask') ? asItIs : maskNumbers(format);

export const maskOrNull = (text: string | null, mask: Mask): string | null =>
  text === null ? null : mask(text);

/** The same for all texts within a value. */
export const maskWithin = (value: unknown, mask: Mask): unknown => {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskWithin(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return maskRecord(value, mask);
};

export const maskRecord = (record: object, mask: Mask): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, inner]) => [name, maskWithin(inner, mask)]),
  );
