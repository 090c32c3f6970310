/** Provides components with the words for facts, in the language of the page. */
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Fact, factWords, type MoneyEffect, moneyWords } from './facts.ts';

export const useFactWords = (): ((fact: Fact) => string) => {
  const say = useText();
  const format = useFormat();
  return (fact) => factWords(fact, say, format);
};

export const useMoneyWords = (): ((money: MoneyEffect) => string) => {
  const say = useText();
  const format = useFormat();
  return (money) => moneyWords(money, say, format);
};
