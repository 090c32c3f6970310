/** Loads a language: its texts, direction and styles. Persian loads only on demand. */
import createCache, { type EmotionCache } from '@emotion/cache';
import { styleNonce } from '../place.ts';
import type { Locale } from '../preferences.ts';
import { asSent, type Descriptions } from './descriptions.ts';
import { own } from './en/index.ts';
import type { Say } from './keys.ts';
import { createSay } from './say.ts';

export type Language = {
  readonly locale: Locale;
  readonly direction: 'ltr' | 'rtl';
  readonly say: Say;
  readonly descriptions: Descriptions;
  readonly styles: EmotionCache;
};

/** Each in its own words. */
export const languageNames: Readonly<Record<Locale, string>> = { en: 'English', fa: 'فارسی' };

const loaders: Readonly<Record<Locale, () => Promise<Language>>> = {
  en: async () => ({
    locale: 'en',
    direction: 'ltr',
    say: createSay(own),
    descriptions: asSent,
    styles: createCache({ key: 'sg', nonce: styleNonce }),
  }),
  fa: async () => {
    const { own: texts, descriptions, stylisPlugins } = await import('./persian.ts');
    return {
      locale: 'fa',
      direction: 'rtl',
      say: createSay(texts),
      descriptions,
      styles: createCache({ key: 'sgr', nonce: styleNonce, stylisPlugins }),
    };
  },
};

const loaded = new Map<Locale, Promise<Language>>();

export const loadLanguage = (locale: Locale): Promise<Language> => {
  const language = loaded.get(locale) ?? loaders[locale]();
  loaded.set(locale, language);
  // A failed load may succeed the next time.
  language.catch(() => loaded.delete(locale));
  return language;
};
