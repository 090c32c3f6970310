/** Formats the difference of two prices, as an amount and in percent. Pure. */
import type { Format } from '../writing.ts';

// With the mark before it, a sign stays on the left of its number in Persian too.
export const plus = '\u200e+';
export const minus = '\u200e\u2212';

/** With its sign, also above zero. */
export const signed = (value: number, write: (size: number) => string): string =>
  value === 0 ? write(0) : `${value > 0 ? plus : minus}${write(Math.abs(value))}`;

/** A percentage with its sign: 7.5 is +7.5%. */
export const percentText = ({ percent }: Pick<Format, 'percent'>, value: number): string =>
  signed(value, (size) => percent(size / 100, 2));
