/** Finds a text by its key and fills in its values. Pure. */
import type { Say, TextKey, Values, ValuesOf } from './keys.ts';

export type Texts = { readonly [key: string]: string | Texts };

/** Every text by its whole key. */
export const flat = (texts: Texts, prefix = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[prefix + key, text]] : flat(text, `${prefix}${key}.`),
  );

/** Numbers are already formatted: each language has its own digits. */
export const createSay = (texts: Texts): Say => {
  const known = new Map(flat(texts));
  function say<Key extends TextKey>(key: Key, ...values: ValuesOf<Key>): string;
  function say(key: string, values: Values = {}): string {
    const text = known.get(key) ?? key;
    return text.replaceAll(/%\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  }
  return say;
};
