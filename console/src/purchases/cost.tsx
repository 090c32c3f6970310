/** Shows what a purchase cost at its suppliers, and the margin, to those who may see it. */
import { useOperators } from '../catalogue/names.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';

type PurchaseCost = NonNullable<Purchase['cost']>;
type Learnt = PurchaseCost['learnt'][number];

const useColumns = (): readonly Column<Learnt>[] => {
  const say = useText();
  const { time, money } = useFormat();
  const { nameOf } = useOperators();
  return [
    { key: 'at', label: say('purchases.at'), cell: ({ at }) => time(at, 'short') },
    {
      key: 'supplier',
      label: say('purchases.supplier'),
      cell: ({ supplier_id: id }) => nameOf(id),
    },
    {
      key: 'kind',
      phone: 'line',
      wrap: true,
      label: say('purchases.learnt'),
      cell: ({ kind }) => say(`purchaseWords.learnt.${kind}`),
    },
    {
      key: 'cost',
      phone: 'end',
      numeric: true,
      label: say('purchases.cost'),
      cell: ({ cost }) => (cost === null ? say('purchases.notKnown') : money(cost)),
    },
  ];
};

const Learnt = ({ rows }: { readonly rows: readonly Learnt[] }) => {
  const say = useText();
  const columns = useColumns();
  if (rows.length === 0) return null;
  return (
    <Table
      name={say('purchases.learnt')}
      columns={columns}
      rows={rows}
      keyOf={({ supplier_id: id, kind }) => `${id} ${kind}`}
    />
  );
};

const Shown = ({ cost, isOpen }: { readonly cost: PurchaseCost; readonly isOpen: boolean }) => {
  const say = useText();
  const { money } = useFormat();
  const { by_rule: byRule, told } = cost;
  const amount = (value: number | null): string =>
    value === null ? say('purchases.notKnown') : money(value);
  return (
    <Section title={say('purchases.costAndMargin')}>
      <DescriptionList
        rows={[
          [say('purchases.costByRule'), amount(byRule)],
          ...(told === null ? [] : [[say('purchases.costTold'), money(told)] as const]),
          ...(told === null || byRule === null || told === byRule
            ? []
            : [[say('purchases.costDifference'), money(told - byRule)] as const]),
          ...(isOpen
            ? []
            : ([
                [say('purchases.cost'), amount(cost.amount)],
                [say('purchases.margin'), amount(cost.margin)],
              ] as const)),
        ]}
      />
      <Learnt rows={cost.learnt} />
    </Section>
  );
};

export const Cost = ({ purchase }: { readonly purchase: Purchase }) =>
  purchase.cost === null ? null : (
    <Shown cost={purchase.cost} isOpen={purchase.settled_at === null} />
  );
