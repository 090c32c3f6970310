/** Lists the versions of a price list, and withdraws those that have not begun. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Badge } from '../design/data/badge.tsx';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { byBeginning, type PriceList, stateOf, type Version } from './price-list.ts';
import { WithdrawVersion } from './remove.tsx';

const tones = { planned: 'info', current: 'good', past: 'plain' } as const;

export const VersionState = ({
  list,
  version,
}: {
  readonly list: PriceList;
  readonly version: Version;
}) => {
  const say = useText();
  const state = stateOf(list, version, Date.now());
  return <Badge tone={tones[state]} label={say(`priceLists.states.${state}`)} />;
};

const useColumns = (
  list: PriceList,
  withdraw: (version: Version) => void,
): readonly Column<Version>[] => {
  const say = useText();
  const { count, time } = useFormat();
  const may = useMay('prices');
  const columns: readonly Column<Version>[] = [
    {
      key: 'from',
      label: say('priceLists.validFrom'),
      cell: ({ valid_from: from }) => time(from, 'short'),
      phone: 'title',
    },
    {
      key: 'number',
      label: say('priceLists.version'),
      cell: ({ number }) => count(number),
      numeric: true,
    },
    {
      key: 'state',
      label: say('common.status'),
      cell: (version) => <VersionState list={list} version={version} />,
      phone: 'end',
    },
    {
      key: 'entries',
      label: say('priceLists.entries'),
      cell: ({ entries }) => count(entries),
      numeric: true,
    },
    {
      key: 'created',
      label: say('priceLists.writtenAt'),
      cell: ({ created_at: at }) => time(at, 'short'),
      phone: 'hidden',
    },
  ];
  const now = Date.now();
  const canWithdraw = list.versions.some((one) => stateOf(list, one, now) === 'planned');
  if (!may || !canWithdraw) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      label: say('common.actions'),
      phone: 'actions',
      cell: (version) =>
        stateOf(list, version, now) === 'planned' ? (
          <Button
            size="small"
            aria-label={say('priceLists.withdrawTitle', { number: count(version.number) })}
            onClick={() => withdraw(version)}
          >
            {say('priceLists.withdraw')}
          </Button>
        ) : null,
    },
  ];
};

export const Versions = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const [withdrawn, setWithdrawn] = useState<Version>();
  const columns = useColumns(list, setWithdrawn);
  return (
    <Section title={say('priceLists.versions')}>
      <Table
        name={say('priceLists.versions')}
        columns={columns}
        rows={byBeginning(list.versions)}
        keyOf={({ number }) => String(number)}
        linkOf={({ number }) => `/price-lists/${list.id}?version=${number}`}
      />
      {withdrawn === undefined ? null : (
        <WithdrawVersion list={list} version={withdrawn} onClose={() => setWithdrawn(undefined)} />
      )}
    </Section>
  );
};
