/** Lists products page by page, and enables or disables them in place. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { AddIcon } from '../design/icons.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { useShownColumns } from '../design/table/shown-columns.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useViews } from '../lists/use-views.ts';
import { ViewTabs } from '../lists/view-tabs.tsx';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { Bulk } from './bulk.tsx';
import { optionalColumns, useColumns } from './columns.tsx';
import { listQuery, pageIn, sortOf, viewQuery, withParam } from './filters.ts';
import { Find, SortField } from './find.tsx';
import { useProductName } from './names.ts';
import { CatalogueNav } from './parts.tsx';

/** The gateway's default page size. */
const perPage = 50;

/** The files have the products of the view, in its order. */
const Exports = () => {
  const say = useText();
  const { locale } = useFormat();
  const [address] = useAddress();
  return (['csv', 'json'] as const).map((format) => (
    // A phone has room for one.
    <Box key={format} sx={format === 'csv' ? {} : { display: { xs: 'none', sm: 'block' } }}>
      <Download
        id="exportCatalogue"
        given={{ query: { format, ...viewQuery(address, locale) } }}
        name={`products.${format}`}
        text={say(format === 'csv' ? 'catalogue.exportCsv' : 'catalogue.exportJson')}
      />
    </Box>
  ));
};

const Actions = () => {
  const say = useText();
  const may = useMay('catalogue');
  return (
    <>
      <Exports />
      {may ? (
        <Button
          variant="contained"
          startIcon={<AddIcon />}
          component={Link}
          to="/catalogue/products/new"
        >
          {say('catalogue.create')}
        </Button>
      ) : null}
    </>
  );
};

/** The pages by their numbers. */
const useNumberedPages = (total: number) => {
  const [address, setAddress] = useAddress();
  const page = pageIn(address);
  const pages = Math.max(1, Math.ceil(total / perPage));
  const turn = (to: number) => (): void => {
    setAddress((now) => withParam(now, 'page', String(to)));
    window.scrollTo(0, 0);
  };
  return {
    pages,
    paging: {
      page,
      newer: page === 1 ? undefined : turn(Math.min(page - 1, pages)),
      older: page >= pages ? undefined : turn(page + 1),
    },
  };
};

export const Products = () => {
  const say = useText();
  const { count, locale } = useFormat();
  const may = useMay('catalogue');
  const [address, setAddress] = useAddress();
  const list = useRead('listProducts', { query: listQuery(address, locale) }, { keep: true });
  const rows = list.data?.data ?? [];
  const views = useViews('products', [
    { key: 'off', name: say('catalogue.view.off'), query: 'on=0' },
    { key: 'topUps', name: say('catalogue.view.topUps'), query: 'type=cell_direct_charge' },
    { key: 'changed', name: say('catalogue.view.changed'), query: 'sort=-updated_at' },
  ]);
  const columns = useColumns();
  const { shown, hidden, menu } = useShownColumns(
    'products',
    columns,
    optionalColumns,
    views.columns,
  );
  const nameOf = useProductName();
  // Across all visited pages.
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const total = list.data?.total;
  const numbered = useNumberedPages(total ?? 0);
  const counted = total === undefined ? '' : say('catalogue.total', { count: count(total) });
  return (
    <Page title={say('pages.catalogue')} actions={<Actions />}>
      <CatalogueNav />
      <ViewTabs views={views} hidden={hidden} />
      <Find>
        <SortField />
        {menu}
      </Find>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {may ? (
        <Bulk counted={counted} ids={[...chosen].map(Number)} onClear={() => choose(new Set())} />
      ) : (
        <Typography role="status" variant="body2" color="textSecondary">
          {counted}
        </Typography>
      )}
      {list.isPending ? <Loading shape="table" /> : null}
      {total === 0 ? <Empty text={say('catalogue.nothing')} /> : null}
      {rows.length === 0 ? null : (
        <Table
          name={say('catalogue.products')}
          columns={shown}
          rows={rows}
          keyOf={({ id }) => String(id)}
          linkOf={({ id }) => `/catalogue/products/${id}`}
          selection={may ? { chosen, onChange: choose, nameOf } : undefined}
          sort={sortOf(address)}
          onSort={({ key, descending }) =>
            setAddress((now) => withParam(now, 'sort', `${descending ? '-' : ''}${key}`))
          }
        />
      )}
      {total === undefined ? null : <Pager {...numbered} />}
    </Page>
  );
};
