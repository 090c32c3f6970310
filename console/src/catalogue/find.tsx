/** Searches and filters products, and sorts them on a phone; the URL holds every setting. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { type AddressChange, useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { useNarrow } from '../design/use-narrow.ts';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import {
  type FilterName,
  type Filters,
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
import { PriceSpan } from './price-span.tsx';

type Option = { readonly value: string; readonly label: string };

const fixedOptions = (say: Say) => ({
  type: types.map((value) => ({ value, label: say(`catalogue.types.${value}`) })),
  sim_card_type: sims.map((value) => ({ value, label: say(`catalogue.sims.${value}`) })),
  on: switches.map((value) => ({
    value,
    label: say(value === '1' ? 'catalogue.on' : 'catalogue.off'),
  })),
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

const filterLabels = {
  operator_id: 'catalogue.operator',
  category_id: 'catalogue.category',
  type: 'catalogue.type',
  sim_card_type: 'catalogue.sim',
  on: 'catalogue.onSale',
} as const satisfies Partial<Record<FilterName, string>>;

const selectFilters = ['operator_id', 'type', 'category_id', 'sim_card_type', 'on'] as const;

/** The set filters in words. */
export const useFilterWords = (filters: Filters) => {
  const say = useText();
  const { money } = useFormat();
  const options = useOptions();
  const { price_from: from, price_to: to } = filters;
  const prices = [
    ...(from === undefined ? [] : [say('catalogue.from', { price: money(Number(from)) })]),
    ...(to === undefined ? [] : [say('catalogue.upTo', { price: money(Number(to)) })]),
  ];
  return {
    options,
    price: prices.length === 0 ? undefined : prices.join(' '),
    selected: selectFilters.map((name) => {
      const chosen = filters[name];
      // Until the names have loaded, the value itself is shown.
      const known = options[name].find(({ value }) => value === chosen);
      return { name, label: say(filterLabels[name]), chosen, value: known?.label ?? chosen };
    }),
  };
};

/** On a phone rows have no headers, which sort elsewhere. */
export const SortField = () => {
  const say = useText();
  const [address, setAddress] = useAddress();
  const narrow = useNarrow();
  if (!narrow) return null;
  return (
    <TextField
      select
      label={say('catalogue.sort')}
      value={sortIn(address)}
      sx={{ minWidth: '11rem' }}
      onChange={({ target }) => setAddress((now) => withParam(now, 'sort', target.value))}
    >
      {sorts.map((value) => (
        <MenuItem key={value} value={value}>
          {say(`catalogue.sorts.${value}`)}
        </MenuItem>
      ))}
    </TextField>
  );
};

export const Find = ({
  onFind,
  children,
}: {
  readonly onFind?: () => void;
  readonly children?: ReactNode;
}) => {
  const say = useText();
  const [address, setAddress] = useAddress();
  const filters = filtersIn(address);
  const { options, selected, price } = useFilterWords(filters);
  const find = (change: AddressChange): void => {
    setAddress(change);
    onFind?.();
  };
  const choose = (name: FilterName, value: string): void =>
    find((now) => withParam(now, name, value));
  const span = (from: string, to: string): void =>
    find((now) => withParam(withParam(now, 'price_from', from), 'price_to', to));
  return (
    <FilterBar
      label={say('catalogue.filters')}
      search={{
        label: say('catalogue.search'),
        value: filters.search ?? '',
        onSearch: (text) => choose('search', text),
        maxLength: 200,
      }}
      filters={[
        ...selected.map(({ name, ...filter }) => ({
          ...filter,
          key: name,
          options: options[name],
          onChoose: (value: string) => choose(name, value),
          onRemove: () => choose(name, ''),
        })),
        {
          key: 'price',
          label: say('catalogue.priceSpan'),
          value: price,
          edit: (close) => (
            <PriceSpan
              from={filters.price_from ?? ''}
              to={filters.price_to ?? ''}
              onChoose={(from, to) => {
                close();
                span(from, to);
              }}
            />
          ),
          onRemove: () => span('', ''),
        },
      ]}
      onClear={() => find(withoutFilters)}
    >
      {children}
    </FilterBar>
  );
};
