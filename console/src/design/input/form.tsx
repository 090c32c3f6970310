/** Renders a form whose submission the page handles. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export const Form = ({
  onSubmit,
  label,
  children,
}: {
  readonly onSubmit: () => void;
  readonly label?: string;
  readonly children: ReactNode;
}) => (
  <Box
    component="form"
    {...(label === undefined ? {} : { 'aria-label': label })}
    sx={{ display: 'grid', gap: 2, minWidth: 0, maxWidth: 560 }}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </Box>
);
