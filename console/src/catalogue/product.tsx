/** Shows one product with all its fields. */
import { useParams } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { fieldName, fieldValue, useOperators, useProductName } from './names.ts';
import { Sell } from './sell.tsx';

type Whole = Answer<'getProduct'>;

const Fields = ({ product }: { readonly product: Whole }) => {
  const say = useText();
  const format = useFormat();
  const { nameOf } = useOperators();
  // The switch shows whether it is on sale.
  const fields = Object.entries(product).filter(([field]) => !['on', 'status'].includes(field));
  return (
    <DescriptionList
      rows={[
        [say('catalogue.onSale'), <Sell key="sell" product={product} />],
        ...fields.map(
          ([field, value]) =>
            [
              fieldName(say, field),
              <bdi key={field}>
                {field === 'operator_id'
                  ? nameOf(product.operator_id)
                  : fieldValue(say, field, value, format)}
              </bdi>,
            ] as const,
        ),
      ]}
    />
  );
};

export const OneProduct = () => {
  const say = useText();
  const nameOf = useProductName();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRead('getProduct', { params: { product_id: id } });
  const title = data === undefined || data === null ? say('catalogue.product') : nameOf(data);
  return (
    <Page title={title} crumbs={[{ label: say('pages.catalogue'), to: '/catalogue' }]}>
      <ErrorState error={error} retry={() => void refetch()} />
      {isPending ? <Loading /> : null}
      {data === undefined || data === null ? null : (
        <Section title={say('catalogue.product')}>
          <Fields product={data} />
        </Section>
      )}
    </Page>
  );
};
