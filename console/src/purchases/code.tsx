/** Renders codes and IDs left to right, with line breaks where they are long. */
import Box from '@mui/material/Box';

export const Code = ({ children }: { readonly children: string | number }) => (
  <Box component="bdi" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
    {children}
  </Box>
);
