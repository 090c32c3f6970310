/** Signs out and clears what the session leaves in the page. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '../api/client.ts';
import { forget } from '../sign-in/forget.ts';

export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    // Whatever the answer: nothing of the session stays in this page.
    await call('signOut', {}).catch(() => undefined);
    forget(queries);
    await navigate('/login', { replace: true });
  };
};
