/** Lists the purchases that match the filter, page by page, and exports them. */
import Alert from '@mui/material/Alert';
import { type ReactNode, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { currentAddress, currentState } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { useRememberLocation } from '../api/list-location.ts';
import { usePaging } from '../api/paging.ts';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { useChosen } from '../design/table/selection.tsx';
import { useShownColumns } from '../design/table/shown-columns.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useViews } from '../lists/use-views.ts';
import { ViewTabs } from '../lists/view-tabs.tsx';
import { withinView } from '../lists/views.ts';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { BulkBar, canChoose } from './bulk/bar.tsx';
import { useRowName } from './bulk/row-name.ts';
import { optionalColumns, type Row, useColumns } from './columns.tsx';
import {
  bodyOf,
  bulkActionOf,
  type Filter,
  filterIn,
  paramsOf,
  privateSearchOf,
} from './filter.ts';
import { type Change, Filters } from './filters.tsx';
import { privateSearchKeyIn, usePrivateSearch } from './private-search.ts';
import { Totals } from './totals.tsx';

/** What the gateway is asked for: days that move are those of now. */
const useBody = (filter: Filter) => {
  const { zone } = useFormat();
  return bodyOf(filter, Date.now(), zone);
};

const Export = ({ filter }: { readonly filter: Filter }) => {
  const say = useText();
  return (
    <Download
      id="exportPurchases"
      given={{ body: useBody(filter) }}
      name="purchases.csv"
      text={say('purchases.export')}
      help={say('purchases.exportHelp')}
    />
  );
};

/** The names of the pages before and after, by what comes first. */
const turns = {
  newest: { first: 'purchases.newest', back: 'purchases.newer', on: 'purchases.older' },
  oldest: { first: 'purchases.oldest', back: 'purchases.older', on: 'purchases.newer' },
} as const;

type Found = {
  readonly filter: Filter;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Whether there are others on further pages. */
  readonly isPart: boolean;
  /** What is said if there are none. */
  readonly none: string;
  readonly change: Change;
};

/** The rows, with what can be done with several at once. */
const Rows = ({ filter, rows, columns, isPart, none, change }: Found) => {
  const say = useText();
  const rowName = useRowName();
  const mayResolve = useMay('resolve');
  const { chosen, rows: chosenRows, choose } = useChosen(rows, ({ id }) => id);
  const action = mayResolve ? bulkActionOf(filter) : undefined;
  return (
    <>
      {action === undefined ? null : (
        <BulkBar
          action={action}
          rows={chosenRows}
          hidden={rows.length === 0}
          onClear={() => choose(new Set())}
        />
      )}
      {rows.length === 0 ? (
        <Empty text={none} />
      ) : (
        <Table
          name={say('purchases.list')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/purchases/${id}`}
          sort={{ key: 'began', descending: filter.order === '' }}
          onSort={({ descending }) => change({ order: descending ? '' : 'oldest' })}
          {...(isPart ? { totalLabel: say('purchases.pageTotal') } : {})}
          selection={
            action === undefined
              ? undefined
              : { chosen, onChange: choose, nameOf: rowName, canChoose: canChoose(action) }
          }
        />
      )}
    </>
  );
};

const useFound = (filter: Filter) => {
  const { query, pagingOf } = usePaging();
  const body = useBody(filter);
  const order = filter.order === 'oldest' ? 'oldest' : 'newest';
  const found = useRead('searchPurchases', { body: { ...body, order, ...query } }, { keep: true });
  const rows = found.data?.data ?? [];
  const isPart = query.before !== undefined || (found.data?.next ?? null) !== null;
  return { found, rows, body, order, isPart, paging: pagingOf(found) } as const;
};

const Shown = ({
  filter,
  change,
  bar,
}: {
  readonly filter: Filter;
  readonly change: Change;
  /** What is above the rows, with the menu of the columns. */
  readonly bar: (menu: ReactNode) => ReactNode;
}) => {
  const say = useText();
  const today = new URLSearchParams({ state: 'failed', days: 'today' }).toString();
  const views = useViews('purchases', [
    { key: 'review', name: say('purchases.view.review'), query: 'needs_person=1' },
    { key: 'failed', name: say('purchases.view.failedToday'), query: today },
    { key: 'disputed', name: say('purchases.view.disputed'), query: 'disputed=1' },
    { key: 'open', name: say('purchases.view.open'), query: 'state=open' },
  ]);
  const { found, rows, body, order, isPart, paging } = useFound(filter);
  const { data: page, error } = found;
  const columns = useColumns(rows);
  const { shown, hidden, menu } = useShownColumns(
    'purchases',
    columns,
    optionalColumns,
    views.columns,
  );
  return (
    <>
      <ViewTabs views={views} hidden={hidden} />
      {bar(menu)}
      <ErrorState error={error} retry={() => void found.refetch()} />
      {page === undefined || page === null ? (
        error === null ? (
          <Loading shape="table" />
        ) : null
      ) : (
        <>
          <Totals rows={rows} body={body} isPart={isPart} />
          <Rows
            {...{ filter, rows, isPart, change }}
            columns={shown}
            none={say(page.next === null ? 'purchases.none' : 'purchases.noneHere')}
          />
        </>
      )}
      <Pager
        paging={paging}
        back={say(paging.isLost ? turns[order].first : turns[order].back)}
        on={say(turns[order].on)}
      />
    </>
  );
};

/** The filter of the address, and how to change it. */
const useFilter = () => {
  const navigate = useNavigate();
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  const { keep, find } = usePrivateSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const privateSearch = find(state);
  const filter = useMemo(() => filterIn(params, privateSearch), [params, privateSearch]);
  const isForgotten = privateSearchKeyIn(state) !== undefined && privateSearch === undefined;
  const change: Change = (part) => {
    const current = currentAddress();
    const wanted = { ...filterIn(current, find(currentState())), ...part };
    const next = withinView(paramsOf(wanted), current);
    void navigate(`?${next}`, { state: keep(privateSearchOf(wanted)) });
  };
  return { filter, isForgotten, change };
};

export const List = () => {
  const say = useText();
  const { filter, isForgotten, change } = useFilter();
  useRememberLocation('/purchases');
  return (
    <Page title={say('pages.purchases')} actions={<Export filter={filter} />}>
      <Shown
        filter={filter}
        change={change}
        bar={(menu) => (
          <>
            <Filters filter={filter} change={change}>
              {menu}
            </Filters>
            {isForgotten ? <Alert severity="info">{say('purchases.forgotten')}</Alert> : null}
          </>
        )}
      />
    </Page>
  );
};
