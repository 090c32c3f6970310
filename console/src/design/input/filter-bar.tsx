/** Searches and filters a list in one line: a search field, removable chips, and a menu that adds filters. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { FilterIcon } from '../icons.tsx';
import { type BarFilter, FilterChip, FilterEditor } from './filter-chip.tsx';
import { type BarSearch, SearchField } from './search-field.tsx';
import { useSlash } from './use-slash.ts';

export type { BarFilter } from './filter-chip.tsx';

export type FilterBarProps = {
  /** Names the filters for screen readers. */
  readonly label: string;
  readonly search?: BarSearch;
  readonly filters: readonly BarFilter[];
  /** Removes all filters and the search at once. */
  readonly onClear: () => void;
  /** At the end of the line: the columns' menu, saved views, an export. */
  readonly children?: ReactNode;
};

/** Offers the filters that are not set; the chosen one opens at once. */
const AddFilter = ({
  filters,
  isFirst,
}: {
  readonly filters: readonly BarFilter[];
  /** The bar has no search field: the key `/` leads here. */
  readonly isFirst: boolean;
}) => {
  const say = useText();
  const id = useId();
  const { place: button } = useSlash<HTMLButtonElement>(isFirst);
  const [open, setOpen] = useState(false);
  const [adding, setAdding] = useState<string>();
  const added = filters.find(({ key }) => key === adding);
  const unset = filters.filter(({ value }) => value === undefined);
  if (filters.length === 0) return null;
  const isUsedUp = unset.length === 0;
  return (
    <>
      <Button
        ref={button}
        startIcon={<FilterIcon />}
        color="inherit"
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open ? { 'aria-controls': id } : {})}
        // Not `disabled`: it would lose the focus that returns to it with the last filter.
        aria-disabled={isUsedUp}
        sx={{ color: isUsedUp ? 'text.disabled' : 'text.secondary' }}
        onClick={() => setOpen(!isUsedUp)}
      >
        {say('common.addFilter')}
      </Button>
      <Menu id={id} anchorEl={button.current} open={open} onClose={() => setOpen(false)}>
        {unset.map(({ key, label }) => (
          <MenuItem
            key={key}
            onClick={() => {
              setOpen(false);
              setAdding(key);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      {added === undefined ? null : (
        <FilterEditor filter={added} anchor={button.current} onClose={() => setAdding(undefined)} />
      )}
    </>
  );
};

export const FilterBar = ({ label, search, filters, onClear, children }: FilterBarProps) => {
  const say = useText();
  const bar = useRef<HTMLDivElement>(null);
  // The pressed button disappears, and focus must not go with it.
  const keepFocus = (act: () => void) => (): void => {
    bar.current?.focus();
    act();
  };
  const set = filters.filter(({ value }) => value !== undefined);
  const isSet = set.length > 0 || (search !== undefined && search.value !== '');
  return (
    <Box
      ref={bar}
      tabIndex={-1}
      role="search"
      aria-label={label}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 1,
        rowGap: 1.5,
        alignItems: 'center',
        minWidth: 0,
      }}
    >
      {search === undefined ? null : <SearchField {...search} />}
      {set.map((filter) => (
        <FilterChip key={filter.key} filter={{ ...filter, onRemove: keepFocus(filter.onRemove) }} />
      ))}
      <AddFilter filters={filters} isFirst={search === undefined} />
      {isSet ? (
        <Button color="inherit" sx={{ color: 'text.secondary' }} onClick={keepFocus(onClear)}>
          {say('common.clear')}
        </Button>
      ) : null}
      {children === undefined ? null : (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', marginInlineStart: 'auto' }}>
          {children}
        </Box>
      )}
    </Box>
  );
};
