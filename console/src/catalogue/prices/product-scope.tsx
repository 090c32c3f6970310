/** Selects the products whose prices change: the selected ones, or all that match the filter. */
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Filters, isFiltered } from '../filters.ts';
import { filterLabels, selectFilters, useOptions } from '../find.tsx';

/** The filter in words. */
const useFilterText = (filters: Filters): string => {
  const say = useText();
  const options = useOptions();
  if (!isFiltered(filters)) return say('cataloguePrices.noFilter');
  const selected = selectFilters.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const label = options[name].find((one) => one.value === value)?.label ?? value;
    return [`${say(filterLabels[name])}: ${label}`];
  });
  const { search } = filters;
  const typed = search === undefined ? [] : [`${say('catalogue.search')}: ${search}`];
  return say('cataloguePrices.filterIs', { filter: [...typed, ...selected].join(' · ') });
};

export const ProductScope = ({
  filters,
  ids,
  isFilter,
  onChoose,
}: {
  readonly filters: Filters;
  readonly ids: readonly number[];
  readonly isFilter: boolean;
  readonly onChoose: (isFilter: boolean) => void;
}) => {
  const say = useText();
  const labelId = useId();
  const { count } = useFormat();
  const { data } = useRead('listProducts', { query: { ...filters, limit: '1' } });
  const filterText = useFilterText(filters);
  const total = data === undefined || data === null ? '…' : count(data.total);
  return (
    <FormControl>
      <FormLabel id={labelId}>{say('cataloguePrices.which')}</FormLabel>
      <RadioGroup
        aria-labelledby={labelId}
        value={isFilter ? 'filter' : 'chosen'}
        onChange={({ target }) => onChoose(target.value === 'filter')}
      >
        {ids.length === 0 ? null : (
          <FormControlLabel
            value="chosen"
            control={<Radio />}
            label={say('cataloguePrices.whichChosen', { count: count(ids.length) })}
          />
        )}
        <FormControlLabel
          value="filter"
          control={<Radio />}
          label={say('cataloguePrices.whichFilter', { count: total })}
        />
      </RadioGroup>
      <Typography variant="body2" color="textSecondary">
        {filterText}
      </Typography>
    </FormControl>
  );
};
