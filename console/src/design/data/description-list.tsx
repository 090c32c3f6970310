/** Shows facts as names and values. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type Facts = readonly (readonly [name: string, value: ReactNode])[];

export const DescriptionList = ({ rows }: { readonly rows: Facts }) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: 'grid',
      gridTemplateColumns: 'minmax(6.5rem, max-content) 1fr',
      columnGap: { xs: 2, sm: 3 },
      rowGap: 0.75,
      '& dt': { color: 'text.secondary', maxWidth: { xs: '9.5rem', sm: '16rem' } },
      '& dd': { m: 0, minWidth: 0, overflowWrap: 'anywhere' },
    }}
  >
    {rows.map(([name, value]) => [
      <dt key={`${name} name`}>{name}</dt>,
      <dd key={`${name} value`}>{value}</dd>,
    ])}
  </Box>
);
