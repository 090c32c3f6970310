/** Renders a form whose submission the page handles. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { sizes } from '../theme/tokens.ts';

export const Form = ({
  onSubmit,
  label,
  wide = false,
  children,
}: {
  readonly onSubmit: () => void;
  readonly label?: string;
  /** As wide as the page: for filters, whose fields lie beside each other. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) => (
  <Box
    component="form"
    {...(label === undefined ? {} : { 'aria-label': label })}
    sx={{ display: 'grid', gap: 2, minWidth: 0, maxWidth: wide ? 'none' : sizes.field }}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </Box>
);
