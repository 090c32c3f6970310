/** Stores the browser's preferences: language, theme, and whether single keys are shortcuts. */
import { useSyncExternalStore } from 'react';

export const locales = ['en', 'fa'] as const;
export type Locale = (typeof locales)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type ThemePreference = (typeof themes)[number];

export type Preferences = {
  readonly locale: Locale;
  readonly theme: ThemePreference;
  /** Whether a key alone, such as `/`, does something. */
  readonly singleKeys: boolean;
};

const key = 'simgate.console';

const isLocale = (value: unknown): value is Locale => locales.some((one) => one === value);
const isTheme = (value: unknown): value is ThemePreference => themes.some((one) => one === value);

const firstLocale = (): Locale =>
  navigator.languages.some((language) => /^fa\b/i.test(language)) &&
  !/^en\b/i.test(navigator.language)
    ? 'fa'
    : 'en';

const stored = (): unknown => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
};

const read = (): Preferences => {
  const found = stored();
  const given: Partial<Record<keyof Preferences, unknown>> =
    typeof found === 'object' && found !== null ? found : {};
  return {
    locale: isLocale(given.locale) ? given.locale : firstLocale(),
    theme: isTheme(given.theme) ? given.theme : 'system',
    singleKeys: given.singleKeys !== false,
  };
};

let current = read();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const preferences = (): Preferences => current;

export const setPreferences = (chosen: Partial<Preferences>): void => {
  current = { ...current, ...chosen };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // A browser without storage forgets it with the page.
  }
  for (const listener of listeners) listener();
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
