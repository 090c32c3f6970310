/** Lists the purchases that match the filter, page by page, and exports them. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { type Paging, usePaging } from '../api/paging.ts';
import { useProductName } from '../catalogue/names.ts';
import { Code } from '../design/data/code.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { MaskedNumber } from '../parts/masked-number.tsx';
import { bodyOf, type Filter, filterIn, paramsOf, privateSearchOf } from './filter.ts';
import { Filters } from './filters.tsx';
import { privateSearchKeyIn, usePrivateSearch } from './private-search.ts';
import { StateChip } from './state-chip.tsx';
import { useFactWords } from './use-fact-words.ts';

type Row = Answer<'searchPurchases'>['data'][number];

const useColumns = (): readonly Column<Row>[] => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time, money, digits } = useFormat();
  const productName = useProductName();
  return [
    {
      key: 'began',
      label: say('purchases.began'),
      cell: ({ began_at: at }) => time(at),
    },
    {
      key: 'state',
      label: say('purchases.state'),
      cell: ({ state, disputed }) => <StateChip state={state} disputed={disputed !== null} />,
      phone: 'line',
    },
    {
      key: 'why',
      label: say('purchases.why'),
      cell: ({ reason }) => (reason === null ? say('common.none') : wordsOf(reason)),
      wrap: true,
      phone: 'hidden',
    },
    {
      key: 'client',
      label: say('purchases.client'),
      cell: ({ client }) => client.name,
      phone: 'line',
    },
    {
      key: 'product',
      wrap: true,
      label: say('purchases.product'),
      cell: ({ product }) => productName(product) ?? digits(product.id),
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
    {
      key: 'code',
      label: say('purchases.code'),
      cell: ({ webservice_code: code }) => <Code>{code}</Code>,
      phone: 'line',
    },
  ];
};

const Export = ({ filter }: { readonly filter: Filter }) => {
  const say = useText();
  return (
    <Download
      id="exportPurchases"
      given={{ body: bodyOf(filter) }}
      name="purchases.csv"
      text={say('purchases.export')}
      help={say('purchases.exportHelp')}
    />
  );
};

const Turning = ({ paging: { newer, older, isLost } }: { readonly paging: Paging }) => {
  const say = useText();
  if (newer === undefined && older === undefined) return null;
  return (
    <Box
      component="nav"
      aria-label={say('purchases.pages')}
      sx={{ display: 'flex', gap: 1, justifyContent: 'center', flexWrap: 'wrap' }}
    >
      {newer === undefined ? null : (
        <Button onClick={newer}>{say(isLost ? 'purchases.newest' : 'purchases.newer')}</Button>
      )}
      {older === undefined ? null : (
        <Button variant="outlined" onClick={older}>
          {say('purchases.older')}
        </Button>
      )}
    </Box>
  );
};

const Found = ({ filter }: { readonly filter: Filter }) => {
  const say = useText();
  const { count } = useFormat();
  const columns = useColumns();
  const { query, pagingOf } = usePaging();
  const found = useRead('searchPurchases', { body: { ...bodyOf(filter), ...query } });
  const { data: page, error } = found;
  if (page === undefined || page === null) {
    return error === null ? (
      <Loading shape="table" />
    ) : (
      <ErrorState error={error} retry={() => void found.refetch()} />
    );
  }
  return (
    <>
      <ErrorState error={error} retry={() => void found.refetch()} />
      <Typography role="status" variant="body2" color="textSecondary">
        {say('purchases.shown', { count: count(page.data.length) })}
      </Typography>
      {page.data.length === 0 ? (
        <Empty text={say(page.next === null ? 'purchases.none' : 'purchases.noneHere')} />
      ) : (
        <Table
          name={say('purchases.list')}
          columns={columns}
          rows={page.data}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/purchases/${id}`}
        />
      )}
      <Turning paging={pagingOf(found)} />
    </>
  );
};

export const List = () => {
  const say = useText();
  const navigate = useNavigate();
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  const { keep, find } = usePrivateSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const privateSearch = find(state);
  const filter = useMemo(() => filterIn(params, privateSearch), [params, privateSearch]);
  const isForgotten = privateSearchKeyIn(state) !== undefined && privateSearch === undefined;
  const applyFilter = (wanted: Filter): void =>
    void navigate(`?${paramsOf(wanted)}`, { state: keep(privateSearchOf(wanted)) });
  return (
    <Page title={say('pages.purchases')} actions={<Export filter={filter} />}>
      <Filters filter={filter} onFind={applyFilter} />
      {isForgotten ? <Alert severity="info">{say('purchases.forgotten')}</Alert> : null}
      <Found filter={filter} />
    </Page>
  );
};
