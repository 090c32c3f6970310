/** Lists the suppliers that a purchase went to before, and why each was left. */
import { useOperators } from '../catalogue/names.ts';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';
import { useFactWords } from './use-fact-words.ts';

type Left = Purchase['left'][number];

const useColumns = (): readonly Column<Left>[] => {
  const say = useText();
  const { time } = useFormat();
  const { nameOf } = useOperators();
  const words = useFactWords();
  return [
    { key: 'at', label: say('purchases.leftAt'), cell: ({ left_at: at }) => time(at) },
    {
      key: 'supplier',
      label: say('purchases.supplier'),
      cell: ({ supplier_id: id }) => nameOf(id),
    },
    {
      key: 'fact',
      wrap: true,
      label: say('purchases.leftBecause'),
      cell: ({ fact }) => words(fact),
    },
  ];
};

/** Most purchases are delivered by their first supplier. */
export const LeftSuppliers = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const columns = useColumns();
  if (purchase.left.length === 0) return null;
  return (
    <Section title={say('purchases.left')}>
      <Table
        name={say('purchases.left')}
        columns={columns}
        rows={purchase.left}
        keyOf={({ supplier_id: id }) => String(id)}
      />
    </Section>
  );
};
