/** Imports a file with the entries of a price list: choose it and a day, preview, apply. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type FileFault, FileField, readFile } from '../parts/file-field.tsx';
import { DayField, fromOf, useTomorrow } from './day-field.tsx';
import { OfAddress } from './one.tsx';
import type { PriceList } from './price-list.ts';
import { ProposalPart, useProposal } from './proposal.tsx';
import { useListName } from './words.tsx';

/** The gateway's limit. */
const mostBytes = 8 * 1024 * 1024;

const ImportForm = ({ proposal }: { readonly proposal: ReturnType<typeof useProposal> }) => {
  const say = useText();
  const { zone } = useFormat();
  const tomorrow = useTomorrow();
  const [file, setFile] = useState<File>();
  const [day, setDay] = useState(tomorrow);
  const [fault, setFault] = useState<FileFault>();
  const { isBusy, dayFault, show, forget } = proposal;
  const submit = async (): Promise<void> => {
    const read = await readFile(file, mostBytes);
    if (typeof read === 'string') setFault(read);
    else show({ csv: await read.text(), valid_from: fromOf(day, zone) });
  };
  const help = fault === 'tooLarge' ? 'priceLists.tooLarge' : 'priceLists.fileHelp';
  const isOwn = fault === undefined || fault === 'tooLarge';
  return (
    <Form label={say('priceLists.importTitle')} onSubmit={() => void submit()}>
      <Typography>{say('priceLists.importText')}</Typography>
      <FileField
        file={file}
        accept=".csv,text/csv"
        help={say(isOwn ? help : `catalogueImport.${fault}`)}
        wrong={fault !== undefined}
        busy={isBusy}
        onPick={(picked) => {
          setFile(picked);
          setFault(undefined);
          forget();
        }}
      />
      <DayField
        value={day}
        fault={dayFault}
        onChange={(chosen) => {
          setDay(chosen);
          forget();
        }}
      />
      <Button type="submit" variant="outlined" loading={isBusy} sx={{ justifySelf: 'start' }}>
        {say('priceLists.show')}
      </Button>
    </Form>
  );
};

const Import = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const nameOf = useListName();
  const proposal = useProposal(list);
  return (
    <Page
      title={say('priceLists.importTitle')}
      crumbs={[
        { label: say('pages.priceLists'), to: '/price-lists' },
        { label: nameOf(list), to: `/price-lists/${list.id}` },
      ]}
    >
      <Section title={say('catalogueImport.form')}>
        <ImportForm proposal={proposal} />
      </Section>
      <ProposalPart proposal={proposal} />
    </Page>
  );
};

export const ImportEntries = () => <OfAddress view={Import} />;
