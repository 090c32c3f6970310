/** Shows a client's statement, newest first, for the period in the URL. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { signed } from '../catalogue/delta.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { dayBegins, dayIn } from '../zoned.ts';
import { balanceChange } from './balance-change.ts';
import type { Client, Entry } from './client.ts';

const kinds = ['deposit', 'hold', 'capture', 'release', 'reverse'] as const;

/** The kind of an entry in words; its code if we have none. */
const kindOf = (say: Say, { kind, to }: Entry): string => {
  if (kind === 'correction') return say(`clients.kinds.${to === 'available' ? 'added' : 'taken'}`);
  const known = kinds.find((one) => one === kind);
  return known === undefined ? kind : say(`clients.kinds.${known}`);
};

/** Signed amounts add up from the opening to the closing balance; those of holds are no part of the sum. */
const Amount = ({ entry }: { readonly entry: Entry }) => {
  const { money } = useFormat();
  const change = balanceChange(entry);
  if (change !== 0) return signed(change, money);
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {money(entry.amount)}
    </Box>
  );
};

const useColumns = (): readonly Column<Entry>[] => {
  const say = useText();
  const { money, time } = useFormat();
  return [
    { key: 'at', phone: 'line', label: say('clients.at'), cell: ({ at }) => time(at) },
    {
      key: 'what',
      phone: 'title',
      wrap: true,
      label: say('clients.what'),
      cell: (entry) => kindOf(say, entry),
    },
    {
      key: 'amount',
      phone: 'end',
      label: say('clients.amount'),
      numeric: true,
      cell: (entry) => <Amount entry={entry} />,
    },
    {
      key: 'available',
      label: say('clients.availableAfter'),
      numeric: true,
      cell: (entry) => money(entry.available_after),
    },
    {
      key: 'held',
      phone: 'hidden',
      label: say('clients.heldAfter'),
      numeric: true,
      cell: (entry) => money(entry.held_after),
    },
    {
      key: 'purchase',
      label: say('clients.purchase'),
      cell: ({ purchase_id: id }) =>
        id === null ? (
          say('common.none')
        ) : (
          <Link
            component={RouterLink}
            to={`/purchases/${id}`}
            aria-label={say('clients.purchaseOf', { id: id.slice(-8) })}
          >
            <bdi dir="ltr">{id.slice(-8)}</bdi>
          </Link>
        ),
    },
    {
      key: 'note',
      wrap: true,
      label: say('clients.note'),
      cell: ({ note }) => (note === null ? say('common.none') : <bdi>{note}</bdi>),
    },
  ];
};

type Span = { readonly from: string; readonly to: string };

/** From the start of the first day to the end of the last, in a time zone. */
const queryOf = ({ from, to }: Span, zone: string) => {
  const [begins, ends] = [dayBegins(from, zone), dayBegins(to, zone, 1)];
  return {
    ...(begins === undefined ? {} : { from: begins }),
    ...(ends === undefined ? {} : { to: ends }),
  };
};

const Filter = ({
  span,
  onFilter,
}: {
  readonly span: Span;
  readonly onFilter: (span: Span) => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  const [typed, setTyped] = useState(span);
  const filtered = span.from !== '' || span.to !== '';
  return (
    <Box
      component="form"
      aria-label={say('clients.statement')}
      sx={{
        display: 'flex',
        gap: 2,
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        '& > .MuiTextField-root': { flex: '1 1 15rem', maxWidth: { sm: '20rem' } },
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(typed);
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <TimeField
          key={end}
          kind="day"
          label={say(`clients.${end}`)}
          help={end === 'from' ? say('times.daysInZone', { zone }) : ''}
          value={typed[end]}
          onChange={(day) => setTyped((before) => ({ ...before, [end]: day }))}
        />
      ))}
      <Button type="submit" variant="outlined">
        {say('common.apply')}
      </Button>
      {filtered ? (
        <Button onClick={() => onFilter({ from: '', to: '' })}>{say('common.clear')}</Button>
      ) : null}
    </Box>
  );
};

const Entries = ({ id, span }: { readonly id: string; readonly span: Span }) => {
  const say = useText();
  const { money, zone } = useFormat();
  const { query, pagingOf } = usePaging();
  const columns = useColumns();
  const read = useRead('getClientStatement', {
    params: { client_id: id },
    query: { ...queryOf(span, zone), ...query },
  });
  const statement = read.data;
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {statement ? (
        <>
          <DescriptionList
            rows={[
              [say('clients.opening'), money(statement.opening.balance)],
              [say('clients.closing'), money(statement.closing.balance)],
            ]}
          />
          {statement.data.length === 0 ? (
            <Empty text={say('clients.noEntries')} />
          ) : (
            <>
              <Typography variant="body2" color="textSecondary">
                {say('clients.amountSigns')}
              </Typography>
              <Table
                name={say('clients.statement')}
                columns={columns}
                rows={statement.data}
                keyOf={({ seq }) => String(seq)}
              />
            </>
          )}
          <Pager paging={pagingOf(read)} />
        </>
      ) : null}
    </Box>
  );
};

export const StatementPart = ({ client: { id } }: { readonly client: Client }) => {
  const say = useText();
  const { zone } = useFormat();
  const [query, setQuery] = useSearchParams();
  const span = { from: dayIn(query.get('from') ?? ''), to: dayIn(query.get('to') ?? '') };
  const filter = (wanted: Span): void => {
    const given = Object.entries(wanted).filter(([, day]) => day !== '');
    setQuery({ tab: 'money', ...Object.fromEntries(given) });
  };
  const key = JSON.stringify(span);
  return (
    <Section
      title={say('clients.statement')}
      actions={
        <Download
          id="exportClientStatement"
          given={{ params: { client_id: id }, query: queryOf(span, zone) }}
          name="statement.csv"
          text={say('clients.download')}
        />
      }
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Filter key={`filter ${key}`} span={span} onFilter={filter} />
        <Entries key={`entries ${key}`} id={id} span={span} />
      </Box>
    </Section>
  );
};
