/** Lays out the console for signed-in users: the sidebar, and the page beside it. */
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useLoadCompany } from '../company.ts';
import { MenuIcon, SearchIcon } from '../design/icons.tsx';
import { Loading } from '../design/states/loading.tsx';
import { sizes } from '../design/theme/tokens.ts';
import { useColours } from '../design/theme/use-colours.ts';
import { useText } from '../i18n/text.ts';
import { Bell } from './bell.tsx';
import { Brand } from './brand.tsx';
import { Gate } from './gate.tsx';
import { Notices } from './notices.tsx';
import { Proof } from './proof.tsx';
import { Search, useSearch } from './search/search.tsx';
import { Sidebar } from './sidebar.tsx';

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

/** The bar of phones and tablets: it opens the menu. */
const Bar = ({
  onMenu,
  onSearch,
}: {
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}) => {
  const say = useText();
  return (
    <Box
      component="header"
      data-screen=""
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        height: sizes.bar,
        paddingInline: 1,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <IconButton color="inherit" aria-label={say('shell.openMenu')} onClick={onMenu}>
        <MenuIcon />
      </IconButton>
      <Box sx={{ flexGrow: 1, minWidth: 0 }}>
        <Brand />
      </Box>
      <IconButton color="inherit" aria-label={say('search.open')} onClick={onSearch}>
        <SearchIcon />
      </IconButton>
      <Bell />
    </Box>
  );
};

/** Beside the page where there is room, and over it elsewhere. */
const Side = ({
  wide,
  open,
  onClose,
  openSearch,
}: {
  readonly wide: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly openSearch: () => void;
}) => {
  const say = useText();
  const { sidebar } = useColours();
  return (
    <Drawer
      variant={wide ? 'permanent' : 'temporary'}
      open={wide || open}
      onClose={onClose}
      sx={{ width: wide ? sizes.sidebar : undefined, flexShrink: 0 }}
      slotProps={{
        paper: {
          sx: { width: wide ? sizes.sidebar : 280, boxSizing: 'border-box', bgcolor: sidebar },
          // Over the page it is a dialog, which needs a name.
          ...(wide ? {} : { 'aria-label': say('shell.menu') }),
        },
      }}
    >
      <Sidebar onChosen={onClose} openSearch={openSearch} />
    </Drawer>
  );
};

const Within = ({ children }: { readonly children: ReactNode }) => {
  const { breakpoints } = useTheme();
  const wide = useMediaQuery(breakpoints.up('md'), { noSsr: true });
  const [open, setOpen] = useState(false);
  useFocusOnNewPage();
  useLoadCompany();
  const search = useSearch();
  return (
    <Box sx={{ display: { md: 'flex' }, minHeight: '100vh', bgcolor: 'background.default' }}>
      <SkipLink />
      {wide ? null : <Bar onMenu={() => setOpen(true)} onSearch={search.show} />}
      <Side wide={wide} open={open} onClose={() => setOpen(false)} openSearch={search.show} />
      <Search {...search} />
      <Box
        component="main"
        id={contentId}
        tabIndex={-1}
        sx={{ flexGrow: 1, minWidth: 0, p: { xs: 2, md: 3 }, outline: 'none' }}
      >
        <Box sx={{ maxWidth: sizes.content, mx: 'auto' }}>
          <Notices />
          <Suspense fallback={<Loading shape="page" />}>{children}</Suspense>
        </Box>
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
