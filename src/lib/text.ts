/** Defines sentences in both languages, and chooses the language that a request prefers. Pure. */

export type Locale = 'en' | 'fa';

/** A sentence in every language: a missing translation does not compile. */
export type Text = Readonly<Record<Locale, string>>;

/** A text that reads the same in every language: a name, or the words of another system. */
export const sameText = (text: string): Text => ({ en: text, fa: text });

/** Several sentences as one text. */
export const joinTexts = (...texts: readonly Text[]): Text => ({
  en: texts.map(({ en }) => en).join(' '),
  fa: texts.map(({ fa }) => fa).join(' '),
});

const persianZero = 0x6f0;

/** Digits as Persian writes them. Values that a client has to send stay in Latin digits. */
export const persianDigits = (value: string | number): string =>
  String(value).replaceAll(/\d/g, (digit) => String.fromCodePoint(persianZero + Number(digit)));

type Range = { readonly locale: Locale | undefined; readonly weight: number };

const localeOf = (tag: string): Locale | undefined => {
  const [language] = tag.split('-');
  if (language === 'fa') return 'fa';
  // Any language: the gateway's default is English.
  return language === 'en' || language === '*' ? 'en' : undefined;
};

const readRange = (text: string): Range => {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
  return { locale: localeOf(tag), weight: Number(weight) || 0 };
};

/** The language that an `Accept-Language` header prefers: Persian only if it names it. */
export const preferredLocale = (header: string | undefined): Locale => {
  if (header === undefined || !/fa/i.test(header)) return 'en';
  let best: Range = { locale: 'en', weight: 0 };
  for (const range of header.split(',').map(readRange)) {
    if (range.locale !== undefined && range.weight > best.weight) best = range;
  }
  return best.locale ?? 'en';
};
