/** Lays out one line above a list: what it shows at the start, and what can be done with it at the end. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export const Toolbar = ({
  label,
  start,
  children,
}: {
  /** Names the group of actions for screen readers. */
  readonly label: string;
  /** Such as the number of rows, or of selected ones. */
  readonly start?: ReactNode;
  readonly children: ReactNode;
}) => (
  <Box
    role="group"
    aria-label={label}
    sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', minHeight: 34 }}
  >
    <Box sx={{ flexGrow: 1, typography: 'body2', color: 'text.secondary' }}>{start}</Box>
    {children}
  </Box>
);
