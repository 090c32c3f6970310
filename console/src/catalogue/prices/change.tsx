/** Shows one price change with the prices that it changed, and reverts it. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { Code } from '../../design/data/code.tsx';
import { DescriptionList } from '../../design/data/description-list.tsx';
import { Page } from '../../design/page/page.tsx';
import { Section } from '../../design/page/section.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useMay } from '../../session.tsx';
import { usePriceColumns } from '../price-columns.tsx';
import { ChangeState, type PriceChange, useChangeTitle } from './changes.tsx';
import { Revert } from './revert.tsx';

type Whole = Answer<'getPriceChange'>;
type Move = Whole['data'][number];

const Facts = ({ change }: { readonly change: PriceChange }) => {
  const say = useText();
  const { time, count } = useFormat();
  const other = change.reverted_by ?? change.reverts;
  return (
    <DescriptionList
      rows={[
        [say('cataloguePrices.at'), time(change.at)],
        [say('cataloguePrices.actor'), <bdi key="actor">{change.actor}</bdi>],
        [say('cataloguePrices.products'), count(change.products)],
        ...(other === null
          ? []
          : [
              [
                say(
                  change.reverts === null ? 'cataloguePrices.reverted' : 'cataloguePrices.isRevert',
                ),
                <Link key="other" component={RouterLink} to={`/catalogue/prices/${other}`}>
                  {say('cataloguePrices.see')}
                </Link>,
              ] as const,
            ]),
      ]}
    />
  );
};

const Moves = ({ rows }: { readonly rows: readonly Move[] }) => {
  const say = useText();
  const { count } = useFormat();
  const prices = usePriceColumns<Move>({
    before: say('catalogueProduct.before'),
    after: say('catalogueProduct.after'),
  });
  return (
    <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
      <Table
        name={say('cataloguePrices.change')}
        columns={[
          {
            key: 'id',
            label: say('catalogue.product'),
            cell: ({ product_id: id }) => <Code>{id}</Code>,
          },
          ...prices,
        ]}
        rows={rows}
        keyOf={({ product_id: id, field }) => `${id} ${field}`}
        linkOf={({ product_id: id }) => `/catalogue/products/${id}`}
      />
      {rows.length < 500 ? null : (
        <Typography>{say('cataloguePrices.first', { count: count(rows.length) })}</Typography>
      )}
    </Box>
  );
};

export const OneChange = () => {
  const say = useText();
  const may = useMay('catalogue');
  const titleOf = useChangeTitle();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRead('getPriceChange', {
    params: { change_id: id },
  });
  const change = data?.change;
  const canRevert = may && (change?.via === 'bulk' || change?.via === 'revert');
  return (
    <Page
      title={change === undefined ? say('cataloguePrices.change') : titleOf(change)}
      crumbs={[
        { label: say('pages.catalogue'), to: '/catalogue' },
        ...(may ? [{ label: say('catalogue.prices'), to: '/catalogue/prices' }] : []),
      ]}
      state={change === undefined ? undefined : <ChangeState change={change} />}
      actions={canRevert ? <Revert id={id} isDone={change.reverted_by !== null} /> : undefined}
    >
      <ErrorState error={error} retry={() => void refetch()} />
      {isPending ? <Loading /> : null}
      {data === undefined || data === null ? null : (
        <>
          <Section title={say('catalogueProduct.facts')}>
            <Facts change={data.change} />
          </Section>
          <Moves rows={data.data} />
        </>
      )}
    </Page>
  );
};
