/** Lays out the console for signed-in users: app bar, menu and content. */
import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useCompany, useLoadCompany } from '../company.ts';
import { useText } from '../i18n/text.ts';
import { DocsIcon, MenuIcon } from '../parts/icons.tsx';
import { Loading } from '../parts/loading.tsx';
import { apiBase } from '../place.ts';
import { AccountMenu, LanguageMenu, ThemeMenu } from './bar-menus.tsx';
import { Gate } from './gate.tsx';
import { Notices } from './notices.tsx';
import { PageList } from './page-list.tsx';
import { Proof } from './proof.tsx';

const menuWidth = 232;
const contentId = 'content';

const SkipLink = () => {
  const say = useText();
  return (
    <Link
      href={`#${contentId}`}
      sx={{
        position: 'fixed',
        insetInlineStart: 8,
        top: -80,
        zIndex: 'tooltip',
        p: 1.5,
        bgcolor: 'background.paper',
        '&:focus': { top: 8 },
      }}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      {say('shell.skip')}
    </Link>
  );
};

/** A new page starts at its top, also for screen readers. */
const useFocusOnNewPage = (): void => {
  const { pathname } = useLocation();
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    document.getElementById(contentId)?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
};

/** Links to the documentation, if the gateway serves it. */
const DocsLink = () => {
  const say = useText();
  const { data } = useRead('getSettings', {}, { staleTime: 300_000 });
  const served = data?.config.find(({ name }) => name === 'http.docs')?.value;
  if (served === undefined || served === 'off') return null;
  return (
    <IconButton color="inherit" href={`${apiBase}/docs/`} aria-label={say('shell.docs')}>
      <DocsIcon />
    </IconButton>
  );
};

const Bar = ({ onMenu }: { readonly onMenu: (() => void) | undefined }) => {
  const say = useText();
  const { name } = useCompany();
  return (
    <AppBar position="fixed" elevation={0} sx={{ zIndex: ({ zIndex }) => zIndex.drawer + 1 }}>
      <Toolbar sx={{ gap: 0.5 }}>
        {onMenu === undefined ? null : (
          <IconButton
            color="inherit"
            edge="start"
            aria-label={say('shell.openMenu')}
            onClick={onMenu}
          >
            <MenuIcon />
          </IconButton>
        )}
        <Typography
          component="span"
          noWrap
          sx={{ fontWeight: 700, fontSize: '1.1rem', flexGrow: 1, minWidth: 0 }}
        >
          <bdi>{name === '' ? say('shell.title') : name}</bdi>
        </Typography>
        <DocsLink />
        <LanguageMenu />
        <ThemeMenu />
        <AccountMenu />
      </Toolbar>
    </AppBar>
  );
};

const Within = ({ children }: { readonly children: ReactNode }) => {
  const say = useText();
  const { breakpoints } = useTheme();
  const wide = useMediaQuery(breakpoints.up('md'), { noSsr: true });
  const [open, setOpen] = useState(false);
  useFocusOnNewPage();
  useLoadCompany();
  const close = (): void => setOpen(false);
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh', bgcolor: 'background.default' }}>
      <SkipLink />
      <Bar onMenu={wide ? undefined : () => setOpen(true)} />
      <Drawer
        variant={wide ? 'permanent' : 'temporary'}
        open={wide || open}
        onClose={close}
        sx={{ width: wide ? menuWidth : undefined, flexShrink: 0 }}
        slotProps={{
          paper: {
            sx: { width: menuWidth, boxSizing: 'border-box' },
            // Over the page it is a dialog, which needs a name.
            ...(wide ? {} : { 'aria-label': say('shell.menu') }),
          },
        }}
      >
        <Toolbar />
        <Box component="nav" aria-label={say('shell.menu')}>
          <PageList onChosen={close} />
        </Box>
      </Drawer>
      <Box
        component="main"
        id={contentId}
        tabIndex={-1}
        sx={{ flexGrow: 1, minWidth: 0, p: { xs: 2, md: 3 }, outline: 'none' }}
      >
        <Toolbar />
        <Notices />
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </Box>
    </Box>
  );
};

export const Frame = ({ children }: { readonly children?: ReactNode }) => (
  <Gate>
    <Within>{children}</Within>
    <Proof />
  </Gate>
);
