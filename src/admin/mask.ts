/** Masks subscribers' numbers in any text: one purchase's own, or whatever reads like a number. Pure. */
import { perKey } from '../lib/memo.ts';
import { type MobileFormat, maskMobile, readTypedMobile, shownAtEnd } from '../lib/mobile.ts';
import { mayDo, type Role } from './access/roles.ts';

/** Masks its target anywhere in a text, and leaves everything else. */
export type Mask = (text: string) => string;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

const hanDigits = '〇一二三四五六七八九';

/** The Latin digits of a character, of any script or style; undefined if it has none. */
const digitsOf = (character: string): string | undefined => {
  if (character < '\u0080') return /^[0-9]$/.test(character) ? character : undefined;
  const han = hanDigits.indexOf(character);
  if (han >= 0) return String(han);
  // Circled or bracketed ones, such as ⑫, ⑴ or ⒓, become the digits they show.
  const plain = character.normalize('NFKC').replace(/^\((.+)\)$|\.$/, '$1');
  if (/^[0-9]+$/.test(plain)) return plain;
  const code = plain.codePointAt(0) ?? 0;
  // In a compound such as ½, no part is a digit of its own.
  if (plain !== String.fromCodePoint(code) || !isDigit(code)) return undefined;
  // A script's digits are ten in a row from zero; those of several scripts may adjoin.
  let before = 0;
  while (isDigit(code - before - 1)) before += 1;
  return String(before % 10);
};

/** A text with all its digits in Latin, and the source character of each position. */
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

// Between the digits of a number people put anything but letters and digits: spaces, hyphens, dots, brackets,
// direction marks.
const between = /[^\p{L}\p{N}]/u;

/** The same without separators between digits: each number is contiguous. */
const close = ({ plain, characters, from }: Read): Read => {
  const kept: number[] = [];
  let closed = '';
  let at = 0;
  for (const character of plain) {
    const origin = from[at] ?? 0;
    at += character.length;
    if (between.test(character)) continue;
    // One position per character, whatever its length in code units.
    closed += /[0-9]/.test(character) ? character : 'x';
    kept.push(origin);
  }
  return { plain: closed, characters, from: kept };
};

export const withoutSeparators = (text: string): string => close(read(text)).plain;

/** The characters of a text, with stars at these positions. */
const star = ({ characters, from }: Read, places: Iterable<number>): string => {
  const starred = new Set<number>();
  for (const place of places) starred.add(from[place] ?? -1);
  return characters.map((one, at) => (starred.has(at) ? '*' : one)).join('');
};

/** The positions of each run of digits that `find` finds, without its last ones. */
const placesOf = ({ plain }: Read, find: RegExp): number[] =>
  [...plain.matchAll(find)].flatMap(({ index, 0: found }) =>
    Array.from({ length: Math.max(0, found.length - shownAtEnd) }, (_, at) => index + at),
  );

/** Whether a text has too few digits for a number: most texts do, and are skipped. */
const hasFew = (text: string, digits: number): boolean =>
  text.length < digits / 2 ||
  (/^[\x20-\x7e]*$/.test(text) && (text.match(/[0-9]/g)?.length ?? 0) < digits);

/** Masks one number, with or without its country prefix, as people write it, in any script's digits. */
export const maskNumber = (mobile: string, format: MobileFormat): Mask => {
  const own = mobile.slice(format.prefix.length);
  return (text) => {
    if (own === '' || hasFew(text, own.length)) return text;
    const closed = close(read(text));
    return closed.plain.includes(own) ? star(closed, placesOf(closed, new RegExp(own, 'g'))) : text;
  };
};

/** Masks everything with at least as many digits as a number: for recorded searches. */
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
// A month too, for the order differs. Digits that are neither are the rest of a number.
const day = '(?:0?[1-9]|[12][0-9]|3[01])';

/**
 * What has many digits but is no number: UUIDs of versions 4 and 7, dates of either calendar with times,
 * amounts.
 */
const others = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:',
    '[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    `|(?:${year}([-/.])${day}\\1${day}|${day}([-/.])${day}\\2${year})(?:[ T]${time})?`,
    // As long as a number. After a plus sign or other digits it may be the rest of one.
    '|(?<![+0-9][^\\p{L}\\p{N}]{0,5})[1-9][0-9]{0,2}(?:[,،٬][0-9]{3}){3,}(?![,،٬]\\p{N})',
    ')(?!\\p{N})',
  ].join(''),
  'giu',
);

// Amounts have commas and times have colons; numbers have neither.
const narrow = '[^\\p{L}\\p{N},،٬٫:;\\r\\n]{0,3}';

// After a prefix that only numbers have, any separators count. Fewer than the stars of a masked number, which
// are not a gap.
const wide = '[^\\p{L}\\p{N}]{0,5}';

/** What may precede a number: a zero, or its country prefix, with zeros before and after it. */
const leadWith = (gap: string, prefix: string): string => {
  const zeros = (least: number): string => `(?:0${gap}){${least},4}`;
  return `${zeros(0)}${Array.from(prefix).join(gap)}${gap}${zeros(0)}|${zeros(1)}`;
};

/** Numbers as people write them. Those of the default country begin with 9; bank references seldom do. */
const numberIn = ({ prefix, digits }: MobileFormat): RegExp => {
  const first = prefix === '98' ? '9' : '[1-9]';
  const number = (lead: string, own: string, gap: string): string =>
    `(?<lead>${lead})(?<own>${own}(?:${gap}[0-9]){${digits - 1}})(?![0-9])`;
  const spelled = `(?<wide>)${number(leadWith(wide, prefix), first, wide)}`;
  const ways = [
    number(leadWith(narrow, prefix), '[1-9]', narrow),
    // Where numbers may begin with any digit, a leading zero says too little.
    ...(first === '9' ? [`(?<=[+]${wide})${spelled}`] : []),
    number('', first, narrow),
    ...(first === '9' ? [spelled] : []),
  ];
  // Tried at each position: a false match must not hide a number after it.
  return new RegExp(`(?<![0-9])(?=${ways.join('|')})`, 'gu');
};

const masking = (format: MobileFormat): Mask => {
  const find = numberIn(format);
  return (text) => {
    if (hasFew(text, format.digits)) return text;
    const whole = read(text);
    // Replaced by letters, so that nothing matches there.
    const plain = whole.plain.replace(others, (one) => 'x'.repeat(one.length));
    let end = 0;
    const places = [...plain.matchAll(find)].flatMap(({ index, groups = {} }) => {
      const { wide: isWide, lead = '', own = '' } = groups;
      // Within a written number, it would extend into the amount after it.
      if (isWide !== undefined && index < end) return [];
      const start = index + lead.length;
      if (isWide === undefined) end = start + own.length;
      const digits = [...own.matchAll(/[0-9]/g)].map(({ index: at }) => start + at);
      return digits.slice(0, -shownAtEnd);
    });
    return places.length === 0 ? text : star(whole, places);
  };
};

// The expression takes milliseconds to compile. A process has one format.
const maskings = perKey((format: string): Mask => {
  const [prefix = '', digits] = format.split(' ');
  return masking({ prefix, digits: Number(digits) });
});

/** Masks everything that reads like a number, and keeps dates, amounts, references and ids. */
export const maskNumbers = ({ prefix, digits }: MobileFormat): Mask =>
  maskings(`${prefix} ${digits}`);

const asItIs: Mask = (text) => text;

/** How a role reads others' texts: complete with the right to numbers, else masked. */
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
