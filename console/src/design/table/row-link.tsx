/** Makes a whole row a link: the link lies over its row, which is positioned. */
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';

export const RowLink = ({
  to,
  children,
}: {
  readonly to: string;
  readonly children: ReactNode;
}) => (
  <RouterLink to={to} data-row-link="">
    {children}
  </RouterLink>
);

/** Belongs to what contains the rows: there it costs nothing for each of them. */
export const rowLinkStyles = {
  '& [data-row-link]': { color: 'text.primary', fontWeight: 500, textDecoration: 'none' },
  '& [data-row-link]::after': { content: '""', position: 'absolute', inset: 0 },
  '& [data-row-link]:focus-visible': { outline: 'none' },
  '& [data-row-link]:focus-visible::after': {
    outline: '2px solid',
    outlineColor: 'primary.main',
    outlineOffset: '-2px',
    borderRadius: '4px',
  },
} as const;

/** What can be used within a row, and therefore lies above its link. */
export const controls = ':is(a, button, label, .MuiCheckbox-root, .MuiSwitch-root)';
