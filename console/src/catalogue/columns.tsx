/** Defines the columns of the list of products. */
import { Code } from '../design/data/code.tsx';
import type { Column } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Product, useOperators, useProductName } from './names.ts';
import { Sell } from './sell.tsx';

/** Shown when they are chosen. */
export const optionalColumns: readonly string[] = ['period', 'categories', 'showable_price'];

const usePriceText = () => {
  const say = useText();
  const { money } = useFormat();
  return ({ price, second_price: highest }: Pick<Product, 'price' | 'second_price'>): string =>
    highest === null
      ? money(price)
      : say('catalogue.priceRange', { from: money(price), to: money(highest) });
};

/** Those that are hidden at first. */
const useOtherColumns = () => {
  const say = useText();
  const { count, money } = useFormat();
  const none = say('common.none');
  const beforePrice: readonly Column<Product>[] = [
    {
      key: 'categories',
      label: say('catalogue.category'),
      cell: ({ categories }) => (
        <bdi>{categories.map(({ name }) => name).join(say('clientRules.comma')) || none}</bdi>
      ),
      phone: 'hidden',
    },
    {
      key: 'period',
      sortable: true,
      label: say('catalogue.fields.period'),
      numeric: true,
      cell: ({ period }) => (period === null ? none : count(period)),
      phone: 'hidden',
    },
  ];
  const afterPrice: readonly Column<Product>[] = [
    {
      key: 'showable_price',
      label: say('catalogue.fields.showable_price'),
      numeric: true,
      cell: ({ showable_price: price }) => (price === null ? none : money(price)),
      phone: 'hidden',
    },
  ];
  return { beforePrice, afterPrice };
};

/** Those that sort have the names of the API. */
export const useColumns = (): readonly Column<Product>[] => {
  const say = useText();
  const { time } = useFormat();
  const { nameOf } = useOperators();
  const nameIn = useProductName();
  const priceText = usePriceText();
  const none = say('common.none');
  const others = useOtherColumns();
  return [
    {
      key: 'name',
      sortable: true,
      label: say('catalogue.product'),
      cell: (product) => nameIn(product),
      isName: true,
      phone: 'title',
    },
    {
      key: 'id',
      sortable: true,
      label: say('catalogue.fields.id'),
      cell: ({ id }) => <Code>{id}</Code>,
      phone: 'line',
    },
    {
      key: 'operator_id',
      sortable: true,
      label: say('catalogue.operator'),
      cell: ({ operator_id: id }) => <bdi>{nameOf(id)}</bdi>,
      phone: 'line',
    },
    {
      key: 'type',
      sortable: true,
      label: say('catalogue.kind'),
      cell: ({ type, sim_card_type: sim }) =>
        `${say(`catalogue.types.${type}`)} · ${say(`catalogue.sims.${sim}`)}`,
      phone: 'hidden',
    },
    ...others.beforePrice,
    {
      key: 'price',
      sortable: true,
      label: say('catalogue.price'),
      numeric: true,
      cell: priceText,
      phone: 'end',
    },
    ...others.afterPrice,
    {
      key: 'updated_at',
      sortable: true,
      label: say('catalogue.changed'),
      cell: ({ updated_at: at }) => (at === null ? none : time(at, 'short')),
      phone: 'hidden',
    },
    {
      key: 'sell',
      label: say('catalogue.onSale'),
      cell: (product) => <Sell product={product} />,
      phone: 'line',
    },
  ];
};
