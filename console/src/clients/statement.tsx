/** Shows a client's statement, newest first, for the period in the URL; what was held behind a switch. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { dayBegins, dayIn } from '../zoned.ts';
import type { Client } from './client.ts';
import { useStatementColumns } from './statement-columns.tsx';

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

type Wanted = { readonly span: Span; readonly holds: boolean };

const Entries = ({ id, span, holds }: Wanted & { readonly id: string }) => {
  const say = useText();
  const { money, zone } = useFormat();
  const { query, pagingOf } = usePaging();
  const columns = useStatementColumns(holds);
  const read = useRead('getClientStatement', {
    params: { client_id: id },
    query: { ...queryOf(span, zone), ...query, holds: holds ? '1' : '0' },
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
              {holds ? (
                <Typography variant="body2" color="textSecondary">
                  {say('clients.amountSigns')}
                </Typography>
              ) : null}
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
  const holds = query.get('holds') === '1';
  const show = (wanted: Wanted): void => {
    const given = Object.entries(wanted.span).filter(([, day]) => day !== '');
    setQuery({
      tab: 'money',
      ...Object.fromEntries(given),
      ...(wanted.holds ? { holds: '1' } : {}),
    });
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
        <Filter
          key={`filter ${key}`}
          span={span}
          onFilter={(wanted) => show({ span: wanted, holds })}
        />
        <FormControlLabel
          label={say('clients.holds')}
          control={
            <Switch
              checked={holds}
              onChange={({ target }) => show({ span, holds: target.checked })}
            />
          }
        />
        <Entries key={`entries ${key} ${holds}`} id={id} span={span} holds={holds} />
      </Box>
    </Section>
  );
};
