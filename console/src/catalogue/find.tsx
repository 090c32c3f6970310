/** Searches, filters and sorts products; the URL holds every setting. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { type Say, useText } from '../i18n/text.ts';
import {
  type FilterName,
  filtersIn,
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

const SortField = ({
  options,
  value,
  onChoose,
}: {
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      select
      label={say('catalogue.sort')}
      value={value}
      sx={{ minWidth: '11rem' }}
      onChange={({ target }) => onChoose(target.value)}
    >
      {options.map((one) => (
        <MenuItem key={one.value} value={one.value}>
          {one.label}
        </MenuItem>
      ))}
    </TextField>
  );
};

export const Find = () => {
  const say = useText();
  const options = useOptions();
  const [address, setAddress] = useSearchParams();
  const filters = filtersIn(address);
  const choose = (name: FilterName | 'sort', value: string): void =>
    setAddress(withParam(address, name, value));
  return (
    <FilterBar
      label={say('catalogue.filters')}
      search={{
        label: say('catalogue.search'),
        value: filters.search ?? '',
        onSearch: (text) => choose('search', text),
        maxLength: 200,
      }}
      filters={selectFilters.map((name) => {
        const chosen = filters[name];
        // Until the names have loaded, the value itself is shown.
        const known = options[name].find(({ value }) => value === chosen);
        return {
          key: name,
          label: say(filterLabels[name]),
          value: known?.label ?? chosen,
          options: options[name],
          chosen,
          onChoose: (value) => choose(name, value),
          onRemove: () => choose(name, ''),
        };
      })}
      onClear={() => setAddress(withoutFilters(address))}
    >
      <SortField
        options={options.sort}
        value={sortIn(address)}
        onChoose={(value) => choose('sort', value)}
      />
    </FilterBar>
  );
};
