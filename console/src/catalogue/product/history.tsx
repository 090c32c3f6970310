/** Lists how the prices of a product have changed: when, by how much, how, and by whom. */
import Box from '@mui/material/Box';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePaging } from '../../api/paging.ts';
import { Section } from '../../design/page/section.tsx';
import { Empty } from '../../design/states/empty.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { Pager } from '../../design/table/pager.tsx';
import { type Column, Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { usePriceColumns } from '../price-columns.tsx';

type Change = Answer<'listProductPrices'>['data'][number];
type Row = Change['prices'][number] & Pick<Change, 'id' | 'at' | 'via' | 'actor'>;

const rowsOf = (changes: readonly Change[]): readonly Row[] =>
  changes.flatMap(({ id, at, via, actor, prices }) =>
    prices.map((move) => ({ id, at, via, actor, ...move })),
  );

const useColumns = (): readonly Column<Row>[] => {
  const say = useText();
  const { time } = useFormat();
  const prices = usePriceColumns<Row>({
    before: say('catalogueProduct.before'),
    after: say('catalogueProduct.after'),
  });
  return [
    {
      key: 'at',
      label: say('catalogueProduct.at'),
      cell: ({ at }) => time(at, 'short'),
      phone: 'title',
    },
    ...prices,
    {
      key: 'via',
      label: say('catalogueProduct.via'),
      cell: ({ via }) => say(`catalogueProduct.vias.${via}`),
      phone: 'line',
    },
    {
      key: 'actor',
      label: say('catalogueProduct.actor'),
      cell: ({ actor }) => <bdi>{actor}</bdi>,
      phone: 'line',
    },
  ];
};

export const PriceHistory = ({ id }: { readonly id: string }) => {
  const say = useText();
  const columns = useColumns();
  const { query, pagingOf } = usePaging();
  const list = useRead(
    'listProductPrices',
    { params: { product_id: id }, query: { ...query, limit: '20' } },
    { keep: true },
  );
  const rows = rowsOf(list.data?.data ?? []);
  return (
    <Section title={say('catalogueProduct.history')}>
      <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
        <ErrorState error={list.error} retry={() => void list.refetch()} />
        {list.isPending ? <Loading /> : null}
        {list.isSuccess && rows.length === 0 ? (
          <Empty text={say('catalogueProduct.noHistory')} />
        ) : null}
        {rows.length === 0 ? null : (
          <Table
            name={say('catalogueProduct.history')}
            columns={columns}
            rows={rows}
            keyOf={({ id: change, field }) => `${change} ${field}`}
          />
        )}
        <Pager paging={pagingOf(list)} />
      </Box>
    </Section>
  );
};
