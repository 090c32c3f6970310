/** Converts Arabic and Persian digits to Latin ones. */

/** Arabic (U+0660) and Persian (U+06F0) digits become Latin ones; everything else stays. */
export const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
