/** Switches between the parts of a page: in place, or by links. */
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import MuiTabs from '@mui/material/Tabs';
import { type ReactNode, useId } from 'react';
import { NavLink } from 'react-router';
import { sizes } from '../theme/tokens.ts';

export type TabItem<Value extends string> = { readonly value: Value; readonly label: string };

/** Parts of one page; the chosen one is below. */
export const Tabs = <Value extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly TabItem<Value>[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <>
      <MuiTabs
        value={chosen}
        variant="scrollable"
        scrollButtons={false}
        aria-label={label}
        onChange={(_event, value: Value) => onChoose(value)}
      >
        {tabs.map(({ value, label: name }) => (
          <Tab
            key={value}
            value={value}
            label={name}
            id={`${id}-${value}`}
            {...(value === chosen ? { 'aria-controls': `${id}-part` } : {})}
          />
        ))}
      </MuiTabs>
      <Box
        role="tabpanel"
        id={`${id}-part`}
        aria-labelledby={`${id}-${chosen}`}
        sx={{ display: 'grid', gap: 2, minWidth: 0 }}
      >
        {children}
      </Box>
    </>
  );
};

/** A line of links, of which one is the current page. */
export const linkLine = {
  display: 'flex',
  columnGap: 3,
  overflowX: 'auto',
  borderBottom: 1,
  borderColor: 'divider',
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    flexShrink: 0,
    minHeight: { xs: sizes.finger, sm: 40 },
    color: 'text.secondary',
    typography: 'button',
    textDecoration: 'none',
    borderBottom: '2px solid transparent',
  },
  '& a:hover, & a[aria-current="page"]': { color: 'text.primary' },
  '& a[aria-current="page"]': { borderBottomColor: 'primary.main' },
  '& a:focus-visible': { outlineOffset: -2 },
} as const;

/** Pages of one area, each with its own address. */
export const LinkTabs = ({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly label: string }[];
}) => (
  <Box component="nav" aria-label={label} sx={linkLine}>
    {tabs.map(({ to, label: name }) => (
      <NavLink key={to} to={to} end>
        {name}
      </NavLink>
    ))}
  </Box>
);
