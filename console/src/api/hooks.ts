/** Provides hooks that read from the gateway's API and change data through it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Answer, call, type Given, type OperationId } from './client.ts';

/** Reads; cached data is shown until it is read again. */
export const useRead = <Id extends OperationId>(
  id: Id,
  given: Given<Id>,
  {
    keep = false,
    ...options
  }: {
    readonly enabled?: boolean;
    readonly refetchInterval?: number | false;
    readonly staleTime?: number;
    /** Whether earlier data stays visible until this has loaded. */
    readonly keep?: boolean;
  } = {},
) =>
  useQuery<Answer<Id> | null, unknown>({
    queryKey: [id, given],
    queryFn: async ({ signal }) => (await call(id, given, signal)) ?? null,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });

/** Invalidates cached data: visible queries are read again now, others on next use. */
export const useReread = (): ((ids: readonly OperationId[]) => Promise<void>) => {
  const queries = useQueryClient();
  return useCallback(
    async (ids) => {
      await Promise.all(ids.map((id) => queries.invalidateQueries({ queryKey: [id] })));
    },
    [queries],
  );
};

/** Changes something, and invalidates everything that may look different then. */
export const useAct = <Id extends OperationId>(
  id: Id,
  { changes = [] }: { readonly changes?: readonly OperationId[] } = {},
) => {
  const reread = useReread();
  return useMutation<Answer<Id>, unknown, Given<Id>>({
    mutationFn: (given) => call(id, given),
    onSuccess: () => reread(changes),
  });
};
