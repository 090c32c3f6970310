/** Renders a button that opens a menu: an icon with a tooltip, or a button of the page's own look. */
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { type ReactNode, useId, useState } from 'react';

export type MenuOption = {
  readonly key: string;
  readonly label: string;
  readonly lang?: string;
  readonly selected?: boolean;
  readonly choose: () => void;
};

/** What the button needs to open its menu. */
export type MenuTrigger = {
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
  readonly 'aria-controls'?: string;
  readonly onClick: (event: { readonly currentTarget: HTMLElement }) => void;
};

const iconTrigger = (icon: ReactNode, label: string, trigger: MenuTrigger) => (
  <Tooltip title={label}>
    <IconButton color="inherit" aria-label={label} {...trigger}>
      {icon}
    </IconButton>
  </Tooltip>
);

export const MenuButton = ({
  options,
  ...look
}: {
  readonly options: readonly MenuOption[];
} & (
  | { readonly label: string; readonly icon: ReactNode }
  | { readonly button: (trigger: MenuTrigger) => ReactNode }
)) => {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  const asRadio = options.some(({ selected }) => selected !== undefined);
  const trigger: MenuTrigger = {
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    ...(open ? { 'aria-controls': id } : {}),
    onClick: ({ currentTarget }) => setAnchor(currentTarget),
  };
  return (
    <>
      {'button' in look ? look.button(trigger) : iconTrigger(look.icon, look.label, trigger)}
      <Menu id={id} anchorEl={anchor} open={open} onClose={() => setAnchor(null)}>
        {options.map(({ key, label, lang, selected, choose }) => (
          <MenuItem
            key={key}
            {...(lang === undefined ? {} : { lang })}
            {...(asRadio ? { role: 'menuitemradio', 'aria-checked': selected === true } : {})}
            selected={selected === true}
            onClick={() => {
              setAnchor(null);
              choose();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};
