/** Shows a filter that is set, opens it for editing, and removes it. */
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Popover from '@mui/material/Popover';
import { type ReactNode, useRef, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { CloseIcon } from '../icons.tsx';
import { sizes } from '../theme/tokens.ts';

type Choice = {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
};

/** Anything else, such as a picker or a span of days; it calls `close` when it is done. */
type Custom = { readonly edit: (close: () => void) => ReactNode };

export type BarFilter = {
  readonly key: string;
  readonly label: string;
  /** What is chosen, in words; undefined if the filter is not set. */
  readonly value: string | undefined;
  readonly onRemove: () => void;
} & (Choice | Custom);

/** The choices of a filter, or its own form. */
export const FilterEditor = ({
  filter,
  anchor,
  onClose,
}: {
  readonly filter: BarFilter;
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
}) => {
  if ('edit' in filter) {
    return (
      <Popover
        open
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { 'aria-label': filter.label, role: 'dialog', sx: { p: 2, mt: 0.5, width: 320 } },
        }}
      >
        {filter.edit(onClose)}
      </Popover>
    );
  }
  const { label, options, chosen, onChoose } = filter;
  return (
    <Menu open anchorEl={anchor} onClose={onClose} slotProps={{ list: { 'aria-label': label } }}>
      {options.map((option) => (
        <MenuItem
          key={option.value}
          role="menuitemradio"
          aria-checked={option.value === chosen}
          selected={option.value === chosen}
          onClick={() => {
            onClose();
            onChoose(option.value);
          }}
        >
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  );
};

export const FilterChip = ({ filter }: { readonly filter: BarFilter }) => {
  const say = useText();
  const { label, value, onRemove } = filter;
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <Box
      sx={{
        display: 'inline-flex',
        alignItems: 'stretch',
        maxWidth: '100%',
        minHeight: sizes.control - 4,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: '999px',
        typography: 'body2',
        '& button': { borderRadius: '999px', '&:hover': { bgcolor: 'action.hover' } },
      }}
    >
      <ButtonBase
        ref={button}
        aria-haspopup="true"
        aria-expanded={open}
        sx={{ font: 'inherit', paddingInline: '12px 6px', gap: '5px', minWidth: 0 }}
        onClick={() => setOpen(true)}
      >
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {label}:
        </Box>
        <Box
          component="bdi"
          sx={{
            fontWeight: 550,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
          {value}
        </Box>
      </ButtonBase>
      <ButtonBase
        aria-label={say('common.removeFilter', { name: label })}
        sx={{ width: 28, flexShrink: 0, color: 'text.secondary' }}
        onClick={onRemove}
      >
        <CloseIcon sx={{ fontSize: 14 }} />
      </ButtonBase>
      {open ? (
        <FilterEditor filter={filter} anchor={button.current} onClose={() => setOpen(false)} />
      ) : null}
    </Box>
  );
};
