/** Owns the application: its language, its looks, and its routes made of the list of pages. */
import { CacheProvider } from '@emotion/react';
import useMediaQuery from '@mui/material/useMediaQuery';
import { QueryClient } from '@tanstack/react-query';
import { CustomRoutes } from 'ra-core';
import { AdminContext, AdminUI } from 'ra-ui-materialui';
import { lazy, useEffect, useMemo, useState } from 'react';
import { BrowserRouter, Navigate, Route } from 'react-router-dom';
import { authProvider } from './api/auth-provider.ts';
import { ApiError } from './api/client.ts';
import { dataProvider } from './api/data-provider.ts';
import { type Language, loadLanguage } from './i18n/languages.ts';
import { type Page, pages } from './pages.tsx';
import { consoleBase } from './place.ts';
import { usePreferences } from './preferences.ts';
import { useMay, useMe } from './session.tsx';
import { Failed, NotFound } from './shell/elsewhere.tsx';
import { Frame } from './shell/frame.tsx';
import { themeFor } from './theme.ts';

const SignIn = lazy(() => import('./sign-in/sign-in.tsx'));
const SendCode = lazy(() => import('./sign-in/send-code.tsx'));
const SetUp = lazy(() => import('./sign-in/set-up.tsx'));

const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (count, error) => count < 1 && isPassing(error), staleTime: 5000 },
  },
});

/** Where somebody begins: the first page of the menu that their role shows. */
const Beginning = () => {
  const { rights } = useMe();
  const first = pages.find(({ right }) => right === undefined || rights.includes(right));
  return <Navigate to={first?.path ?? '/me'} replace />;
};

/** A page for those who may see it; for others there is none. */
const Shown = ({ page: { view: View, right } }: { readonly page: Page }) =>
  useMay(right) ? <View /> : <NotFound />;

/** The language that is chosen, once it is there; the one before it until then. */
const useLanguage = (first: Language): Language => {
  const { locale } = usePreferences();
  const [language, setLanguage] = useState(first);
  useEffect(() => {
    let wanted = true;
    const load = async (): Promise<void> => {
      const loaded = await loadLanguage(locale);
      if (wanted) setLanguage(loaded);
    };
    void load();
    return () => {
      wanted = false;
    };
  }, [locale]);
  useEffect(() => {
    document.documentElement.lang = language.locale;
    document.documentElement.dir = language.direction;
  }, [language]);
  return language;
};

export const App = ({ first }: { readonly first: Language }) => {
  const language = useLanguage(first);
  const { theme } = usePreferences();
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  const mode = theme === 'system' ? (systemIsDark ? 'dark' : 'light') : theme;
  const look = useMemo(() => themeFor(mode, language), [mode, language]);
  return (
    <CacheProvider value={language.styles}>
      <BrowserRouter basename={consoleBase}>
        <AdminContext
          authProvider={authProvider}
          dataProvider={dataProvider}
          i18nProvider={language.i18n}
          queryClient={queryClient}
          theme={look}
        >
          <AdminUI
            disableTelemetry
            title="Simgate"
            layout={Frame}
            loginPage={<SignIn />}
            authCallbackPage={false}
            catchAll={NotFound}
            error={Failed}
          >
            <CustomRoutes noLayout>
              <Route path="/login/code" element={<SendCode />} />
              <Route path="/setup" element={<SetUp />} />
            </CustomRoutes>
            <CustomRoutes>
              <Route path="/" element={<Beginning />} />
              {pages.map((page) => (
                <Route key={page.name} path={`${page.path}/*`} element={<Shown page={page} />} />
              ))}
            </CustomRoutes>
          </AdminUI>
        </AdminContext>
      </BrowserRouter>
    </CacheProvider>
  );
};
