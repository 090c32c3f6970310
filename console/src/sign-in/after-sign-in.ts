/** Continues after sign-in: to the two-factor step, or to the requested page. */
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { forget } from './forget.ts';

/** The page that was requested before; only one of the console's own. */
export const wantedIn = (state: unknown): string => {
  const from =
    typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined;
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : '/';
};

export const useAfterSignIn = (): ((answer: { readonly code_needed: boolean }) => void) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const location: { readonly state: unknown } = useLocation();
  return ({ code_needed: codeNeeded }) => {
    // A link or a second factor may sign in while another user's pages are open.
    forget(queries);
    const from = wantedIn(location.state);
    void (codeNeeded
      ? navigate('/login/code', { replace: true, state: { from } })
      : navigate(from, { replace: true }));
  };
};
