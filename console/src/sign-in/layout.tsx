/** Lays out the sign-in pages: a centred card with the language and theme menus. */
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense } from 'react';
import { useCompany, useLoadCompany } from '../company.ts';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { LanguageMenu, ThemeMenu } from '../shell/bar-menus.tsx';

export const SignInLayout = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) => {
  useLoadCompany();
  const { name } = useCompany();
  return (
    <Box sx={{ minHeight: '100vh', bgcolor: 'background.default', color: 'text.primary' }}>
      <Box component="header" sx={{ display: 'flex', alignItems: 'center', p: 1 }}>
        <Typography
          component="span"
          noWrap
          sx={{ flexGrow: 1, minWidth: 0, px: 1, fontWeight: 700 }}
        >
          <bdi>{name}</bdi>
        </Typography>
        <LanguageMenu />
        <ThemeMenu />
      </Box>
      <Box component="main" sx={{ display: 'flex', justifyContent: 'center', p: 2 }}>
        <Paper variant="outlined" sx={{ p: 3, width: '100%', maxWidth: 420 }}>
          <Suspense fallback={<Loading />}>
            <Page title={title}>{children}</Page>
          </Suspense>
        </Paper>
      </Box>
    </Box>
  );
};
