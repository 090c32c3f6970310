/** Puts a requested price change into words. */
import { type Format, useFormat } from '../../format.ts';
import { type Say, useText } from '../../i18n/text.ts';
import { minus, plus, signed } from '../delta.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;

const changeText = (say: Say, { money, decimal }: Format, change: Values): string => {
  const { percent, amount, price } = change;
  if (typeof percent === 'string') {
    const size = percent.replace(/^-/, '');
    const sign = percent.startsWith('-') ? minus : plus;
    return say('cataloguePrices.percentOf', { sign, percent: decimal(size) });
  }
  if (typeof amount === 'number') return signed(amount, money);
  return typeof price === 'number' ? say('cataloguePrices.toPrice', { price: money(price) }) : '';
};

/** Such as "+7.5%, rounded to 1,000"; undefined if nothing is known. */
export const useAskedText = (): ((asked: Values | null | undefined) => string | undefined) => {
  const say = useText();
  const format = useFormat();
  return (asked) => {
    const { change, round_to: to } = asked ?? {};
    if (!isValues(change)) return undefined;
    const text = changeText(say, format, change);
    return typeof to === 'number' && to > 1
      ? say('cataloguePrices.roundedTo', { change: text, to: format.money(to) })
      : text;
  };
};
