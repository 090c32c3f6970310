/** Formats and parses numbers, money and times in each language. Pure. */
import { type Currency, withCurrency } from './currency.ts';
import type { Locale } from './preferences.ts';

const tags: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  fa: 'fa-IR-u-nu-arabext-ca-persian',
};

export type TimeStyle = 'full' | 'short' | 'date' | 'clock' | 'minute' | 'day';

const timeStyles: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  full: { dateStyle: 'medium', timeStyle: 'medium' },
  short: { dateStyle: 'medium', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  clock: { timeStyle: 'medium' },
  minute: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
};

export type Format = {
  readonly locale: Locale;
  /** The time zone of the times. */
  readonly zone: string;
  /** A whole number with thousands separators. */
  readonly count: (value: number) => string;
  /** The same in as few characters as possible, such as 1.2M: for axes. */
  readonly compact: (value: number) => string;
  /** What is written beside amounts; empty if no currency is set. */
  readonly unit: string;
  /** Whole currency units, with the currency. */
  readonly money: (value: number) => string;
  /** A fraction: 0.125 is 12.5%. */
  readonly percent: (value: number, digits?: number) => string;
  /** A duration, in the largest fitting unit. */
  readonly duration: (ms: number) => string;
  /** A time, from the API or in milliseconds. */
  readonly time: (value: string | number, style?: TimeStyle) => string;
  /** The same in a given time zone. */
  readonly timeIn: (zone: string, value: string | number) => string;
  /** A size, in the largest fitting unit. */
  readonly bytes: (size: number) => string;
  /** The time since or until a moment. */
  readonly ago: (value: string | number, now: number) => string;
  /** A number for editing, in the language's format. */
  readonly decimal: (text: string) => string;
  /** Any text, with the digits of the language. */
  readonly digits: (text: string | number) => string;
};

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const sizes = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

const momentOf = (value: string | number): Date => new Date(value);

const persianDigits = '۰۱۲۳۴۵۶۷۸۹';

const inPersian = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => persianDigits[Number(digit)] ?? digit);

/** Persian writes one digit for the hours before ten; columns of times need two. */
const timeIn = (
  tag: string,
  options: Intl.DateTimeFormatOptions,
  moment: string | number,
): string =>
  new Intl.DateTimeFormat(tag, options)
    .formatToParts(momentOf(moment))
    .map(({ type, value }) => (type === 'hour' ? value.replace(/^[۰-۹]$/, '۰$&') : value))
    .join('');

const makeFormat = (
  locale: Locale,
  timeZone: string | undefined,
  currency: Currency | null,
): Format => {
  const tag = tags[locale];
  const written = currency?.written[locale];
  const zone = timeZone === undefined ? {} : { timeZone };
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  // British English shortens a million to m, which is also metre.
  const compact = new Intl.NumberFormat(locale === 'en' ? 'en-US' : tag, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const largest = (ms: number) => units.find(([, size]) => Math.abs(ms) >= size);
  return {
    locale,
    zone: timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    count: (value) => whole.format(value),
    compact: (value) => compact.format(value),
    unit: written?.symbol ?? '',
    money: (value) =>
      written === undefined ? whole.format(value) : withCurrency(whole.format(value), written),
    percent: (value, digits = 1) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: digits }).format(value),
    duration: (ms) => {
      const [unit, size] = largest(ms) ?? (['millisecond', 1] as const);
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'millisecond' && locale === 'en' ? 'short' : 'long',
        maximumFractionDigits: size > 1 ? 1 : 0,
      }).format(ms / size);
    },
    time: (value, style = 'full') => timeIn(tag, { ...timeStyles[style], ...zone }, value),
    timeIn: (zone, value) => timeIn(tag, { ...timeStyles.short, timeZone: zone }, value),
    bytes: (size) => {
      const [unit, each] = sizes.find(([, least]) => size >= least) ?? (['byte', 1] as const);
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        // Persian has no short names of its own.
        unitDisplay: unit === 'byte' || locale === 'fa' ? 'long' : 'short',
        maximumFractionDigits: 1,
      }).format(size / each);
    },
    ago: (value, now) => {
      const ms = momentOf(value).getTime() - now;
      const [unit, size] = largest(ms) ?? (['second', 1000] as const);
      return relative.format(Math.round(ms / size), unit);
    },
    decimal: (text) => (locale === 'fa' ? inPersian(text).replace('.', '٫') : text),
    digits: (text) => (locale === 'fa' ? inPersian(String(text)) : String(text)),
  };
};

/** Whether it is a time zone that this browser knows. An offset is not. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const made = new Map<string, Format>();

/**
 * The format of a language. Times use a zone; the browser's own if it does not know that zone. Amounts name the
 * currency, if there is one.
 */
export const formatFor = (
  locale: Locale,
  timeZone?: string,
  currency: Currency | null = null,
): Format => {
  const key = JSON.stringify([locale, timeZone, currency?.written[locale]]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined;
  const format = makeFormat(locale, zone, currency);
  made.set(key, format);
  return format;
};

/** Persian and Arabic digits as Latin ones; everything else unchanged. */
export const toLatinDigits = (text: string): string =>
  text
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));

/** A typed whole number: in any digits, with or without thousands separators; else undefined. */
export const readWhole = (typed: string): number | undefined => {
  const text = toLatinDigits(typed.trim()).replaceAll(
    /(?<=\d)[,٬،_\u00a0\u202f ](?=\d{3}(?!\d))/g,
    '',
  );
  if (!/^[-−]?\d{1,15}$/.test(text)) return undefined;
  return Number(text.replace('−', '-'));
};

/** A typed number, with or without decimals; else undefined. */
export const readNumber = (typed: string): number | undefined => {
  const [whole = '', part, ...more] = toLatinDigits(typed.trim()).replace('٫', '.').split('.');
  if (part === undefined) return readWhole(whole);
  const begins = readWhole(whole);
  if (more.length > 0 || begins === undefined || !/^\d{1,15}$/.test(part)) return undefined;
  return Number(`${begins === 0 && /^[-−]/.test(whole) ? '-0' : begins}.${part}`);
};

/** A Persian text with Latin words in it: a number after one stays in its place, left of it. */
export const withNumbersInPlace = (text: string): string =>
  text.replaceAll(/(?<=[آ-ی].*[A-Za-z])(?=\s+\p{Nd})/gu, '\u200f');
