/** Remembers a list's filters and page until sign-out, so that links lead back to them. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';

type Left = { readonly search: string; readonly state: unknown };

// Stored beside the cached data, which is cleared at sign-out.
const keyOf = (path: string) => ['left', path] as const;

/** For the list itself. */
export const useRememberLocation = (path: string): void => {
  const queries = useQueryClient();
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  useEffect(() => {
    queries.setQueryDefaults(keyOf(path), { gcTime: Number.POSITIVE_INFINITY });
    queries.setQueryData<Left>(keyOf(path), { search, state });
  }, [queries, path, search, state]);
};

/** For a link back to the list. */
export const useBackLink = (path: string): { readonly to: string; readonly state: unknown } => {
  const left = useQueryClient().getQueryData<Left>(keyOf(path));
  return { to: path + (left?.search ?? ''), state: left?.state };
};
