/** Owns how codes, ids and addresses are shown: in their own direction, and broken where they are long. */
import Box from '@mui/material/Box';

export const Code = ({ children }: { readonly children: string | number }) => (
  <Box component="bdi" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
    {children}
  </Box>
);
