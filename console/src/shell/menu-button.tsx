/** Renders an icon button that opens a menu. */
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

export const MenuButton = ({
  label,
  icon,
  options,
}: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly options: readonly MenuOption[];
}) => {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  const asRadio = options.some(({ selected }) => selected !== undefined);
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          color="inherit"
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={open}
          {...(open ? { 'aria-controls': id } : {})}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          {icon}
        </IconButton>
      </Tooltip>
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
