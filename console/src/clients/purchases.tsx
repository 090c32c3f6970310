/** Lists a client's purchases, newest first. */
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { Table } from '../design/table/table.tsx';
import { useText } from '../i18n/text.ts';
import { useColumns } from '../purchases/columns.tsx';
import type { Client } from './client.ts';

/** What every row of this page repeats, and what is looked for elsewhere. */
const left = new Set(['client', 'code', 'key']);

/** A page of them. */
const List = ({ client: { id } }: { readonly client: Client }) => {
  const say = useText();
  const { query, pagingOf } = usePaging();
  const found = useRead('searchPurchases', { body: { client_id: id, ...query } });
  const rows = found.data?.data ?? [];
  const columns = useColumns(rows).filter(({ key }) => !left.has(key));
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
          totalLabel={say('purchases.pageTotal')}
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
