/** Describes price changes as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import type { StoredMove } from '../../catalogue/prices/moves.ts';
import type { PriceChangeRow, ProductChange } from '../../catalogue/prices/store.ts';
import { formatTime } from '../../lib/time.ts';
import { exampleTime, textOrNull } from '../wire.ts';
import { exampleVersion } from './wire.ts';
import { movePrices } from './worker/answers.ts';

const about = {
  id: Type.String({ description: 'The ID of the price change.' }),
  at: Type.String({ description: 'When it was made.' }),
  via: Type.Enum(['edit', 'import', 'bulk', 'revert'], {
    description:
      'How: `edit` of one product, `import` of a file, `bulk` change, or `revert` of another change.',
  }),
  actor: Type.String({ description: 'The name of the account, or the command.' }),
  asked: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description: 'What was requested of a bulk change: `change`, `fields` and `round_to`.',
  }),
  products: Type.Integer({ description: 'How many products it changed.' }),
  reverts: textOrNull('The ID of the change that this one reverts.'),
};

const recordIn = (json: string | null): Record<string, unknown> | null => {
  const read: unknown = json === null ? null : JSON.parse(json);
  return typeof read === 'object' && read !== null ? { ...read } : null;
};

const aboutToWire = (row: PriceChangeRow) => ({
  id: row.id,
  at: formatTime(row.at),
  via: row.via,
  actor: row.actor,
  asked: recordIn(row.asked),
  products: row.products,
  reverts: row.reverts,
});

export const PriceChangeSchema = Type.Object(
  { ...about, reverted_by: textOrNull('The ID of the change that reverted it last.') },
  { title: 'PriceChange', description: 'A change of prices.' },
);

export const changeToWire = (
  row: PriceChangeRow & { readonly reverted_by: string | null },
): Static<typeof PriceChangeSchema> => ({ ...aboutToWire(row), reverted_by: row.reverted_by });

export const exampleChange: Static<typeof PriceChangeSchema> = {
  id: exampleVersion,
  at: exampleTime,
  via: 'bulk',
  actor: 'office',
  asked: { change: { percent: '5.5' }, fields: ['price'], round_to: 1000 },
  products: 1,
  reverts: null,
  reverted_by: null,
};

export const moveToWire = ({ productId, ...move }: StoredMove) => ({
  product_id: productId,
  ...move,
});

export const exampleMove = {
  product_id: 2007,
  field: 'price' as const,
  before: 418_000,
  after: 441_000,
};

const { product_id: _, ...ownPrices } = movePrices;

export const ProductPricesSchema = Type.Object(
  { ...about, prices: Type.Array(Type.Object(ownPrices), { description: 'The changed prices.' }) },
  { title: 'ProductPrices', description: 'A change of the prices of one product.' },
);

export const productChangeToWire = ({
  moves,
  ...row
}: ProductChange): Static<typeof ProductPricesSchema> => ({
  ...aboutToWire(row),
  prices: moves.map(({ field, before, after }) => ({ field, before, after })),
});

export const exampleProductPrices: Static<typeof ProductPricesSchema> = {
  ...aboutToWire({
    id: exampleVersion,
    at: Date.parse(exampleTime),
    via: 'edit',
    account_id: null,
    actor: 'office',
    asked: null,
    products: 1,
    reverts: null,
  }),
  prices: [{ field: 'price', before: 418_000, after: 441_000 }],
};
