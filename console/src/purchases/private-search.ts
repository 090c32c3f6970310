/** Owns what is looked for and must stand in no address: a number is kept in memory, for as long as somebody is signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { newKey } from '../api/key.ts';
import type { Filter } from './filter.ts';

/** What of a filter only this page knows. */
export type Sought = Partial<Pick<Filter, 'q' | 'number'>>;

/** What a place in the history carries: a name for what is sought, which means nothing elsewhere. */
export const soughtIn = (state: unknown): string | undefined =>
  typeof state === 'object' &&
  state !== null &&
  'sought' in state &&
  typeof state.sought === 'string'
    ? state.sought
    : undefined;

const place = (key: string) => ['sought', key] as const;

/** Kept beside what was read, which is forgotten when somebody signs out or in. */
export const useSought = () => {
  const queries = useQueryClient();
  /** Keeps it; gives the state of a place from which it is found again. */
  const keep = useCallback(
    (sought: Sought): { readonly sought?: string } => {
      if (Object.values(sought).every((text) => text === '')) return {};
      const key = newKey();
      queries.setQueryDefaults(place(key), { gcTime: Number.POSITIVE_INFINITY });
      queries.setQueryData<Sought>(place(key), sought);
      return { sought: key };
    },
    [queries],
  );
  /** Undefined where nothing was sought, or it is not known any more, as after a reload. */
  const find = useCallback(
    (state: unknown): Sought | undefined => {
      const key = soughtIn(state);
      return key === undefined ? undefined : queries.getQueryData<Sought>(place(key));
    },
    [queries],
  );
  return { keep, find };
};
