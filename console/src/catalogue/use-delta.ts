/** Provides the texts of a price before and after a change, and of their difference. */
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { percentText, signed } from './delta.ts';

type Prices = { readonly before: number | null; readonly after: number | null };

export const useDelta = () => {
  const say = useText();
  const format = useFormat();
  const none = say('common.none');
  return {
    price: (value: number | null): string => (value === null ? none : format.money(value)),
    amount: ({ before, after }: Prices): string =>
      before === null || after === null ? none : signed(after - before, format.money),
    percent: ({ before, after }: Prices): string =>
      before === null || after === null || before === 0
        ? none
        : percentText(format, (100 * (after - before)) / before),
  };
};
