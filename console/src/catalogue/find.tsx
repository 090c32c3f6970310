/** Searches, filters and sorts products; the URL holds every setting. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import { useTheme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { type Say, useText } from '../i18n/text.ts';
import {
  type FilterName,
  filtersIn,
  isFiltered,
  sims,
  sortIn,
  sorts,
  switches,
  types,
  withoutFilters,
  withParam,
} from './filters.ts';
import { useOperators } from './names.ts';

type Option = { readonly value: string; readonly label: string };

const wholeRow = { gridColumn: '1 / -1' } as const;

const FilterSelect = ({
  label,
  value,
  options,
  all,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  /** The label of no selection; undefined: a value is always selected. */
  readonly all?: string;
  readonly onChoose: (value: string) => void;
}) => {
  // Until the names have loaded, the selected value has to be one of the options.
  const isKnown = value === '' || options.some((one) => one.value === value);
  const shown = isKnown ? options : [...options, { value, label: value }];
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      slotProps={{
        inputLabel: { shrink: true },
        select: { displayEmpty: true },
      }}
    >
      {all === undefined ? null : <MenuItem value="">{all}</MenuItem>}
      {shown.map((one) => (
        <MenuItem key={one.value} value={one.value}>
          {one.label}
        </MenuItem>
      ))}
    </TextField>
  );
};

const SearchField = ({
  search,
  onSearch,
}: {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}) => {
  const say = useText();
  const [typed, setTyped] = useState(search);
  const sent = useRef(search);
  // A change from elsewhere: back navigation, or clearing all. Text being typed stays.
  useEffect(() => {
    if (search !== sent.current) setTyped(search);
    sent.current = search;
  }, [search]);
  return (
    <Box
      component="form"
      sx={{ ...wholeRow, display: 'flex', gap: 1 }}
      onSubmit={(event) => {
        event.preventDefault();
        sent.current = typed.trim();
        onSearch(typed.trim());
      }}
    >
      <TextField
        label={say('catalogue.search')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: 200, enterKeyHint: 'search' } }}
      />
      <Button type="submit" variant="outlined">
        {say('common.search')}
      </Button>
    </Box>
  );
};

const fixedOptions = (say: Say) => ({
  type: types.map((value) => ({ value, label: say(`catalogue.types.${value}`) })),
  sim_card_type: sims.map((value) => ({ value, label: say(`catalogue.sims.${value}`) })),
  on: switches.map((value) => ({
    value,
    label: say(value === '1' ? 'catalogue.on' : 'catalogue.off'),
  })),
  sort: sorts.map((value) => ({ value, label: say(`catalogue.sorts.${value}`) })),
});

/** The options, by the names of the filters. */
export const useOptions = () => {
  const say = useText();
  const { operators } = useOperators();
  const { data } = useRead('listCategories', {});
  const named = (one: { readonly id: number; readonly name: string }): Option => ({
    value: String(one.id),
    label: one.name,
  });
  return {
    ...fixedOptions(say),
    operator_id: operators.map(named),
    category_id: (data?.data ?? []).map(named),
  };
};

export const filterLabels = {
  operator_id: 'catalogue.operator',
  category_id: 'catalogue.category',
  type: 'catalogue.type',
  sim_card_type: 'catalogue.sim',
  on: 'catalogue.onSale',
} as const satisfies Partial<Record<FilterName, string>>;

export const selectFilters = ['operator_id', 'category_id', 'type', 'sim_card_type', 'on'] as const;

/** The filters of products, and their order. */
const FilterSelects = () => {
  const say = useText();
  const options = useOptions();
  const [address, setAddress] = useSearchParams();
  const filters = filtersIn(address);
  const choose = (name: FilterName | 'sort', value: string): void =>
    setAddress(withParam(address, name, value));
  return (
    <>
      {selectFilters.map((name) => (
        <FilterSelect
          key={name}
          label={say(filterLabels[name])}
          value={filters[name] ?? ''}
          options={options[name]}
          all={say('catalogue.all')}
          onChoose={(value) => choose(name, value)}
        />
      ))}
      <FilterSelect
        label={say('catalogue.sort')}
        value={sortIn(address)}
        options={options.sort}
        onChoose={(value) => choose('sort', value)}
      />
      {isFiltered(filters) ? (
        <Button sx={{ justifySelf: 'start' }} onClick={() => setAddress(withoutFilters(address))}>
          {say('common.clear')}
        </Button>
      ) : null}
    </>
  );
};

export const Find = () => {
  const say = useText();
  const { breakpoints } = useTheme();
  const narrow = useMediaQuery(breakpoints.down('sm'), { noSsr: true });
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useSearchParams();
  return (
    <Box
      role="search"
      aria-label={say('catalogue.filters')}
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(11rem, 100%), 1fr))',
      }}
    >
      <SearchField
        search={filtersIn(address).search ?? ''}
        onSearch={(text) => setAddress(withParam(address, 'search', text))}
      />
      {narrow ? (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {say('catalogue.choices')}
        </Button>
      ) : null}
      {narrow && !open ? null : <FilterSelects />}
    </Box>
  );
};
