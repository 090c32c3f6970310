/** Formats and parses numbers, money and times in each language. Pure. */
import type { Locale } from './preferences.ts';

const tags: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  fa: 'fa-IR-u-nu-arabext-ca-persian',
};

export type TimeStyle = 'full' | 'short' | 'date' | 'clock' | 'minute' | 'utcDay';

const timeStyles: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  full: { dateStyle: 'medium', timeStyle: 'medium' },
  short: { dateStyle: 'medium', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  clock: { timeStyle: 'medium' },
  minute: { timeStyle: 'short' },
  utcDay: { day: 'numeric', month: 'short', timeZone: 'UTC' },
};

export type Format = {
  readonly locale: Locale;
  /** Whose clocks show the times. */
  readonly zone: string;
  /** A whole number, with its thousands apart. */
  readonly count: (value: number) => string;
  /** Whole currency units. */
  readonly money: (value: number) => string;
  /** A part of one: 0.125 is 12.5%. */
  readonly percent: (value: number, digits?: number) => string;
  /** A length of time, in the largest unit that fits. */
  readonly duration: (ms: number) => string;
  /** A moment, given as the API gives it or in milliseconds. */
  readonly time: (value: string | number, style?: TimeStyle) => string;
  /** The same where the clocks are those of a zone. */
  readonly timeIn: (zone: string, value: string | number) => string;
  /** A size, in the largest unit that fits. */
  readonly bytes: (size: number) => string;
  /** How long ago a moment was, or until it comes. */
  readonly ago: (value: string | number, now: number) => string;
  /** A number that is to be typed over, as the language writes it. */
  readonly decimal: (text: string) => string;
  /** Any text, with its digits as the language writes them. */
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

const makeFormat = (locale: Locale, timeZone: string | undefined): Format => {
  const tag = tags[locale];
  const zone = timeZone === undefined ? {} : { timeZone };
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const largest = (ms: number) => units.find(([, size]) => Math.abs(ms) >= size);
  return {
    locale,
    zone: timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    count: (value) => whole.format(value),
    money: (value) => whole.format(value),
    percent: (value, digits = 1) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: digits }).format(value),
    duration: (ms) => {
      const [unit, size] = largest(ms) ?? (['millisecond', 1] as const);
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        maximumFractionDigits: size > 1 ? 1 : 0,
      }).format(ms / size);
    },
    time: (value, style = 'full') =>
      new Intl.DateTimeFormat(tag, { ...timeStyles[style], ...zone }).format(momentOf(value)),
    timeIn: (zone, value) =>
      new Intl.DateTimeFormat(tag, { ...timeStyles.short, timeZone: zone }).format(momentOf(value)),
    bytes: (size) => {
      const [unit, each] = sizes.find(([, least]) => size >= least) ?? (['byte', 1] as const);
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
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

/** Whether it is the name of a zone that this browser knows. An offset is none. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const made = new Map<string, Format>();

/** The format of a language. Times are those of a zone; of the browser's where it knows no such zone. */
export const formatFor = (locale: Locale, timeZone?: string): Format => {
  const key = `${locale} ${timeZone ?? ''}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined;
  const format = makeFormat(locale, zone);
  made.set(key, format);
  return format;
};

/** Persian and Arabic digits as Latin ones; everything else as it is. */
export const toLatinDigits = (text: string): string =>
  text
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));

/** A whole number as somebody types it: in any digits, with or without its thousands apart; else undefined. */
export const readWhole = (typed: string): number | undefined => {
  const text = toLatinDigits(typed.trim()).replaceAll(
    /(?<=\d)[,٬،_\u00a0\u202f ](?=\d{3}(?!\d))/g,
    '',
  );
  if (!/^[-−]?\d{1,15}$/.test(text)) return undefined;
  return Number(text.replace('−', '-'));
};

/** A number as somebody types it, also with a part behind a point; else undefined. */
export const readNumber = (typed: string): number | undefined => {
  const [whole = '', part, ...more] = toLatinDigits(typed.trim()).replace('٫', '.').split('.');
  if (part === undefined) return readWhole(whole);
  const begins = readWhole(whole);
  if (more.length > 0 || begins === undefined || !/^\d{1,15}$/.test(part)) return undefined;
  return Number(`${begins === 0 && /^[-−]/.test(whole) ? '-0' : begins}.${part}`);
};
