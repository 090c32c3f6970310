/** Lists the invoices, newest first, by client and month. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
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
import { ClientPicker } from '../purchases/pickers.tsx';
import { useChosenClient } from '../routing/chosen.ts';
import { useMay } from '../session.tsx';
import { type Listed, useInvoiceFormat, useMonthWords } from './format.ts';
import { MakeInvoices } from './make.tsx';
import { monthName } from './month-name.ts';

const useColumns = (): readonly Column<Listed>[] => {
  const say = useText();
  const { digits, locale, time } = useFormat();
  const formatOf = useInvoiceFormat();
  const money = (invoice: Listed, amount: number): string => formatOf(invoice).money(amount);
  return [
    {
      key: 'number',
      label: say('invoices.number'),
      cell: ({ number }) => digits(number),
      numeric: true,
      phone: 'labelled',
    },
    {
      key: 'client',
      label: say('invoices.client'),
      cell: ({ client }) => client.name,
      isName: true,
      rest: '8rem',
      phone: 'title',
    },
    {
      key: 'month',
      label: say('invoices.month'),
      cell: ({ month }) => monthName(month, locale),
      phone: 'line',
    },
    {
      key: 'created',
      label: say('invoices.created'),
      cell: ({ created_at: at }) => time(at, 'date'),
      phone: 'hidden',
    },
    {
      key: 'tax',
      label: say('invoices.tax'),
      cell: (invoice) => money(invoice, invoice.tax),
      numeric: true,
      phone: 'hidden',
    },
    {
      key: 'credited',
      label: say('invoices.credited'),
      cell: (invoice) =>
        invoice.credited === 0 ? say('common.none') : money(invoice, invoice.credited),
      numeric: true,
      phone: 'labelled',
    },
    {
      key: 'total',
      label: say('invoices.total'),
      cell: (invoice) => money(invoice, invoice.total),
      numeric: true,
      phone: 'end',
    },
  ];
};

type FilterName = 'client_id' | 'month';

const withFilter = (address: URLSearchParams, name: FilterName, value: string): URLSearchParams => {
  const next = new URLSearchParams(address);
  for (const part of ['before', 'page', name]) next.delete(part);
  if (value !== '') next.set(name, value);
  return next;
};

const Filters = () => {
  const say = useText();
  const { locale } = useFormat();
  const [address, setAddress] = useAddress();
  const months = useRead('listBilledMonths', {});
  const nameOf = useMonthWords();
  const [clientId, month] = [address.get('client_id') ?? '', address.get('month') ?? ''];
  const client = useChosenClient(clientId);
  const choose = (name: FilterName, value: string): void =>
    setAddress((now) => withFilter(now, name, value));
  return (
    <FilterBar
      label={say('invoices.filters')}
      filters={[
        {
          key: 'client',
          label: say('invoices.client'),
          value: client?.name,
          edit: (close) => (
            <ClientPicker
              chosen={client}
              onChoose={(id) => {
                close();
                choose('client_id', id);
              }}
            />
          ),
          onRemove: () => choose('client_id', ''),
        },
        {
          key: 'month',
          label: say('invoices.month'),
          value: month === '' ? undefined : monthName(month, locale),
          chosen: month,
          options: (months.data?.data ?? []).map((one) => ({
            value: one.month,
            label: nameOf(one),
          })),
          onChoose: (value: string) => choose('month', value),
          onRemove: () => choose('month', ''),
        },
      ]}
      onClear={() => setAddress(() => new URLSearchParams())}
    />
  );
};

export const InvoiceList = () => {
  const say = useText();
  const may = useMay('money');
  const [address] = useAddress();
  const { query, pagingOf } = usePaging();
  const [isMaking, setMaking] = useState(false);
  const columns = useColumns();
  const [clientId, month] = [address.get('client_id') ?? '', address.get('month') ?? ''];
  const isFiltered = clientId !== '' || month !== '';
  const read = useRead('listInvoices', { query: { client_id: clientId, month, ...query } });
  const rows = read.data?.data ?? [];
  return (
    <Page
      title={say('pages.invoices')}
      subtitle={say('invoices.intro')}
      actions={
        may ? (
          <Button variant="contained" startIcon={<AddIcon />} onClick={() => setMaking(true)}>
            {say('invoices.make')}
          </Button>
        ) : undefined
      }
    >
      <Filters />
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="table" /> : null}
      {read.data && rows.length === 0 ? (
        <Empty text={say(isFiltered ? 'invoices.noneFits' : 'invoices.none')} />
      ) : null}
      {rows.length === 0 ? null : (
        <Table
          name={say('pages.invoices')}
          columns={columns}
          rows={rows}
          keyOf={({ number }) => String(number)}
          linkOf={({ number }) => `/invoices/${number}`}
        />
      )}
      <Pager paging={pagingOf(read)} />
      {isMaking ? <MakeInvoices clientId={clientId} onClose={() => setMaking(false)} /> : null}
    </Page>
  );
};
