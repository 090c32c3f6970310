/** Clears what a session leaves in the page: cached data and messages. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { dismissAll } from '../notifications.ts';

export const forget = (queries: QueryClient): void => {
  queries.clear();
  dismissAll();
};

/** Forgets the previous user as soon as the page is shown: before it reads anything itself. */
export const useForget = (): void => {
  const queries = useQueryClient();
  useLayoutEffect(() => forget(queries), [queries]);
};
