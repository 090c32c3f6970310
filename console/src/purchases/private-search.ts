/** Keeps searches that must not appear in the URL, such as mobile numbers, in memory until sign-out. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { newKey } from '../api/key.ts';
import type { PrivateSearch } from './filter.ts';

/** The key of the search in a history entry's state; the key alone reveals nothing. */
export const privateSearchKeyIn = (state: unknown): string | undefined =>
  typeof state === 'object' &&
  state !== null &&
  'privateSearch' in state &&
  typeof state.privateSearch === 'string'
    ? state.privateSearch
    : undefined;

const queryKey = (key: string) => ['privateSearch', key] as const;

/** Stored in the query cache, which is cleared at sign-in and sign-out. */
export const usePrivateSearch = () => {
  const queries = useQueryClient();
  /** Stores a search and returns the history state that finds it again. */
  const keep = useCallback(
    (search: PrivateSearch): { readonly privateSearch?: string } => {
      if (Object.values(search).every((text) => text === '')) return {};
      const key = newKey();
      queries.setQueryDefaults(queryKey(key), { gcTime: Number.POSITIVE_INFINITY });
      queries.setQueryData<PrivateSearch>(queryKey(key), search);
      return { privateSearch: key };
    },
    [queries],
  );
  /** Returns undefined if there was no search, or if it is lost, for example after a reload. */
  const find = useCallback(
    (state: unknown): PrivateSearch | undefined => {
      const key = privateSearchKeyIn(state);
      return key === undefined ? undefined : queries.getQueryData<PrivateSearch>(queryKey(key));
    },
    [queries],
  );
  return { keep, find };
};
