/** Lists products page by page, and enables or disables them in place. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { Code } from '../design/data/code.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { Bulk } from './bulk.tsx';
import { listQuery, pageIn, withParam } from './filters.ts';
import { Find } from './find.tsx';
import { type Product, useOperators, useProductName } from './names.ts';
import { CatalogueNav } from './parts.tsx';
import { Sell } from './sell.tsx';

/** The gateway's default page size. */
const perPage = 50;

export const usePriceText = () => {
  const say = useText();
  const { money } = useFormat();
  return ({ price, second_price: highest }: Pick<Product, 'price' | 'second_price'>): string =>
    highest === null
      ? money(price)
      : say('catalogue.priceRange', { from: money(price), to: money(highest) });
};

const NameCell = ({ product }: { readonly product: Product }) => {
  const nameOf = useProductName();
  return <bdi>{nameOf(product)}</bdi>;
};

const useColumns = (): readonly Column<Product>[] => {
  const say = useText();
  const { time } = useFormat();
  const { nameOf } = useOperators();
  const priceText = usePriceText();
  return [
    {
      key: 'name',
      wrap: true,
      label: say('catalogue.product'),
      cell: (product) => <NameCell product={product} />,
      phone: 'title',
    },
    {
      key: 'id',
      label: say('catalogue.fields.id'),
      cell: ({ id }) => <Code>{id}</Code>,
      phone: 'line',
    },
    {
      key: 'operator',
      label: say('catalogue.operator'),
      cell: ({ operator_id: id }) => <bdi>{nameOf(id)}</bdi>,
      phone: 'line',
    },
    {
      key: 'kind',
      label: say('catalogue.kind'),
      cell: ({ type, sim_card_type: sim }) =>
        `${say(`catalogue.types.${type}`)} · ${say(`catalogue.sims.${sim}`)}`,
      phone: 'line',
    },
    {
      key: 'price',
      label: say('catalogue.price'),
      numeric: true,
      cell: priceText,
      phone: 'end',
    },
    {
      key: 'changed',
      label: say('catalogue.changed'),
      cell: ({ updated_at: at }) => (at === null ? say('common.none') : time(at, 'short')),
      phone: 'hidden',
    },
    {
      key: 'sell',
      label: say('catalogue.onSale'),
      cell: (product) => <Sell product={product} />,
      phone: 'line',
    },
  ];
};

const Exports = () => {
  const say = useText();
  return (['csv', 'json'] as const).map((format) => (
    <Download
      key={format}
      id="exportCatalogue"
      given={{ query: { format } }}
      name={`products.${format}`}
      text={say(format === 'csv' ? 'catalogue.exportCsv' : 'catalogue.exportJson')}
    />
  ));
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
  const { count } = useFormat();
  const may = useMay('catalogue');
  const [address] = useSearchParams();
  const list = useRead('listProducts', { query: listQuery(address) }, { keep: true });
  const rows = list.data?.data ?? [];
  const columns = useColumns();
  const { column, ids, choosePage, chooseNone } = useChosen(rows);
  const total = list.data?.total;
  return (
    <Page title={say('pages.catalogue')} actions={<Exports />}>
      <CatalogueNav />
      <Find />
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      <Typography role="status">
        {total === undefined ? '' : say('catalogue.total', { count: count(total) })}
      </Typography>
      {may ? <Bulk ids={ids} onChoosePage={choosePage} onChooseNone={chooseNone} /> : null}
      {list.isPending ? <Loading shape="table" /> : null}
      {total === 0 ? <Empty text={say('catalogue.nothing')} /> : null}
      {rows.length === 0 ? null : (
        <Table
          name={say('catalogue.products')}
          columns={may ? [column, ...columns] : columns}
          rows={rows}
          keyOf={({ id }) => String(id)}
          linkOf={({ id }) => `/catalogue/products/${id}`}
        />
      )}
      {total === undefined ? null : <Turning total={total} />}
    </Page>
  );
};
