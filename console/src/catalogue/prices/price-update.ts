/** Parses a typed price change into the API's request. Pure. */
import type { Operations } from '../../api/types.ts';
import { readWhole, toLatinDigits } from '../../writing.ts';

export type PricesBody = Operations['previewPrices']['body'];
type Change = PricesBody['change'];

export const changeKinds = [
  'morePercent',
  'lessPercent',
  'moreAmount',
  'lessAmount',
  'toPrice',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const priceFields = ['price', 'second_price', 'showable_price'] as const;
export type PriceField = (typeof priceFields)[number];

export const roundings = [1, 10, 100, 1000, 10_000] as const;
export type Rounding = (typeof roundings)[number];

/** Which products change. */
export const scopes = ['chosen', 'filter', 'everything'] as const;
export type Scope = (typeof scopes)[number];

export const isPercent = (how: ChangeKind): boolean => how.endsWith('Percent');

/** A typed percentage, in any digits, without a sign; else undefined. */
export const readPercent = (typed: string): string | undefined => {
  const text = toLatinDigits(typed.trim())
    .replace(/[٫/]/, '.')
    .replace(/\s*[%٪]$/, '');
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? text : undefined;
};

/** The typed value for the API; undefined if it is not a number. */
export const changeOf = (how: ChangeKind, typed: string): Change | undefined => {
  const sign = how.startsWith('less') ? -1 : 1;
  if (isPercent(how)) {
    const percent = readPercent(typed);
    return percent === undefined ? undefined : { percent: sign < 0 ? `-${percent}` : percent };
  }
  const whole = readWhole(typed);
  if (whole === undefined || whole < 0) return undefined;
  return how === 'toPrice' ? { price: whole } : { amount: sign * whole };
};
