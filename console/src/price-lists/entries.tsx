/** Shows a version of a price list with its entries, and the others below. */

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useRead } from '../api/hooks.ts';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import type { Entry, PriceList, Version } from './price-list.ts';
import { VersionState, Versions } from './versions.tsx';
import { Scope, useCommission } from './words.tsx';

const EntryTable = ({
  name,
  entries,
}: {
  readonly name: string;
  readonly entries: readonly Entry[];
}) => {
  const say = useText();
  const commission = useCommission();
  return (
    <Table
      name={name}
      columns={[
        {
          key: 'scope',
          label: say('priceLists.scope'),
          wrap: true,
          phone: 'title',
          cell: (entry) => <Scope entry={entry} />,
        },
        {
          key: 'commission',
          label: say('priceLists.commission'),
          numeric: true,
          phone: 'end',
          cell: (entry) => commission(entry.commission),
        },
      ]}
      rows={entries.map((entry, index) => ({ ...entry, key: String(index) }))}
      keyOf={({ key }) => key}
    />
  );
};

const givenOf = (list: PriceList, version: Version) => ({
  params: { price_list_id: String(list.id) },
  query: { at: version.valid_from },
});

/** A version with its entries. */
const Entries = ({
  list,
  version,
  entries,
}: {
  readonly list: PriceList;
  readonly version: Version;
  readonly entries: readonly Entry[];
}) => {
  const say = useText();
  const { count, time } = useFormat();
  const name = say('priceLists.entriesOf', { number: count(version.number) });
  return (
    <Section
      title={name}
      actions={
        <Download
          id="exportPriceList"
          given={givenOf(list, version)}
          name={`price-list-${list.id}.csv`}
          text={say('priceLists.export')}
        />
      }
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mb: 1.5 }}>
        <VersionState list={list} version={version} />
        <Typography variant="body2" color="textSecondary">
          {say('priceLists.validFrom')}: {time(version.valid_from, 'short')}
        </Typography>
      </Box>
      {entries.length === 0 ? (
        <Empty text={say('priceLists.noEntries')} />
      ) : (
        <EntryTable name={name} entries={entries} />
      )}
    </Section>
  );
};

/** The chosen version above all of them. Entries that came later would push these down. */
export const Versioned = ({
  list,
  version,
}: {
  readonly list: PriceList;
  readonly version: Version;
}) => {
  const read = useRead('getPriceList', givenOf(list, version), { keep: true });
  const entries = read.data?.entries;
  return (
    <>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="page" /> : null}
      {entries === undefined ? null : (
        <>
          <Entries list={list} version={version} entries={entries} />
          <Versions list={list} />
        </>
      )}
    </>
  );
};
