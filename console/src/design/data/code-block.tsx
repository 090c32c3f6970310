/** Shows JSON and other code as written, from left to right; long lines are wrapped. */
import Box from '@mui/material/Box';
import { fonts } from '../theme/tokens.ts';

export const CodeBlock = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <Box
    component="pre"
    dir="ltr"
    // It may scroll, also by keyboard.
    tabIndex={0}
    role="group"
    aria-label={name}
    sx={{
      m: 0,
      p: 1.5,
      maxHeight: 320,
      overflow: 'auto',
      bgcolor: 'action.hover',
      borderRadius: '6px',
      fontFamily: fonts.code,
      fontSize: '0.8rem',
      textAlign: 'start',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
    }}
  >
    {code}
  </Box>
);
