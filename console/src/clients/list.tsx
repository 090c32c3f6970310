/** Lists clients by name and status, with their available balances. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useRememberLocation } from '../api/list-location.ts';
import { usePaging } from '../api/paging.ts';
import { AddIcon } from '../design/icons.tsx';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import type { Listed } from './client.ts';
import { Create } from './create.tsx';
import { Low, Status } from './status.tsx';

const useColumns = (): readonly Column<Listed>[] => {
  const say = useText();
  const { money, time } = useFormat();
  return [
    {
      key: 'name',
      label: say('clients.name'),
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      key: 'status',
      label: say('clients.status'),
      cell: ({ status }) => <Status status={status} />,
      phone: 'line',
    },
    {
      key: 'available',
      label: say('clients.available'),
      numeric: true,
      phone: 'end',
      cell: ({ available, low }) => (
        <Box
          component="span"
          sx={{ display: 'inline-flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
        >
          <Low low={low} />
          {money(available)}
        </Box>
      ),
    },
    {
      key: 'held',
      label: say('clients.held'),
      numeric: true,
      cell: ({ held }) => money(held),
    },
    {
      key: 'created',
      label: say('clients.created'),
      cell: ({ created_at: at }) => time(at, 'short'),
    },
  ];
};

const statuses = ['active', 'suspended'] as const;

type Wanted = { readonly search: string; readonly status: '' | (typeof statuses)[number] };

const statusIn = (text: string | null): Wanted['status'] =>
  statuses.find((status) => status === text) ?? '';

/** The query; empty filters are left out. */
const given = ({ search, status }: Wanted) => ({
  ...(search === '' ? {} : { search }),
  ...(status === '' ? {} : { status }),
});

const Filter = ({
  wanted,
  onFilter,
}: {
  readonly wanted: Wanted;
  readonly onFilter: (wanted: Wanted) => void;
}) => {
  const say = useText();
  const { search, status } = wanted;
  return (
    <FilterBar
      label={say('clients.filters')}
      search={{
        label: say('clients.search'),
        value: search,
        onSearch: (text) => onFilter({ search: text, status }),
        maxLength: 255,
      }}
      filters={[
        {
          key: 'status',
          label: say('clients.status'),
          value: status === '' ? undefined : say(`clients.${status}`),
          options: statuses.map((one) => ({ value: one, label: say(`clients.${one}`) })),
          chosen: status,
          onChoose: (chosen) => onFilter({ search, status: statusIn(chosen) }),
          onRemove: () => onFilter({ search, status: '' }),
        },
      ]}
      onClear={() => onFilter({ search: '', status: '' })}
    />
  );
};

export const List = () => {
  const say = useText();
  const may = useMay('clients');
  const [address, setAddress] = useSearchParams();
  const { query, pagingOf } = usePaging();
  useRememberLocation('/clients');
  const [creating, setCreating] = useState(false);
  const wanted = {
    search: address.get('search') ?? '',
    status: statusIn(address.get('status')),
  };
  const list = useRead('listClients', { query: { ...given(wanted), ...query } }, { keep: true });
  const rows = list.data?.data ?? [];
  const filtered = wanted.search !== '' || wanted.status !== '';
  const columns = useColumns();
  return (
    <Page
      title={say('pages.clients')}
      actions={
        may ? (
          <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
            {say('clients.create')}
          </Button>
        ) : undefined
      }
    >
      <Filter wanted={wanted} onFilter={(next) => setAddress(given(next))} />
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading shape="table" /> : null}
      {list.isPending || list.error !== null || rows.length > 0 ? null : (
        <Empty text={say(filtered ? 'clients.nothing' : 'clients.none')} />
      )}
      {rows.length === 0 ? null : (
        <Table
          name={say('pages.clients')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/clients/${id}`}
        />
      )}
      <Pager paging={pagingOf(list)} />
      {creating ? <Create onClose={() => setCreating(false)} /> : null}
    </Page>
  );
};
