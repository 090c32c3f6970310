/** Names operators in the language of the page. */
import { useCallback } from 'react';
import { useFormat } from '../format.ts';
import type { Listed } from './operator.ts';

export const useOperatorName = (): ((operator: Pick<Listed, 'names'>) => string) => {
  const { locale } = useFormat();
  return useCallback(({ names }) => names[locale], [locale]);
};
