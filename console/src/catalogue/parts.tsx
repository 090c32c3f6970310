/** Provides what the catalogue's pages share: navigation, codes, and focus on new results. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink } from 'react-router';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';

const places = [
  { to: '/catalogue', label: 'catalogue.products', right: undefined },
  { to: '/catalogue/categories', label: 'catalogue.categories', right: undefined },
  { to: '/catalogue/prices', label: 'catalogue.prices', right: 'catalogue' },
  { to: '/catalogue/import', label: 'catalogue.import', right: 'catalogue' },
] as const;

/** From one page of the catalogue to another. */
export const CatalogueNav = () => {
  const say = useText();
  const may = useMay('catalogue');
  return (
    <Box
      component="nav"
      aria-label={say('catalogue.parts')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}
    >
      {places
        .filter(({ right }) => right === undefined || may)
        .map(({ to, label }) => (
          <Button
            key={to}
            component={NavLink}
            to={to}
            end
            size="large"
            sx={{
              '&[aria-current="page"]': { fontWeight: 700, borderBottom: 2, borderRadius: 0 },
            }}
          >
            {say(label)}
          </Button>
        ))}
    </Box>
  );
};

/** An id or a code, the same in every language. */
export const Code = ({ children }: { readonly children: ReactNode }) => (
  <Box component="bdi" dir="ltr" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
    {children}
  </Box>
);

/** A result that the user asked for gets the focus, also for keyboard users. */
export const FocusOnMount = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none', minWidth: 0, scrollMarginTop: 80 }}>
      {children}
    </Box>
  );
};
