/** Names operators in the language of the page. */
import { useRead } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Names } from './rules-typed.ts';

/** The names of operators; their numbers until the names are loaded. */
export const useOperatorNames = (): Names => {
  const say = useText();
  const { digits, locale } = useFormat();
  const { data } = useRead('getOverview', {});
  return (id) =>
    data?.operators.find((operator) => operator.id === id)?.names[locale] ??
    say('clientRules.operator', { id: digits(id) });
};
