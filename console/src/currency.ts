/** Describes currencies, and writes amounts in them. Pure. */
import type { Currency } from './api/types.ts';
import type { Locale } from './preferences.ts';

export type { Currency } from './api/types.ts';

/** What is written beside an amount, in a language. */
export type WrittenCurrency = Currency['written'][Locale];

// A word keeps its distance and stays on the same line; a sign such as $ touches the amount.
const space = '\u00a0';

/** A formatted amount with its currency. */
export const withCurrency = (amount: string, { symbol, position }: WrittenCurrency): string => {
  if (position === 'after') return `${amount}${space}${symbol}`;
  if (/\p{L}/u.test(symbol)) return `${symbol}${space}${amount}`;
  // The minus stands before the sign: -$5.
  const [minus = ''] = /^\u200e?[-\u2212]/.exec(amount) ?? [];
  return `${minus}${symbol}${amount.slice(minus.length)}`;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether a value, such as one of the audit log, is a currency. */
export const isCurrency = (value: unknown): value is Currency =>
  isRecord(value) &&
  typeof value['code'] === 'string' &&
  isRecord(value['names']) &&
  isRecord(value['written']);

export const isCode = (text: string): boolean => /^[A-Z][A-Z0-9]{2,7}$/.test(text);

/** What people call them; the official names are longer, and toman has none. */
const familiar: ReadonlyMap<string, Currency['names']> = new Map([
  ['IRR', { en: 'rial', fa: 'ریال' }],
  ['IRT', { en: 'toman', fa: 'تومان' }],
]);

/** The codes to choose from; any other may be typed. */
export const codes: readonly string[] = [
  ...new Set([...familiar.keys(), ...Intl.supportedValuesOf('currency')]),
];

const officialName = (code: string, locale: Locale): string => {
  try {
    return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code;
  } catch {
    // Only codes of three letters can be official.
    return code;
  }
};

/** A currency by its code, as a first proposal. */
export const currencyOf = (code: string): Currency => {
  const names = familiar.get(code) ?? {
    en: officialName(code, 'en'),
    fa: officialName(code, 'fa'),
  };
  return {
    code,
    names,
    written: {
      en: { symbol: code, position: 'after' },
      fa: { symbol: names.fa.slice(0, 20), position: 'after' },
    },
  };
};

/** Whether nothing is missing. */
export const isComplete = ({ code, names, written }: Currency): boolean =>
  isCode(code) &&
  [names.en, names.fa, written.en.symbol, written.fa.symbol].every((text) => text.trim() !== '');
