/** Signs out and clears all cached data. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '../api/client.ts';

export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    // Whatever the answer: no cached data stays in this page.
    await call('signOut', {}).catch(() => undefined);
    queries.clear();
    await navigate('/login', { replace: true });
  };
};
