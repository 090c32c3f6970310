/** Shows a page's title below the way to it, its state, and the one place for its actions. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';

export type PageHeaderProps = {
  /** The only `h1`. */
  readonly title: string;
  /** The pages above this one, from the top. */
  readonly crumbs?: readonly Crumb[];
  /** Beside the title, such as a badge. */
  readonly state?: ReactNode;
  /** Below the title: a sentence, or a few facts. */
  readonly subtitle?: ReactNode;
  /** The main action comes last. */
  readonly actions?: ReactNode;
};

export const PageHeader = ({ title, crumbs, state, subtitle, actions }: PageHeaderProps) => (
  <Box sx={{ display: 'grid', gap: 0.5, minWidth: 0 }}>
    {crumbs === undefined ? null : (
      <Box data-screen="">
        <Breadcrumbs crumbs={crumbs} />
      </Box>
    )}
    <Box
      sx={{
        // A long title takes more lines, and leaves the actions their place.
        display: { xs: 'flex', sm: 'grid' },
        gridTemplateColumns: actions === undefined ? undefined : 'minmax(0, 1fr) auto',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 1,
        alignItems: 'center',
        justifyContent: 'space-between',
        minHeight: 34,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25, alignItems: 'center', minWidth: 0 }}>
        <Typography variant="h1" tabIndex={-1} sx={{ overflowWrap: 'anywhere', outline: 'none' }}>
          {title}
        </Typography>
        {state}
      </Box>
      {actions === undefined ? null : (
        <Box
          data-screen=""
          sx={{
            display: 'flex',
            gap: 1,
            flexWrap: 'wrap',
            order: { xs: 1, sm: 0 },
            // What may not be done now takes no room.
            '&:empty': { display: 'none' },
          }}
        >
          {actions}
        </Box>
      )}
      {subtitle === undefined ? null : (
        <Typography
          variant="body2"
          component="div"
          color="textSecondary"
          sx={{ flexBasis: '100%', gridColumn: '1 / -1', marginTop: -0.5 }}
        >
          {subtitle}
        </Typography>
      )}
    </Box>
  </Box>
);
