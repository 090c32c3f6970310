/** Defines the currency of all amounts: its code, its names, and how it is written beside an amount. Pure. */
import { isRecord } from '../lib/record.ts';
import type { Locale, Text } from '../lib/text.ts';

export const positions = ['before', 'after'] as const;

/** How a language writes the currency: a symbol, the code or the name, before or after the amount. */
export type WrittenCurrency = {
  readonly symbol: string;
  readonly position: (typeof positions)[number];
};

export type Currency = {
  /** As in ISO 4217, or the company's own, such as IRT for toman. */
  readonly code: string;
  readonly names: Text;
  readonly written: Readonly<Record<Locale, WrittenCurrency>>;
};

export const codePattern = '^[A-Z][A-Z0-9]{2,7}$';
export const longestName = 40;
export const longestSymbol = 20;

export const isCode = (text: string): boolean => new RegExp(codePattern).test(text);

/** What people call them; the official names are longer, and toman has none. */
const familiar: ReadonlyMap<string, Text> = new Map([
  ['IRR', { en: 'rial', fa: 'ریال' }],
  ['IRT', { en: 'toman', fa: 'تومان' }],
]);

const officialName = (code: string, locale: Locale): string => {
  try {
    return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code;
  } catch {
    // Only codes of three letters can be official.
    return code;
  }
};

/** A currency by its code: named as people call it, written after the amount. */
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
      fa: { symbol: names.fa.slice(0, longestSymbol), position: 'after' },
    },
  };
};

const tidied = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** Without spaces around its texts. */
export const tidyCurrency = ({ code, names, written }: Currency): Currency => ({
  code,
  names: { en: tidied(names.en), fa: tidied(names.fa) },
  written: {
    en: { ...written.en, symbol: tidied(written.en.symbol) },
    fa: { ...written.fa, symbol: tidied(written.fa.symbol) },
  },
});

/** Whether each of its texts has characters, and not too many. */
export const isCurrency = ({ code, names, written }: Currency): boolean =>
  isCode(code) &&
  [names.en, names.fa].every((name) => name.length > 0 && name.length <= longestName) &&
  [written.en, written.fa].every(
    ({ symbol }) => symbol.length > 0 && symbol.length <= longestSymbol,
  );

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const writtenIn = (value: unknown): WrittenCurrency => {
  const { symbol, position } = isRecord(value) ? value : {};
  return { symbol: textIn(symbol), position: position === 'before' ? 'before' : 'after' };
};

/** A stored currency; null if it is not one. */
export const readCurrency = (text: string): Currency | null => {
  const value: unknown = JSON.parse(text);
  const { code, names, written } = isRecord(value) ? value : {};
  const [named, how] = [isRecord(names) ? names : {}, isRecord(written) ? written : {}];
  const currency = {
    code: textIn(code),
    names: { en: textIn(named['en']), fa: textIn(named['fa']) },
    written: { en: writtenIn(how['en']), fa: writtenIn(how['fa']) },
  };
  return isCurrency(currency) ? currency : null;
};

/** An amount in English with its currency, as commands print it; without one the amount alone. */
export const writeAmount = (currency: Currency | null, amount: number): string => {
  if (currency === null) return String(amount);
  const { symbol, position } = currency.written.en;
  if (position === 'after') return `${amount} ${symbol}`;
  // A sign such as $ touches the amount; a word does not.
  return /\p{L}/u.test(symbol) ? `${symbol} ${amount}` : `${symbol}${amount}`;
};

/** A last column of a CSV file, so that the others stay where programs expect them; none without a currency. */
export type CurrencyColumn = {
  readonly header: readonly string[];
  readonly cell: readonly string[];
};

export const currencyColumn = (currency: Pick<Currency, 'code'> | null): CurrencyColumn =>
  currency === null ? { header: [], cell: [] } : { header: ['currency'], cell: [currency.code] };
