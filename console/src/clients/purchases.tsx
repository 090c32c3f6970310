/** Lists a client's purchases, newest first. */
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { useProductName } from '../catalogue/names.ts';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { MaskedNumber } from '../parts/masked-number.tsx';
import { StateChip } from '../purchases/state-chip.tsx';
import type { Client } from './client.ts';

type Row = Answer<'searchPurchases'>['data'][number];

const useColumns = (): readonly Column<Row>[] => {
  const say = useText();
  const { time, money } = useFormat();
  const productName = useProductName();
  return [
    { key: 'began', label: say('purchases.began'), cell: ({ began_at: at }) => time(at) },
    {
      key: 'state',
      label: say('purchases.state'),
      cell: ({ state, disputed }) => <StateChip state={state} disputed={disputed !== null} />,
      phone: 'line',
    },
    {
      key: 'product',
      wrap: true,
      label: say('purchases.product'),
      cell: ({ product }) => productName(product) ?? String(product.id),
      phone: 'line',
    },
    {
      key: 'number',
      label: say('purchases.number'),
      cell: ({ mobile }) => <MaskedNumber mobile={mobile} />,
      phone: 'line',
    },
    {
      key: 'amount',
      label: say('purchases.amount'),
      cell: ({ amount }) => money(amount),
      numeric: true,
      phone: 'end',
    },
  ];
};

/** A page of them. */
const List = ({ client: { id } }: { readonly client: Client }) => {
  const say = useText();
  const columns = useColumns();
  const { query, pagingOf } = usePaging();
  const found = useRead('searchPurchases', { body: { client_id: id, ...query } });
  const rows = found.data?.data ?? [];
  return (
    <>
      <ErrorState error={found.error} retry={() => void found.refetch()} />
      {found.isPending ? <Loading shape="table" /> : null}
      {found.data && rows.length === 0 ? <Empty text={say('clientOverview.noPurchases')} /> : null}
      {rows.length === 0 ? null : (
        <Table
          name={say('clients.purchases')}
          columns={columns}
          rows={rows}
          keyOf={({ id: purchase }) => purchase}
          linkOf={({ id: purchase }) => `/purchases/${purchase}`}
        />
      )}
      <Pager paging={pagingOf(found)} />
    </>
  );
};

export const Purchases = ({ client }: { readonly client: Client }) => {
  const say = useText();
  return (
    <Section
      title={say('clients.purchases')}
      actions={
        <Button component={Link} to={`/purchases?client_id=${client.id}`} variant="outlined">
          {say('clientOverview.toPurchases')}
        </Button>
      }
    >
      <List client={client} />
    </Section>
  );
};
