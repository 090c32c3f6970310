/** Lists the bulk price changes and their reverts, each of which can be reverted. */
import Box from '@mui/material/Box';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePaging } from '../../api/paging.ts';
import { Badge } from '../../design/data/badge.tsx';
import { Section } from '../../design/page/section.tsx';
import { Empty } from '../../design/states/empty.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { Pager } from '../../design/table/pager.tsx';
import { type Column, Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useMay } from '../../session.tsx';
import { useAskedText } from './asked.ts';
import { Revert } from './revert.tsx';

export type PriceChange = Answer<'listPriceChanges'>['data'][number];

export const ChangeState = ({ change }: { readonly change: PriceChange }) => {
  const say = useText();
  return change.reverted_by === null ? (
    <Badge tone="good" label={say('cataloguePrices.applied')} />
  ) : (
    <Badge tone="plain" label={say('cataloguePrices.reverted')} />
  );
};

/** What was asked for, or that it reverts another change. */
export const useChangeTitle = (): ((change: PriceChange) => string) => {
  const say = useText();
  const askedText = useAskedText();
  return ({ via, asked }) =>
    via === 'revert'
      ? say('cataloguePrices.isRevert')
      : (askedText(asked) ?? say('cataloguePrices.change'));
};

const useColumns = (): readonly Column<PriceChange>[] => {
  const say = useText();
  const may = useMay('catalogue');
  const { time, count } = useFormat();
  const titleOf = useChangeTitle();
  const columns: readonly Column<PriceChange>[] = [
    {
      key: 'asked',
      label: say('cataloguePrices.asked'),
      cell: titleOf,
      phone: 'title',
    },
    {
      key: 'at',
      label: say('cataloguePrices.at'),
      cell: ({ at }) => time(at, 'short'),
      phone: 'line',
    },
    {
      key: 'actor',
      label: say('cataloguePrices.actor'),
      cell: ({ actor }) => <bdi>{actor}</bdi>,
      phone: 'line',
    },
    {
      key: 'products',
      label: say('cataloguePrices.products'),
      numeric: true,
      cell: ({ products }) => count(products),
      phone: 'labelled',
    },
    {
      key: 'state',
      label: say('cataloguePrices.state'),
      cell: (change) => <ChangeState change={change} />,
      phone: 'end',
    },
  ];
  if (!may) return columns;
  return [
    ...columns,
    {
      key: 'revert',
      label: say('common.actions'),
      cell: ({ id, reverted_by: by }) => <Revert id={id} isDone={by !== null} />,
      phone: 'actions',
    },
  ];
};

export const PriceChanges = () => {
  const say = useText();
  const columns = useColumns();
  const { query, pagingOf } = usePaging();
  const list = useRead('listPriceChanges', { query: { ...query, limit: '20' } }, { keep: true });
  const rows = list.data?.data ?? [];
  return (
    <Section title={say('cataloguePrices.history')}>
      <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
        <ErrorState error={list.error} retry={() => void list.refetch()} />
        {list.isPending ? <Loading /> : null}
        {list.isSuccess && rows.length === 0 ? (
          <Empty text={say('cataloguePrices.noHistory')} />
        ) : null}
        {rows.length === 0 ? null : (
          <Table
            name={say('cataloguePrices.history')}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/catalogue/prices/${id}`}
          />
        )}
        <Pager paging={pagingOf(list)} />
      </Box>
    </Section>
  );
};
