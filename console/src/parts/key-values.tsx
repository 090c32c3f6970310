/** Renders a list of names and values. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export const KeyValues = ({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: 'grid',
      gridTemplateColumns: { xs: '1fr', sm: 'minmax(8rem, max-content) 1fr' },
      columnGap: 3,
      rowGap: { xs: 0.25, sm: 1 },
      '& dt': { color: 'text.secondary' },
      '& dd': { m: 0, mb: { xs: 1, sm: 0 }, overflowWrap: 'anywhere' },
    }}
  >
    {rows.map(([name, value]) => [
      <dt key={`${name} name`}>{name}</dt>,
      <dd key={`${name} value`}>{value}</dd>,
    ])}
  </Box>
);
