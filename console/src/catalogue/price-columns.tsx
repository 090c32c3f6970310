/** Defines the columns of a price before and after a change, with the difference. */
import type { Column } from '../design/table/table.tsx';
import { useText } from '../i18n/text.ts';
import { useDelta } from './use-delta.ts';

type Move = {
  readonly field: 'price' | 'second_price' | 'showable_price';
  readonly before: number | null;
  readonly after: number | null;
};

/** The amounts before and after have the labels of the list that they are in. */
export const usePriceColumns = <Row extends Move>(labels: {
  readonly before: string;
  readonly after: string;
}): readonly Column<Row>[] => {
  const say = useText();
  const delta = useDelta();
  return [
    {
      key: 'field',
      label: say('cataloguePrices.whichPrice'),
      cell: ({ field }) => say(`catalogue.fields.${field}`),
      phone: 'line',
    },
    {
      key: 'before',
      label: labels.before,
      numeric: true,
      cell: ({ before }) => delta.price(before),
      phone: 'labelled',
    },
    {
      key: 'after',
      label: labels.after,
      numeric: true,
      cell: ({ after }) => delta.price(after),
      phone: 'labelled',
    },
    {
      key: 'delta',
      label: say('cataloguePrices.delta'),
      numeric: true,
      cell: delta.amount,
      phone: 'hidden',
    },
    {
      key: 'percent',
      label: say('cataloguePrices.deltaPercent'),
      numeric: true,
      cell: delta.percent,
      phone: 'end',
    },
  ];
};
