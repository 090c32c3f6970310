/** Shows a list: the filter bar, the toolbar, and the table with all it can do. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { Badge } from '../data/badge.tsx';
import { FilterBar } from '../input/filter-bar.tsx';
import { Section } from '../page/section.tsx';
import { Toolbar } from '../page/toolbar.tsx';
import { useChosen } from '../table/selection.tsx';
import { useShownColumns } from '../table/shown-columns.tsx';
import { type Column, type Sort, Table } from '../table/table.tsx';
import { tones } from '../theme/tokens.ts';
import { type Sample, samples } from './sample.ts';

const useColumns = (rows: readonly Sample[]): readonly Column<Sample>[] => {
  const say = useText();
  const { money } = useFormat();
  return [
    {
      key: 'client',
      label: say('gallery.client'),
      cell: ({ client }) => say(`gallery.${client}`),
      sortable: true,
    },
    {
      key: 'state',
      label: say('gallery.state'),
      cell: ({ state }) => <Badge tone={state} label={say(`gallery.${state}`)} />,
      phone: 'line',
    },
    {
      key: 'product',
      label: say('gallery.product'),
      cell: ({ product }) => say(`gallery.${product}`),
      phone: 'line',
    },
    {
      key: 'reason',
      label: say('gallery.reason'),
      cell: ({ failed }) => say(failed ? 'gallery.reasonText' : 'common.none'),
      wrap: true,
      phone: 'hidden',
    },
    {
      key: 'amount',
      label: say('gallery.amount'),
      cell: ({ amount }) => money(amount),
      numeric: true,
      sortable: true,
      total: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
      phone: 'end',
    },
    {
      key: 'action',
      label: say('common.actions'),
      cell: () => <Button size="small">{say('gallery.quiet')}</Button>,
      phone: 'actions',
    },
  ];
};

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other));

const useRows = () => {
  const say = useText();
  const [search, setSearch] = useState('');
  const [state, setState] = useState<string>('');
  const [failed, setFailed] = useState(false);
  const [sort, setSort] = useState<Sort>({ key: 'amount', descending: true });
  const valueOf = ({ client, amount }: Sample): string | number =>
    sort.key === 'amount' ? amount : say(`gallery.${client}`);
  const rows = samples
    .filter((row) => state === '' || row.state === state)
    .filter((row) => !failed || row.failed)
    .filter(({ client }) => say(`gallery.${client}`).includes(search))
    .sort((one, other) => (sort.descending ? -1 : 1) * compare(valueOf(one), valueOf(other)));
  const clear = (): void => {
    setSearch('');
    setState('');
    setFailed(false);
  };
  return { rows, search, setSearch, state, setState, failed, setFailed, sort, setSort, clear };
};

export const List = () => {
  const say = useText();
  const { rows, search, setSearch, state, setState, failed, setFailed, sort, setSort, clear } =
    useRows();
  const { shown, menu } = useShownColumns('design', useColumns(rows));
  const chosen = tones.find((tone) => tone === state);
  const { chosen: selected, choose } = useChosen(rows, ({ id }) => id);
  const { count } = useFormat();
  const onlyFailed = (
    <FormControlLabel
      label={say('gallery.failed')}
      control={<Checkbox checked={failed} onChange={(_event, on) => setFailed(on)} />}
    />
  );
  return (
    <Section title={say('gallery.list')}>
      <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
        <FilterBar
          label={say('gallery.filters')}
          search={{ label: say('gallery.search'), value: search, onSearch: setSearch }}
          filters={[
            {
              key: 'state',
              label: say('gallery.state'),
              value: chosen === undefined ? undefined : say(`gallery.${chosen}`),
              options: tones.map((tone) => ({ value: tone, label: say(`gallery.${tone}`) })),
              chosen,
              onChoose: setState,
              onRemove: () => setState(''),
            },
            {
              key: 'reason',
              label: say('gallery.reason'),
              value: failed ? say('gallery.failed') : undefined,
              edit: () => onlyFailed,
              onRemove: () => setFailed(false),
            },
          ]}
          onClear={clear}
        >
          {menu}
          <Button variant="outlined">{say('gallery.export')}</Button>
        </FilterBar>
        <Toolbar
          label={say('gallery.actions')}
          start={say('common.selected', { count: count(selected.size) })}
        >
          <Button size="small">{say('gallery.other')}</Button>
          <Button size="small" color="error">
            {say('gallery.dangerous')}
          </Button>
        </Toolbar>
        <Table
          name={say('gallery.list')}
          columns={shown}
          rows={rows}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/design?row=${id}`}
          sort={sort}
          onSort={setSort}
          selection={{
            chosen: selected,
            onChange: choose,
            nameOf: ({ client }) => say(`gallery.${client}`),
          }}
        />
      </Box>
    </Section>
  );
};
