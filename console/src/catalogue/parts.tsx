/** Provides what the catalogue's pages share: navigation, and focus on new results. */
import Box from '@mui/material/Box';
import { type ReactNode, useEffect, useRef } from 'react';
import { LinkTabs } from '../design/page/tabs.tsx';
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
    <LinkTabs
      label={say('catalogue.parts')}
      tabs={places
        .filter(({ right }) => right === undefined || may)
        .map(({ to, label }) => ({ to, label: say(label) }))}
    />
  );
};

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
