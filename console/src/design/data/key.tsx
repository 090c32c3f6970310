/** Shows a key of the keyboard. */
import Box from '@mui/material/Box';
import { fonts } from '../theme/tokens.ts';

/** The modifier of shortcuts on this computer. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const Key = ({ name }: { readonly name: string }) => (
  <Box
    component="kbd"
    dir="ltr"
    sx={{
      fontFamily: fonts.code,
      fontSize: 11,
      lineHeight: '16px',
      color: 'text.secondary',
      border: 1,
      borderColor: 'divider',
      borderRadius: '4px',
      paddingInline: '5px',
      whiteSpace: 'nowrap',
    }}
  >
    {name}
  </Box>
);
