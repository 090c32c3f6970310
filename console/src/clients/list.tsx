/** Lists clients by name, status and balance, sorted, with the totals of all that match. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { useRememberLocation } from '../api/list-location.ts';
import { usePaging } from '../api/paging.ts';
import { Code } from '../design/data/code.tsx';
import { AddIcon } from '../design/icons.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { useShownColumns } from '../design/table/shown-columns.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useViews } from '../lists/use-views.ts';
import { ViewTabs } from '../lists/view-tabs.tsx';
import { withinView } from '../lists/views.ts';
import { Download } from '../parts/download.tsx';
import { TestBadge } from '../parts/test-badge.tsx';
import { useMay } from '../session.tsx';
import type { Listed, Totals } from './client.ts';
import { Create } from './create.tsx';
import { Filters } from './filters.tsx';
import { isFiltered, paramsOf, queryOf, sortIn, type Wanted, wantedIn } from './list-filter.ts';
import { Low, Status } from './status.tsx';

const useColumns = (totals: Totals | undefined): readonly Column<Listed>[] => {
  const say = useText();
  const { money, time } = useFormat();
  const sum = (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : money(amount);
  const total = { available: sum(totals?.available), held: sum(totals?.held) };
  return [
    {
      key: 'name',
      label: say('clients.name'),
      cell: ({ name }) => name,
      isName: true,
      sortable: true,
    },
    {
      key: 'status',
      label: say('clients.status'),
      cell: ({ status, low, test }) => (
        <Box component="span" sx={{ display: 'inline-flex', gap: 1, flexWrap: 'wrap' }}>
          <Status status={status} />
          <Low low={low} />
          <TestBadge test={test} />
        </Box>
      ),
      phone: 'line',
    },
    {
      key: 'available',
      label: say('clients.available'),
      numeric: true,
      sortable: true,
      phone: 'end',
      ...(total.available === undefined ? {} : { total: total.available }),
      cell: ({ available }) => money(available),
    },
    {
      key: 'held',
      label: say('clients.held'),
      numeric: true,
      sortable: true,
      ...(total.held === undefined ? {} : { total: total.held }),
      cell: ({ held }) => money(held),
    },
    {
      key: 'created',
      label: say('clients.created'),
      sortable: true,
      cell: ({ created_at: at }) => time(at, 'short'),
      phone: 'hidden',
    },
    {
      key: 'id',
      label: say('clients.id'),
      cell: ({ id }) => <Code>{id}</Code>,
      phone: 'hidden',
    },
  ];
};

const Found = ({ wanted }: { readonly wanted: Wanted }) => {
  const say = useText();
  const [, setAddress] = useAddress();
  const { query, pagingOf } = usePaging();
  const views = useViews('clients', [
    { key: 'low', name: say('clients.low'), query: 'low=true' },
    { key: 'suspended', name: say('clients.suspended'), query: 'status=suspended' },
  ]);
  const change = (part: Partial<Wanted>): void =>
    setAddress((now) =>
      withinView(new URLSearchParams(paramsOf({ ...wantedIn(now), ...part })), now),
    );
  const list = useRead('listClients', { query: { ...queryOf(wanted), ...query } }, { keep: true });
  const rows = list.data?.data ?? [];
  const columns = useColumns(list.data?.totals);
  const { shown, hidden, menu } = useShownColumns('clients', columns, ['id'], views.columns);
  return (
    <>
      <ViewTabs views={views} hidden={hidden} />
      <Filters wanted={wanted} change={change}>
        {menu}
      </Filters>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading shape="table" /> : null}
      {list.isPending || list.error !== null || rows.length > 0 ? null : (
        <Empty text={say(isFiltered(wanted) ? 'clients.nothing' : 'clients.none')} />
      )}
      {rows.length === 0 ? null : (
        <Table
          name={say('pages.clients')}
          columns={shown}
          rows={rows}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/clients/${id}`}
          sort={{ key: wanted.sort, descending: wanted.descending }}
          onSort={({ key, descending }) => change({ sort: sortIn(key), descending })}
        />
      )}
      <Pager paging={pagingOf(list)} />
    </>
  );
};

export const List = () => {
  const say = useText();
  const may = useMay('clients');
  const [address, setAddress] = useAddress();
  const wanted = wantedIn(address);
  useRememberLocation('/clients');
  const isCreating = may && address.has('new');
  const setCreating = (on: boolean): void => {
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        if (on) after.set('new', '1');
        else after.delete('new');
        return after;
      },
      { replace: true },
    );
  };
  return (
    <Page
      title={say('pages.clients')}
      actions={
        <>
          <Download
            id="exportClients"
            given={{ query: queryOf(wanted) }}
            name="clients.csv"
            text={say('clients.export')}
          />
          {may ? (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
              {say('clients.create')}
            </Button>
          ) : null}
        </>
      }
    >
      <Found wanted={wanted} />
      {isCreating ? <Create onClose={() => setCreating(false)} /> : null}
    </Page>
  );
};
