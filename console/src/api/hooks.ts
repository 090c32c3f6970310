/** Owns how components read from the gateway and change something there. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, call, type Given, type OperationId } from './client.ts';

/** Reads; what was read before is shown until it is read again. */
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
    /** Whether what was read for something else stays in sight until this has come. */
    readonly keep?: boolean;
  } = {},
) =>
  useQuery<Answer<Id> | null, unknown>({
    queryKey: [id, given],
    queryFn: async ({ signal }) => (await call(id, given, signal)) ?? null,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });

/** Changes something, and has everything read again that may look different then. */
export const useAct = <Id extends OperationId>(
  id: Id,
  { changes = [] }: { readonly changes?: readonly OperationId[] } = {},
) => {
  const queries = useQueryClient();
  return useMutation<Answer<Id>, unknown, Given<Id>>({
    mutationFn: (given) => call(id, given),
    onSuccess: async () => {
      await Promise.all(changes.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
};
