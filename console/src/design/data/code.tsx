/** Shows an id or a code, which is the same in every language. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { fonts } from '../theme/tokens.ts';

export const Code = ({ children }: { readonly children: ReactNode }) => (
  <Box
    component="bdi"
    dir="ltr"
    sx={{ fontFamily: fonts.code, fontSize: '0.93em', overflowWrap: 'anywhere' }}
  >
    {children}
  </Box>
);
