/** Lays out the sign-in pages: a card below the logo and the company's name. */
import Box from '@mui/material/Box';
import { type ReactNode, Suspense } from 'react';
import { useLoadCompany } from '../company.ts';
import { card } from '../design/page/card.ts';
import { Page } from '../design/page/page.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Brand } from '../shell/brand.tsx';
import { LanguageMenu, ThemeMenu } from '../shell/preference-menus.tsx';

export const SignInLayout = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) => {
  useLoadCompany();
  return (
    <Box
      sx={{
        minHeight: '100vh',
        display: 'flex',
        flexDirection: 'column',
        bgcolor: 'background.default',
        color: 'text.primary',
      }}
    >
      <Box component="header" sx={{ display: 'flex', justifyContent: 'flex-end', p: 1 }}>
        <LanguageMenu />
        <ThemeMenu />
      </Box>
      <Box
        component="main"
        sx={{
          display: 'grid',
          alignContent: 'start',
          justifyItems: 'center',
          gap: 3,
          p: 2,
          pt: { xs: 3, sm: '12vh' },
          pb: 6,
        }}
      >
        <Brand large />
        <Box sx={{ ...card, p: { xs: 2.5, sm: 4 }, width: '100%', maxWidth: 420 }}>
          <Suspense fallback={<Loading />}>
            <Page title={title}>{children}</Page>
          </Suspense>
        </Box>
      </Box>
    </Box>
  );
};
