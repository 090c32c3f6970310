/** Assembles the application: language, theme, and the routes from the list of pages. */
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, useEffect, useMemo, useState } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router';
import { ApiError } from './api/client.ts';
import { themeFor } from './design/theme/theme.ts';
import { DescriptionsProvider } from './i18n/descriptions.ts';
import { type Language, loadLanguage } from './i18n/languages.ts';
import { SayProvider } from './i18n/text.ts';
import { type Page, pages } from './pages.tsx';
import { consoleBase } from './place.ts';
import { usePreferences } from './preferences.ts';
import { useMay, useMe } from './session.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { NotFound } from './shell/error-pages.tsx';
import { Frame } from './shell/frame.tsx';
import { Notifications } from './shell/notifications.tsx';

const SignIn = lazy(() => import('./sign-in/sign-in.tsx'));
const SendCode = lazy(() => import('./sign-in/send-code.tsx'));
const SetUp = lazy(() => import('./sign-in/set-up.tsx'));
const Gallery = lazy(() => import('./design/gallery/page.tsx'));

const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (count, error) => count < 1 && isPassing(error), staleTime: 5000 },
  },
});

/** The start page: the first page of the menu that the role may see. */
const Beginning = () => {
  const { rights } = useMe();
  const first = pages.find(({ right }) => right === undefined || rights.includes(right));
  return <Navigate to={first?.path ?? '/me'} replace />;
};

/** A page for roles that may see it; not found for others. */
const Shown = ({ page: { view: View, right } }: { readonly page: Page }) =>
  useMay(right) ? <View /> : <NotFound />;

/** The chosen language, once it has loaded; the previous one until then. */
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

/**
 * The sign-in pages stand alone; everything else is within the frame. A loading sign-in page has no
 * placeholder: React would then delay it by 300 ms.
 */
const Places = () => (
  <Routes>
    <Route path="/login" element={<SignIn />} />
    <Route path="/login/code" element={<SendCode />} />
    <Route path="/setup" element={<SetUp />} />
    <Route
      element={
        <Frame>
          <Outlet />
        </Frame>
      }
    >
      <Route index element={<Beginning />} />
      {pages.map((page) => (
        <Route key={page.name} path={`${page.path}/*`} element={<Shown page={page} />} />
      ))}
      <Route path="/design" element={<Gallery />} />
      <Route path="*" element={<NotFound />} />
    </Route>
  </Routes>
);

export const App = ({ first }: { readonly first: Language }) => {
  const language = useLanguage(first);
  const { theme } = usePreferences();
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  const mode = theme === 'system' ? (systemIsDark ? 'dark' : 'light') : theme;
  const muiTheme = useMemo(() => themeFor(mode, language), [mode, language]);
  return (
    <CacheProvider value={language.styles}>
      <ThemeProvider theme={muiTheme}>
        <CssBaseline enableColorScheme />
        <SayProvider value={language.say}>
          <DescriptionsProvider value={language.descriptions}>
            <QueryClientProvider client={queryClient}>
              <BrowserRouter basename={consoleBase}>
                <ErrorBoundary>
                  <Places />
                </ErrorBoundary>
              </BrowserRouter>
            </QueryClientProvider>
          </DescriptionsProvider>
          <Notifications />
        </SayProvider>
      </ThemeProvider>
    </CacheProvider>
  );
};
