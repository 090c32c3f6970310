/** Shows one product: its facts, and how its prices have changed. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link, useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { HistoryLink } from '../../audit/history-link.tsx';
import { productSubject } from '../../audit/subject.ts';
import { DescriptionList, type Facts } from '../../design/data/description-list.tsx';
import { Page } from '../../design/page/page.tsx';
import { Section } from '../../design/page/section.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useMay } from '../../session.tsx';
import { fieldName, fieldValue, useOperators, useProductName } from '../names.ts';
import { Sell } from '../sell.tsx';
import { PriceHistory } from './history.tsx';

export type Whole = Answer<'getProduct'>;

/** What people look for; the rest is below. */
const mainFields: readonly string[] = [
  'id',
  'operator_id',
  'type',
  'sim_card_type',
  'price',
  'second_price',
  'showable_price',
  'period',
  'capacity',
  'categories',
  'updated_at',
];

/** The switch shows the status. */
const shownElsewhere: ReadonlySet<string> = new Set(['on', 'status', 'revision']);

const useFacts = (product: Whole) => {
  const say = useText();
  const format = useFormat();
  const { nameOf } = useOperators();
  const values = new Map<string, unknown>(Object.entries(product));
  return (fields: readonly string[]): Facts =>
    fields.map((field) => [
      fieldName(say, field),
      <bdi key={field}>
        {field === 'operator_id'
          ? nameOf(product.operator_id)
          : fieldValue(say, field, values.get(field), format)}
      </bdi>,
    ]);
};

const FactSections = ({ product }: { readonly product: Whole }) => {
  const say = useText();
  const factsOf = useFacts(product);
  const others = Object.keys(product).filter(
    (field) => !mainFields.includes(field) && !shownElsewhere.has(field),
  );
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
        alignItems: 'start',
      }}
    >
      <Section title={say('catalogueProduct.facts')}>
        <DescriptionList
          rows={[
            [say('catalogue.onSale'), <Sell key="sell" product={product} />],
            ...factsOf(mainFields),
          ]}
        />
      </Section>
      <Section title={say('catalogueProduct.moreFacts')}>
        <DescriptionList rows={factsOf(others)} />
      </Section>
    </Box>
  );
};

const Actions = ({ id }: { readonly id: number }) => {
  const say = useText();
  const mayChange = useMay('catalogue');
  return (
    <>
      <Button variant="outlined" component={Link} to={`/purchases?product_id=${id}`}>
        {say('pages.purchases')}
      </Button>
      <HistoryLink subject={productSubject(id)} />
      {mayChange ? (
        <Button variant="contained" component={Link} to={`/catalogue/products/${id}/edit`}>
          {say('catalogueProduct.edit')}
        </Button>
      ) : null}
    </>
  );
};

export const OneProduct = () => {
  const say = useText();
  const nameOf = useProductName();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRead('getProduct', { params: { product_id: id } });
  const known = data ?? undefined;
  return (
    <Page
      title={known === undefined ? say('catalogue.product') : nameOf(known)}
      crumbs={[{ label: say('pages.catalogue'), to: '/catalogue' }]}
      actions={known === undefined ? undefined : <Actions id={known.id} />}
    >
      <ErrorState error={error} retry={() => void refetch()} />
      {isPending ? <Loading /> : null}
      {known === undefined ? null : (
        <>
          <FactSections product={known} />
          <PriceHistory id={id} />
        </>
      )}
    </Page>
  );
};
