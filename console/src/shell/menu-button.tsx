/** Owns a button of the bar that opens a few choices. */
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { type ReactNode, useId, useState } from 'react';

export type Choice = {
  readonly key: string;
  readonly label: string;
  readonly lang?: string;
  readonly selected?: boolean;
  readonly choose: () => void;
};

export const ChoiceMenu = ({
  label,
  icon,
  choices,
}: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly choices: readonly Choice[];
}) => {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  const asRadio = choices.some(({ selected }) => selected !== undefined);
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
        {choices.map(({ key, label, lang, selected, choose }) => (
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
