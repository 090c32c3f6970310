/** A round mark of one line's height; what it says is also in the text beside it. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export const RoundMark = ({
  sx,
  children,
}: {
  readonly sx: Readonly<Record<string, string | number | object>>;
  readonly children: ReactNode;
}) => (
  <Box
    component="span"
    aria-hidden="true"
    sx={{
      display: 'inline-grid',
      placeItems: 'center',
      minWidth: 18,
      height: 18,
      flexShrink: 0,
      borderRadius: '9px',
      fontSize: 11,
      lineHeight: 1,
      '& .MuiSvgIcon-root': { fontSize: 11 },
      ...sx,
    }}
  >
    {children}
  </Box>
);
