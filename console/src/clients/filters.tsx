/** Renders the filters of the list of clients. */
import type { ReactNode } from 'react';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { useText } from '../i18n/text.ts';
import { statusIn, testIn, type Wanted } from './list-filter.ts';

export const Filters = ({
  wanted,
  change,
  children,
}: {
  readonly wanted: Wanted;
  readonly change: (part: Partial<Wanted>) => void;
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
        onSearch: (text) => change({ search: text }),
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
          onChoose: (chosen) => change({ status: statusIn(chosen) }),
          onRemove: () => change({ status: '' }),
        },
        {
          key: 'low',
          label: say('clients.balance'),
          value: low ? say('clients.low') : undefined,
          options: [{ value: 'true', label: say('clients.low') }],
          chosen: low ? 'true' : undefined,
          onChoose: () => change({ low: true }),
          onRemove: () => change({ low: false }),
        },
        {
          key: 'test',
          label: say('clients.test'),
          value: kinds.find(({ value }) => value === test)?.label,
          options: kinds,
          chosen: test === '' ? undefined : test,
          onChoose: (chosen) => change({ test: testIn(chosen) }),
          onRemove: () => change({ test: '' }),
        },
      ]}
      onClear={() => change({ search: '', status: '', low: false, test: '' })}
    >
      {children}
    </FilterBar>
  );
};
