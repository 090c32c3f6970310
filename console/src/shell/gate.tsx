/** Redirects users without a full session to sign-in, and back afterwards. */
import Box from '@mui/material/Box';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { isSessionLost, onSessionLost } from '../api/client.ts';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { MeProvider, meKey, useSession } from '../session.tsx';

const Enrollment = lazy(() => import('./enrollment.tsx'));

export const Gate = ({ children }: { readonly children: ReactNode }) => {
  const session = useSession();
  const queries = useQueryClient();
  const location = useLocation();
  useEffect(
    () => onSessionLost(() => void queries.invalidateQueries({ queryKey: meKey, exact: true })),
    [queries],
  );
  const { error, data } = session;
  if (isSessionLost(error)) {
    const to = error.code === 'CODE_NEEDED' ? '/login/code' : '/login';
    const from = location.pathname + location.search;
    return <Navigate to={to} replace state={{ from }} />;
  }
  if (data?.second_factor_required === true) {
    return (
      <MeProvider value={data}>
        <Suspense fallback={<Loading />}>
          <Enrollment />
        </Suspense>
      </MeProvider>
    );
  }
  if (data !== undefined) return <MeProvider value={data}>{children}</MeProvider>;
  if (error !== null) {
    return (
      <Box component="main" sx={{ p: 3, maxWidth: 640, mx: 'auto' }}>
        <ErrorState error={error} retry={() => void session.refetch()} />
      </Box>
    );
  }
  return (
    <Box component="main">
      <Loading />
    </Box>
  );
};
