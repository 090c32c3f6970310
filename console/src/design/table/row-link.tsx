/** Makes a whole row a link: the link lies over its row, which is positioned. */
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';

export const RowLink = ({
  to,
  children,
}: {
  readonly to: string;
  readonly children: ReactNode;
}) => (
  <Link
    component={RouterLink}
    to={to}
    color="textPrimary"
    underline="none"
    sx={{
      '&::after': { content: '""', position: 'absolute', inset: 0 },
      '&:focus-visible': { outline: 'none' },
      '&:focus-visible::after': {
        outline: '2px solid',
        outlineColor: 'primary.main',
        outlineOffset: '-2px',
        borderRadius: '4px',
      },
    }}
  >
    {children}
  </Link>
);

/** What can be used within a row, and therefore lies above its link. */
export const controls = ':is(a, button, label, .MuiCheckbox-root, .MuiSwitch-root)';
