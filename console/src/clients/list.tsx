/** Lists clients by name and status, with their available balances. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useRememberLocation } from '../api/list-location.ts';
import { usePaging } from '../api/paging.ts';
import { AddIcon } from '../design/icons.tsx';
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
  const [search, setSearch] = useState(wanted.search);
  const [found, setFound] = useState(wanted.search);
  // Back navigation may change the address: the text field follows, and nothing else is recreated.
  if (found !== wanted.search) {
    setFound(wanted.search);
    setSearch(wanted.search);
  }
  const clear = (): void => {
    setSearch('');
    onFilter({ search: '', status: '' });
  };
  const filtered = wanted.search !== '' || wanted.status !== '';
  return (
    <Box
      component="form"
      role="search"
      sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}
      onSubmit={(event) => {
        event.preventDefault();
        onFilter({ ...wanted, search: search.trim() });
      }}
    >
      <TextField
        label={say('clients.search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        sx={{ flex: '1 1 14rem', maxWidth: 360 }}
        slotProps={{ htmlInput: { maxLength: 255, spellCheck: false } }}
      />
      <TextField
        select
        label={say('clients.status')}
        value={wanted.status === '' ? 'any' : wanted.status}
        onChange={({ target }) =>
          onFilter({ search: search.trim(), status: statusIn(target.value) })
        }
        sx={{ flex: '0 1 11rem' }}
      >
        <MenuItem value="any">{say('clients.anyStatus')}</MenuItem>
        {statuses.map((status) => (
          <MenuItem key={status} value={status}>
            {say(`clients.${status}`)}
          </MenuItem>
        ))}
      </TextField>
      <Button type="submit" variant="outlined">
        {say('common.search')}
      </Button>
      {filtered ? <Button onClick={clear}>{say('common.clear')}</Button> : null}
    </Box>
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
