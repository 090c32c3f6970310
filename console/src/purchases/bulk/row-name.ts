/** Names a purchase of a list for screen readers. */
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import type { Row } from '../columns.tsx';

export const useRowName = (): ((row: Row) => string) => {
  const say = useText();
  const { digits, time } = useFormat();
  return ({ mobile, began_at: at }) =>
    say('purchases.many.rowName', { number: digits(mobile), time: time(at) });
};
