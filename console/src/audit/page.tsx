/** Shows the audit log, newest first: who changed what, and when. */

import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { fonts } from '../design/theme/tokens.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { actionOf, changesOf, type Entry } from './entry.ts';

const Changes = ({ entry }: { readonly entry: Entry }) => {
  const say = useText();
  const format = useFormat();
  const lines = changesOf(say, entry, format);
  if (lines.length === 0) return say('common.none');
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
};

const useColumns = (onFilter: (subject: string) => void): readonly Column<Entry>[] => {
  const say = useText();
  const { time } = useFormat();
  return [
    { key: 'at', label: say('audit.at'), cell: ({ at }) => time(at), phone: 'line' },
    {
      key: 'actor',
      label: say('audit.actor'),
      cell: ({ actor, account_id: id, address }) =>
        id === null && address === null ? say('audit.command', { name: actor }) : actor,
      phone: 'line',
    },
    {
      key: 'action',
      label: say('audit.action'),
      cell: (entry) => actionOf(say, entry),
      phone: 'title',
    },
    {
      key: 'change',
      label: say('audit.change'),
      cell: (entry) => <Changes entry={entry} />,
      wrap: true,
      phone: 'line',
    },
    {
      key: 'subject',
      label: say('audit.subject'),
      cell: ({ subject }) => (
        <Link
          component="button"
          type="button"
          dir="ltr"
          aria-label={say('audit.onlyThis', { id: subject })}
          onClick={() => onFilter(subject)}
          sx={{ fontFamily: fonts.code, overflowWrap: 'anywhere', textAlign: 'start' }}
        >
          {subject}
        </Link>
      ),
    },
    {
      key: 'address',
      label: say('audit.address'),
      cell: ({ address }) => <bdi>{address ?? say('common.none')}</bdi>,
    },
  ];
};

export default function Audit() {
  const say = useText();
  const [address, setAddress] = useSearchParams();
  const { query, pagingOf } = usePaging();
  const subject = address.get('subject') ?? '';
  const filter = (chosen: string): void => setAddress(chosen === '' ? {} : { subject: chosen });
  const list = useRead(
    'listAudit',
    { query: { ...(subject === '' ? {} : { subject }), ...query } },
    { keep: true },
  );
  const rows = list.data?.data ?? [];
  const columns = useColumns(filter);
  return (
    <Page title={say('pages.audit')}>
      <FilterBar
        label={say('audit.filters')}
        search={{ label: say('audit.filter'), value: subject, onSearch: filter }}
        filters={[]}
        onClear={() => filter('')}
      />
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading shape="table" /> : null}
      {list.isPending || list.error !== null || rows.length > 0 ? null : (
        <Empty text={say('audit.nothing')} />
      )}
      {rows.length === 0 ? null : (
        <Table name={say('pages.audit')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <Pager paging={pagingOf(list)} />
    </Page>
  );
}
