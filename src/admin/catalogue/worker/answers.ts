/** Describes the answers of the catalogue worker that are stored under an idempotency key. */
import { type Static, Type } from 'typebox';
import { keptCodes, priceFields } from '../../../catalogue/prices/moves.ts';

const version = Type.String({
  description: 'The version of the catalogue, which changes with every update.',
});

export const SavedSchema = Type.Object(
  { id: Type.Integer({ description: 'The ID of the product.' }), version },
  { title: 'SavedProduct', description: 'The result of a change of one product.' },
);
export type Saved = Static<typeof SavedSchema>;

const count = (description: string) => Type.Integer({ description });
const price = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Null for none.` });

export const movePrices = {
  product_id: Type.Integer({ description: 'The ID of the product.' }),
  field: Type.Enum([...priceFields], { description: 'The price field.' }),
  before: price('The price before the change.'),
  after: price('The price after the change.'),
};

/** What a revert leaves as it is. */
export const keptFields = {
  kept: Type.Array(
    Type.Object(
      {
        ...movePrices,
        code: Type.Enum([...keptCodes], { description: 'Why it stays as it is.' }),
      },
      { title: 'KeptPrice', description: 'A price that is not reverted.' },
    ),
    { description: 'The first 500 prices that are not reverted.' },
  ),
  kept_count: count('How many prices are not reverted.'),
};

export const RevertedSchema = Type.Object(
  {
    prices: count('How many prices were reverted.'),
    products: count('How many products have their earlier prices again.'),
    ...keptFields,
    change_id: Type.String({ description: 'The ID of the revert, which is a price change too.' }),
    version,
  },
  { title: 'RevertResult', description: 'The result of a revert.' },
);
export type Reverted = Static<typeof RevertedSchema>;
