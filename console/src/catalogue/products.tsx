/** Lists products page by page, and enables or disables them in place. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { AddIcon } from '../design/icons.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useShownColumns } from '../design/table/shown-columns.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useViews } from '../lists/use-views.ts';
import { ViewTabs } from '../lists/view-tabs.tsx';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { Bulk } from './bulk.tsx';
import { optionalColumns, useColumns } from './columns.tsx';
import { listQuery, pageIn, sortOf, viewQuery, withParam } from './filters.ts';
import { Find } from './find.tsx';
import { type Product, useProductName } from './names.ts';
import { CatalogueNav } from './parts.tsx';

/** The gateway's default page size. */
const perPage = 50;

/** The files have the products of the view, in its order. */
const Exports = () => {
  const say = useText();
  const { locale } = useFormat();
  const [address] = useSearchParams();
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

const Turning = ({ total }: { readonly total: number }) => {
  const say = useText();
  const { count } = useFormat();
  const [address, setAddress] = useSearchParams();
  const page = pageIn(address);
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (pages === 1 && page === 1) return null;
  const turn = (to: number): void => {
    setAddress(withParam(address, 'page', String(to)));
    window.scrollTo(0, 0);
  };
  return (
    <Box
      component="nav"
      aria-label={say('common.pages')}
      sx={{ display: 'flex', gap: 2, alignItems: 'center', justifyContent: 'center' }}
    >
      <Button disabled={page === 1} onClick={() => turn(Math.min(page - 1, pages))}>
        {say('catalogue.previousPage')}
      </Button>
      <Typography component="span">
        {say('catalogue.page', { page: count(page), pages: count(pages) })}
      </Typography>
      <Button disabled={page >= pages} onClick={() => turn(page + 1)}>
        {say('catalogue.nextPage')}
      </Button>
    </Box>
  );
};

/** The selected products, across all visited pages. */
const useChosen = (rows: readonly Product[]) => {
  const say = useText();
  const nameOf = useProductName();
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const column: Column<Product> = {
    key: 'chosen',
    label: say('catalogue.chosen'),
    phone: 'line',
    cell: (product) => (
      <Checkbox
        checked={ids.has(product.id)}
        sx={{ marginBlock: '-4px' }}
        slotProps={{ input: { 'aria-label': say('catalogue.choose', { name: nameOf(product) }) } }}
        onChange={({ target }) => {
          const next = new Set(ids);
          if (target.checked) next.add(product.id);
          else next.delete(product.id);
          setIds(next);
        }}
      />
    ),
  };
  return {
    column,
    ids: [...ids],
    choosePage: () => setIds(new Set([...ids, ...rows.map(({ id }) => id)])),
    chooseNone: () => setIds(new Set()),
  };
};

export const Products = () => {
  const say = useText();
  const { count, locale } = useFormat();
  const may = useMay('catalogue');
  const [address, setAddress] = useSearchParams();
  const list = useRead('listProducts', { query: listQuery(address, locale) }, { keep: true });
  const rows = list.data?.data ?? [];
  const views = useViews('products', []);
  const columns = useColumns();
  const { shown, hidden, menu } = useShownColumns(
    'products',
    columns,
    optionalColumns,
    views.columns,
  );
  const { column, ids, choosePage, chooseNone } = useChosen(rows);
  const total = list.data?.total;
  const counted = total === undefined ? '' : say('catalogue.total', { count: count(total) });
  return (
    <Page title={say('pages.catalogue')} actions={<Actions />}>
      <CatalogueNav />
      <ViewTabs views={views} hidden={hidden} />
      <Find>{menu}</Find>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {may ? (
        <Bulk counted={counted} ids={ids} onChoosePage={choosePage} onChooseNone={chooseNone} />
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
          columns={may ? [column, ...shown] : shown}
          rows={rows}
          keyOf={({ id }) => String(id)}
          linkOf={({ id }) => `/catalogue/products/${id}`}
          sort={sortOf(address)}
          onSort={({ key, descending }) =>
            setAddress(withParam(address, 'sort', `${descending ? '-' : ''}${key}`))
          }
        />
      )}
      {total === undefined ? null : <Turning total={total} />}
    </Page>
  );
};
