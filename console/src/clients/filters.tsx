/** Renders the filters of the list of clients. */
import type { ReactNode } from 'react';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { useText } from '../i18n/text.ts';
import { statusIn, testIn, type Wanted } from './list-filter.ts';

export const Filters = ({
  wanted,
  onFilter,
  children,
}: {
  readonly wanted: Wanted;
  readonly onFilter: (wanted: Wanted) => void;
  readonly children: ReactNode;
}) => {
  const say = useText();
  const { search, status, low, test } = wanted;
  const kinds = [
    { value: 'true', label: say('clients.onlyTest') },
    { value: 'false', label: say('clients.hideTest') },
  ];
  return (
    <FilterBar
      label={say('clients.filters')}
      search={{
        label: say('clients.search'),
        value: search,
        onSearch: (text) => onFilter({ ...wanted, search: text }),
        maxLength: 255,
      }}
      filters={[
        {
          key: 'status',
          label: say('clients.status'),
          value: status === '' ? undefined : say(`clients.${status}`),
          options: (['active', 'suspended'] as const).map((one) => ({
            value: one,
            label: say(`clients.${one}`),
          })),
          chosen: status,
          onChoose: (chosen) => onFilter({ ...wanted, status: statusIn(chosen) }),
          onRemove: () => onFilter({ ...wanted, status: '' }),
        },
        {
          key: 'low',
          label: say('clients.balance'),
          value: low ? say('clients.low') : undefined,
          options: [{ value: 'true', label: say('clients.low') }],
          chosen: low ? 'true' : undefined,
          onChoose: () => onFilter({ ...wanted, low: true }),
          onRemove: () => onFilter({ ...wanted, low: false }),
        },
        {
          key: 'test',
          label: say('clients.test'),
          value: kinds.find(({ value }) => value === test)?.label,
          options: kinds,
          chosen: test === '' ? undefined : test,
          onChoose: (chosen) => onFilter({ ...wanted, test: testIn(chosen) }),
          onRemove: () => onFilter({ ...wanted, test: '' }),
        },
      ]}
      onClear={() => onFilter({ ...wanted, search: '', status: '', low: false, test: '' })}
    >
      {children}
    </FilterBar>
  );
};
