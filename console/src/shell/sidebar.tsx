/** Renders the sidebar: the company, the pages in groups, and what belongs to the user. */
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { DocsIcon } from '../design/icons.tsx';
import { useText } from '../i18n/text.ts';
import { useDocs } from '../parts/docs.ts';
import { Bell } from './bell.tsx';
import { Brand } from './brand.tsx';
import { PageMenu } from './page-menu.tsx';
import { LanguageMenu, ThemeMenu } from './preference-menus.tsx';
import { SearchButton } from './search/button.tsx';
import { UserMenu } from './user-menu.tsx';

/** Links to the documentation, if the gateway serves it. */
const DocsLink = () => {
  const say = useText();
  const address = useDocs();
  if (address === undefined) return null;
  return (
    <Tooltip title={say('shell.docs')}>
      <IconButton color="inherit" href={address} aria-label={say('shell.docs')}>
        <DocsIcon />
      </IconButton>
    </Tooltip>
  );
};

export const Sidebar = ({
  onChosen,
  openSearch,
}: {
  readonly onChosen: () => void;
  readonly openSearch: () => void;
}) => (
  <>
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 1,
        minHeight: 56,
        paddingInline: '16px 8px',
        color: 'text.secondary',
      }}
    >
      <Box sx={{ color: 'text.primary', minWidth: 0 }}>
        <Brand />
      </Box>
      <Bell />
    </Box>
    <Box sx={{ paddingInline: 1, pb: 0.5 }}>
      <SearchButton
        onOpen={() => {
          onChosen();
          openSearch();
        }}
      />
    </Box>
    <Box sx={{ flexGrow: 1, overflowY: 'auto', paddingInline: 1 }}>
      <PageMenu onChosen={onChosen} />
    </Box>
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        p: 1,
        borderTop: 1,
        borderColor: 'divider',
        color: 'text.secondary',
      }}
    >
      <UserMenu onChosen={onChosen} />
      <DocsLink />
      <LanguageMenu />
      <ThemeMenu />
    </Box>
  </>
);
