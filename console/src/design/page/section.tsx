/** Lays out a section of a page: a card with its own heading and actions. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { card } from './card.ts';

export const Section = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <Box component="section" aria-label={title} sx={{ ...card, p: { xs: 2, md: 2.5 } }}>
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
        justifyContent: 'space-between',
        mb: 1.5,
      }}
    >
      <Typography variant="h2">{title}</Typography>
      {actions}
    </Box>
    {children}
  </Box>
);
