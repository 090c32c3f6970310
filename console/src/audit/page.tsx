/** Shows the audit log, newest first: who changed what, and when. */
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
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
import { useMay } from '../session.tsx';
import { Changes } from './changes.tsx';
import { type Action, actionWords, type Entry } from './entry.ts';
import {
  type Filter,
  filterIn,
  orderIn,
  orderParams,
  paramsOf,
  queryOf,
  withOrder,
} from './filter.ts';
import { Filters } from './filters.tsx';
import { operatorIn, pageOfSubject, subjectWords } from './subject.ts';

type Named = Pick<Entry, 'subject'> & Partial<Pick<Entry, 'action' | 'subject_name'>>;

/** Names subjects; operators by what they are called. */
const useSubjectName = (): ((of: Named) => string) => {
  const say = useText();
  const format = useFormat();
  const { data } = useRead('listOperators', {}, { staleTime: 60_000 });
  return ({ subject, action, subject_name: known }) => {
    const operator = data?.data.find(({ id }) => String(id) === operatorIn(subject));
    const name = operator === undefined ? known : operator.names[format.locale];
    return subjectWords(say, format, { action, subject, name });
  };
};

const Subject = ({ entry, name }: { readonly entry: Entry; readonly name: string }) => {
  const page = pageOfSubject(entry);
  const may = useMay(page?.right);
  if (page === undefined || !may) return <bdi>{name}</bdi>;
  return (
    // On a phone it lies between other lines, and needs room for a finger.
    <Link
      component={RouterLink}
      to={page.to}
      sx={{ display: 'inline-flex', alignItems: 'center', minHeight: 24 }}
    >
      <bdi>{name}</bdi>
    </Link>
  );
};

const useColumns = (nameOf: (of: Named) => string): readonly Column<Entry>[] => {
  const say = useText();
  const { time } = useFormat();
  return [
    {
      key: 'at',
      label: say('audit.at'),
      cell: ({ at }) => time(at),
      phone: 'line',
      sortable: true,
    },
    {
      key: 'actor',
      label: say('audit.actor'),
      sortable: true,
      cell: ({ actor, account_id: id, address }) =>
        id === null && address === null ? say('audit.command', { name: actor }) : actor,
      phone: 'labelled',
    },
    {
      key: 'action',
      label: say('audit.action'),
      sortable: true,
      cell: ({ action }) => actionWords(say, action),
      phone: 'title',
    },
    {
      key: 'subject',
      label: say('audit.subject'),
      sortable: true,
      cell: (entry) => <Subject entry={entry} name={nameOf(entry)} />,
      phone: 'line',
    },
    {
      key: 'change',
      label: say('audit.change'),
      cell: (entry) => <Changes entry={entry} />,
      wrap: true,
      phone: 'actions',
    },
    {
      key: 'address',
      label: say('audit.address'),
      cell: ({ address }) => <bdi>{address ?? say('common.none')}</bdi>,
      phone: 'hidden',
    },
  ];
};

const viewOf = (action: Action): string => String(new URLSearchParams({ action }));

export default function Audit() {
  const say = useText();
  const { zone } = useFormat();
  const [address, setAddress] = useAddress();
  const { query, pagingOf } = usePaging();
  const filter = filterIn(address);
  const wanted = queryOf(filter, zone);
  const order = orderIn(address);
  const sorted = { sort: order.key, order: order.descending ? 'desc' : 'asc' } as const;
  const list = useRead('listAudit', { query: { ...wanted, ...sorted, ...query } }, { keep: true });
  const rows = list.data?.data ?? [];
  const nameOf = useSubjectName();
  const views = useViews('audit', [
    { key: 'settings', name: say('audit.subjects.settings'), query: 'subject=settings' },
    { key: 'deposits', name: say('audit.view.deposits'), query: viewOf('client deposit') },
    { key: 'prices', name: say('audit.view.prices'), query: viewOf('catalogue prices') },
    { key: 'failed', name: say('audit.view.failedSignIns'), query: viewOf('sign in failed') },
  ]);
  const columns = useColumns(nameOf);
  const { shown, hidden, menu } = useShownColumns('audit', columns, ['address'], views.columns);
  const change = (part: Partial<Filter>): void =>
    setAddress((now) => {
      const params = { ...paramsOf({ ...filterIn(now), ...part }), ...orderParams(now) };
      return withinView(new URLSearchParams(params), now);
    });
  const about = rows.find(({ subject }) => subject === filter.subject);
  return (
    <Page
      title={say('pages.audit')}
      actions={
        <Download
          id="exportAudit"
          given={{ query: wanted }}
          name="audit.csv"
          text={say('audit.export')}
        />
      }
    >
      <ViewTabs views={views} hidden={hidden} />
      <Filters
        filter={filter}
        subjectName={nameOf(about ?? { subject: filter.subject })}
        change={change}
      >
        {menu}
      </Filters>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading shape="table" /> : null}
      {list.isPending || list.error !== null || rows.length > 0 ? null : (
        <Empty text={say('audit.nothing')} />
      )}
      {rows.length === 0 ? null : (
        <Table
          name={say('pages.audit')}
          columns={shown}
          rows={rows}
          keyOf={({ id }) => id}
          sort={order}
          onSort={(sort) => setAddress((now) => withOrder(now, sort))}
        />
      )}
      <Pager paging={pagingOf(list)} />
    </Page>
  );
}
