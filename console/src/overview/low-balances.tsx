/** Lists the clients whose balance is low. */
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Overview } from './live.ts';

type Low = Overview['low_balances'][number];

export const LowBalances = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { money } = useFormat();
  const columns: readonly Column<Low>[] = [
    {
      key: 'client',
      label: say('overview.client'),
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      key: 'available',
      label: say('overview.available'),
      cell: ({ available }) => money(available),
      numeric: true,
      phone: 'end',
    },
  ];
  return (
    <Section title={say('overview.lowBalances')}>
      {overview.low_balances.length === 0 ? (
        <Empty text={say('overview.lowNone')} />
      ) : (
        <Table
          name={say('overview.lowBalances')}
          columns={columns}
          rows={overview.low_balances}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/clients/${id}`}
        />
      )}
    </Section>
  );
};
