/** Lists the operators with their health, breaker and orders in flight. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useRead } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { Breaker, Health, Since, useFrom } from './health.tsx';
import { useOperatorName } from './names.ts';
import type { Listed } from './operator.ts';
import { CreateSupplier } from './supplier-actions.tsx';
import { Suspension } from './suspension.tsx';

/** How often health is polled. */
export const refetchMs = 5000;

const Name = ({ operator }: { readonly operator: Listed }) => {
  const say = useText();
  const nameOf = useOperatorName();
  const { simulator, kind } = operator;
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: '4px 6px', alignItems: 'center' }}
    >
      <bdi>{nameOf(operator)}</bdi>
      {kind === 'supplier' ? <Badge tone="info" label={say('purchases.supplier')} /> : null}
      {simulator ? <Badge tone="plain" label={say('operators.simulatedShort')} /> : null}
    </Box>
  );
};

const useColumns = (): readonly Column<Listed>[] => {
  const say = useText();
  const { count } = useFormat();
  const from = useFrom();
  const may = useMay('catalogue');
  const columns: readonly Column<Listed>[] = [
    {
      key: 'name',
      label: say('operators.name'),
      cell: (operator) => <Name operator={operator} />,
      wrap: true,
    },
    {
      key: 'health',
      label: say('operators.health'),
      cell: (operator) => <Health operator={operator} />,
      wrap: true,
      phone: 'line',
    },
    {
      key: 'since',
      phone: 'hidden',
      label: say('operators.since'),
      cell: (operator) => <Since operator={operator} />,
    },
    {
      key: 'breaker',
      label: say('operators.breaker'),
      cell: (operator) => <Breaker operator={operator} />,
    },
    {
      key: 'underWay',
      label: say('operators.underWay'),
      numeric: true,
      cell: ({ under_way: underWay }) => count(underWay),
    },
    { key: 'from', phone: 'hidden', label: say('operators.settingsFrom'), cell: from },
  ];
  if (!may) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      label: say('common.actions'),
      cell: (operator) => <Suspension operator={operator} size="small" />,
      phone: 'end',
    },
  ];
};

export const AllOperators = () => {
  const say = useText();
  const list = useRead('listOperators', {}, { refetchInterval: refetchMs });
  const columns = useColumns();
  const rows = list.data?.data;
  return (
    <Page title={say('pages.operators')} actions={<CreateSupplier />}>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading shape="table" /> : null}
      {rows?.length === 0 ? (
        <Empty text={say('operators.none')}>
          <Typography color="textSecondary">{say('operators.noneText')}</Typography>
        </Empty>
      ) : null}
      {rows === undefined || rows.length === 0 ? null : (
        <Table
          name={say('pages.operators')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => String(id)}
          linkOf={({ id }) => `/operators/${id}`}
        />
      )}
    </Page>
  );
};
