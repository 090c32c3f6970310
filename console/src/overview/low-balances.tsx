/** Lists the clients whose balance is low. */
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Empty } from '../parts/empty.tsx';
import { Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import type { Overview } from './live.ts';

type Low = Overview['low_balances'][number];

export const LowBalances = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { money } = useFormat();
  const columns: readonly Column<Low>[] = [
    {
      key: 'client',
      label: say('overview.client'),
      cell: ({ id, name }) => (
        <Link component={RouterLink} to={`/clients/${id}`} sx={{ py: 1.5 }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: 'available',
      label: say('overview.available'),
      cell: ({ available }) => money(available),
      numeric: true,
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
        />
      )}
    </Section>
  );
};
