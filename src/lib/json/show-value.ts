/** Shortens a value of a file for an error message. */
import type { Text } from '../text.ts';

/** A value as a part of a sentence. */
export type Shown = Text;

const longestShown = 40;

/** A code in a Persian sentence: in backticks, which must not end early. */
export const showCode = (code: string): string => `\`${code.replaceAll('`', "'")}\``;

export const show = (value: unknown): Shown => {
  if (Array.isArray(value)) return { en: 'a list', fa: 'فهرست' };
  if (typeof value === 'object' && value !== null) return { en: 'an object', fa: 'شیء' };
  const plain =
    typeof value === 'string'
      ? JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)
      : String(value);
  return { en: plain, fa: showCode(plain) };
};
