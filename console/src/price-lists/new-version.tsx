/** Writes a new version of a price list: its entries in a table, and the day from which they hold. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { AddIcon } from '../design/icons.tsx';
import { Form } from '../design/input/form.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { DayField, fromOf, useTomorrow } from './day-field.tsx';
import { EntryRow } from './entry-fields.tsx';
import { OfAddress } from './one.tsx';
import {
  type Draft,
  draftOf,
  type Entry,
  emptyDraft,
  faultsIn,
  fileOf,
  type PriceList,
} from './price-list.ts';
import { ProposalPart, useProposal } from './proposal.tsx';
import { useListName } from './words.tsx';

type Row = Draft & { readonly key: string };

const rowOf = (draft: Draft): Row => ({ ...draft, key: newKey() });

/** The entries as rows of fields, and a button for another. */
const Rows = ({
  rows,
  faults,
  onChange,
}: {
  readonly rows: readonly Row[];
  readonly faults: ReturnType<typeof faultsIn>;
  readonly onChange: (rows: readonly Row[]) => void;
}) => {
  const say = useText();
  return (
    <>
      <Box
        component="ul"
        aria-label={say('priceLists.entries')}
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}
      >
        {rows.map((row, index) => (
          <EntryRow
            key={row.key}
            draft={row}
            number={index + 1}
            fault={faults[index]}
            set={(typed) => onChange(rows.with(index, { ...row, ...typed }))}
            remove={() => onChange(rows.toSpliced(index, 1))}
          />
        ))}
      </Box>
      <Button
        startIcon={<AddIcon />}
        sx={{ justifySelf: 'start' }}
        onClick={() => onChange([...rows, rowOf(emptyDraft)])}
      >
        {say('priceLists.addEntry')}
      </Button>
    </>
  );
};

const VersionForm = ({
  entries,
  proposal,
}: {
  /** To begin with. */
  readonly entries: readonly Entry[];
  readonly proposal: ReturnType<typeof useProposal>;
}) => {
  const say = useText();
  const format = useFormat();
  const tomorrow = useTomorrow();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    entries.length === 0
      ? [rowOf(emptyDraft)]
      : entries.map((entry) => rowOf(draftOf(entry, format))),
  );
  const [day, setDay] = useState(tomorrow);
  const [isTried, setTried] = useState(false);
  const { isBusy, dayFault, show, forget } = proposal;
  const faults = faultsIn(rows);
  const change = (next: readonly Row[]): void => {
    setRows(next);
    forget();
  };
  const submit = (): void => {
    setTried(true);
    if (isBusy || rows.length === 0 || faults.some((fault) => fault !== undefined)) return;
    show({ csv: fileOf(rows), valid_from: fromOf(day, format.zone) });
  };
  return (
    <Form wide label={say('priceLists.newVersion')} onSubmit={submit}>
      <Typography color="textSecondary">{say('priceLists.newVersionText')}</Typography>
      <Box sx={{ maxWidth: 320 }}>
        <DayField
          value={day}
          fault={dayFault}
          onChange={(chosen) => {
            setDay(chosen);
            forget();
          }}
        />
      </Box>
      <Rows rows={rows} faults={isTried ? faults : []} onChange={change} />
      {isTried && rows.length === 0 ? (
        <Typography role="alert" color="error">
          {say('priceLists.noneTyped')}
        </Typography>
      ) : null}
      <Button type="submit" variant="outlined" loading={isBusy} sx={{ justifySelf: 'start' }}>
        {say('priceLists.show')}
      </Button>
    </Form>
  );
};

const Writing = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const nameOf = useListName();
  const [address] = useSearchParams();
  const proposal = useProposal(list);
  const of = list.versions.find(({ number }) => String(number) === address.get('of'));
  const read = useRead(
    'getPriceList',
    {
      params: { price_list_id: String(list.id) },
      query: of === undefined ? {} : { at: of.valid_from },
    },
    // What is typed stays when the list is read again.
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <Page
      title={say('priceLists.newVersion')}
      crumbs={[
        { label: say('pages.priceLists'), to: '/price-lists' },
        { label: nameOf(list), to: `/price-lists/${list.id}` },
      ]}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="page" /> : null}
      {read.data ? (
        <Section title={say('priceLists.entries')}>
          <VersionForm entries={read.data.entries} proposal={proposal} />
        </Section>
      ) : null}
      <ProposalPart proposal={proposal} />
    </Page>
  );
};

export const NewVersion = () => <OfAddress view={Writing} />;
