/** Provides the signed-in account and its permissions. */
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type Answer, call } from './api/client.ts';

export type Me = Answer<'getMe'>;
export type Right = Me['rights'][number];
export type Role = Me['account']['role'];

export const meKey = ['getMe'] as const;

/** Reads the current session. An error means that there is none, or an incomplete one. */
export const useSession = () =>
  useQuery<Me, unknown>({
    queryKey: meKey,
    queryFn: ({ signal }) => call('getMe', {}, signal),
    retry: false,
    staleTime: 60_000,
  });

const MeContext = createContext<Me | undefined>(undefined);

export const MeProvider = MeContext.Provider;

/** The signed-in account; only below the frame. */
export const useMe = (): Me => {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error('useMe needs a signed-in account.');
  return me;
};

/** Whether the signed-in account has a permission. */
export const useMay = (right: Right | undefined): boolean => {
  const { rights } = useMe();
  return right === undefined || rights.includes(right);
};
