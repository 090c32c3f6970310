/** Selects the products whose prices change: the selected ones, the filtered ones, or everything. */
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Filters, isFiltered } from '../filters.ts';
import { useFilterWords } from '../find.tsx';
import { type Scope, scopes } from './price-update.ts';

/** The filter in words. */
const useFilterText = (filters: Filters): string => {
  const say = useText();
  const { selected, price } = useFilterWords(filters);
  const { search } = filters;
  const words = [
    ...(search === undefined ? [] : [`${say('catalogue.search')}: ${search}`]),
    ...selected.flatMap(({ label, value }) => (value === undefined ? [] : [`${label}: ${value}`])),
    ...(price === undefined ? [] : [`${say('catalogue.priceSpan')}: ${price}`]),
  ];
  return say('cataloguePrices.filterIs', { filter: words.join(' · ') });
};

const useTotal = (filters: Filters): string => {
  const { count } = useFormat();
  const { data } = useRead('listProducts', { query: { ...filters, limit: '1' } });
  return data === undefined || data === null ? '…' : count(data.total);
};

const labels = {
  chosen: 'cataloguePrices.whichChosen',
  filter: 'cataloguePrices.whichFilter',
  everything: 'cataloguePrices.whichAll',
} as const;

export const ProductScope = ({
  filters,
  ids,
  scope,
  wrong,
  onChoose,
}: {
  readonly filters: Filters;
  readonly ids: readonly number[];
  /** Nothing is chosen at first: everything would be a dangerous default. */
  readonly scope: Scope | undefined;
  readonly wrong: boolean;
  readonly onChoose: (scope: Scope) => void;
}) => {
  const say = useText();
  const [labelId, helpId] = [useId(), useId()];
  const { count } = useFormat();
  const filterText = useFilterText(filters);
  const counts = {
    chosen: count(ids.length),
    filter: useTotal(filters),
    everything: useTotal({}),
  } as const satisfies Record<Scope, string>;
  const isOffered = { chosen: ids.length > 0, filter: isFiltered(filters), everything: true };
  const help = isOffered.filter ? filterText : say('cataloguePrices.scopeHelp');
  return (
    <FormControl error={wrong}>
      <FormLabel id={labelId}>{say('cataloguePrices.which')}</FormLabel>
      <RadioGroup
        aria-labelledby={labelId}
        aria-describedby={helpId}
        value={scope ?? ''}
        onChange={({ target }) => {
          const chosen = scopes.find((one) => one === target.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {scopes
          .filter((one) => isOffered[one])
          .map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio />}
              label={say(labels[one], { count: counts[one] })}
            />
          ))}
      </RadioGroup>
      <FormHelperText id={helpId}>{wrong ? say('cataloguePrices.noScope') : help}</FormHelperText>
    </FormControl>
  );
};
