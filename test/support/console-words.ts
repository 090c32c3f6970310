/** Owns how tests get the words of the console without its pages. */
import type { Say } from '../../console/src/i18n/keys.ts';
import { at } from './answers.ts';

/** Says what a language has for a key, with its values put in. */
export const sayIn =
  (texts: unknown): Say =>
  (key, values = {}) =>
    String(at(texts, ...key.split('.'))).replaceAll(/%\{(\w+)\}/g, (_whole, name: string) =>
      String(values[name]),
    );
