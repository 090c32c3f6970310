/** Opens the search over all pages from the sidebar, and shows its shortcut. */
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Key, modifier } from '../../design/data/key.tsx';
import { SearchIcon } from '../../design/icons.tsx';
import { radii, sizes } from '../../design/theme/tokens.ts';
import { useText } from '../../i18n/text.ts';

export const SearchButton = ({ onOpen }: { readonly onOpen: () => void }) => {
  const say = useText();
  return (
    <ButtonBase
      onClick={onOpen}
      aria-keyshortcuts={modifier === 'Ctrl' ? 'Control+K' : 'Meta+K'}
      sx={{
        width: '100%',
        minHeight: { xs: sizes.finger, md: 32 },
        gap: 1,
        paddingInline: 1,
        justifyContent: 'start',
        typography: 'body2',
        color: 'text.secondary',
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: `${radii.field}px`,
        '&:hover': { color: 'text.primary' },
      }}
    >
      <SearchIcon sx={{ fontSize: 16 }} />
      <Box component="span" sx={{ flexGrow: 1, textAlign: 'start' }}>
        {say('search.open')}
      </Box>
      <Box aria-hidden="true" sx={{ display: { xs: 'none', md: 'block' } }}>
        <Key name={`${modifier} K`} />
      </Box>
    </ButtonBase>
  );
};
