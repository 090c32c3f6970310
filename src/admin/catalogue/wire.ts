/** Describes the catalogue as the back office's API shows it. */
import { type Static, type TObject, Type } from 'typebox';
import { exampleListing } from '../../catalogue/listing.ts';
import {
  type Product,
  ProductSchema,
  productTypes,
  simCardTypes,
} from '../../catalogue/product.ts';
import { closed } from '../wire.ts';
import { isOn } from './filter.ts';
import { sorts } from './listing.ts';
import { priceFields, roundings } from './prices.ts';
import type { ImportPreview, PricePreview } from './worker/messages.ts';

const { properties } = ProductSchema;

export const OnSchema = Type.Boolean({
  description: 'Whether it is on sale. What is off is listed, and not to be bought.',
});

const CategoryName = Type.Object({
  id: Type.Integer({ description: 'The category.' }),
  name: Type.String({ description: 'Its name.' }),
});

export const RowSchema = Type.Object({
  id: properties.id,
  name: properties.name,
  name_en: properties.name_en,
  operator_id: properties.operator_id,
  type: properties.type,
  sim_card_type: properties.sim_card_type,
  price: properties.price,
  second_price: properties.second_price,
  showable_price: properties.showable_price,
  status: properties.status,
  on: OnSchema,
  capacity: properties.capacity,
  period: properties.period,
  categories: Type.Array(CategoryName, { description: 'The categories that it stands in.' }),
  updated_at: properties.updated_at,
});

export const rowToWire = (product: Product): Static<typeof RowSchema> => ({
  id: product.id,
  name: product.name,
  name_en: product.name_en,
  operator_id: product.operator_id,
  type: product.type,
  sim_card_type: product.sim_card_type,
  price: product.price,
  second_price: product.second_price,
  showable_price: product.showable_price,
  status: product.status,
  on: isOn(product),
  capacity: product.capacity,
  period: product.period,
  categories: product.categories.map(({ id, name }) => ({ id, name })),
  updated_at: product.updated_at,
});

const [exampleProduct] = exampleListing.data;
export const exampleRows = exampleListing.data.map(rowToWire);
export const exampleId = 2007;
export const exampleVersion = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
const exampleDigest = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';

export const OneSchema = Type.Object({ ...properties, on: OnSchema });
export const exampleOne = { ...exampleProduct, on: true };
export const oneToWire = (product: Product): Static<typeof OneSchema> => ({
  ...product,
  on: isOn(product),
});

export const VersionSchema = Type.String({
  description: 'The version of the catalogue: another one after each change.',
});

export const digits = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description }));

const kinds = {
  type: Type.Optional(Type.Enum([...productTypes], { description: 'Only of this type.' })),
  sim_card_type: Type.Optional(Type.Enum([...simCardTypes], { description: 'Only for these.' })),
};
const search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: "Part of a name, an id, or part of the seller's own code.",
  }),
);

export const ListQuery = Type.Object({
  search,
  operator_id: digits('Only of this operator.'),
  category_id: digits('Only in this category.'),
  ...kinds,
  on: Type.Optional(Type.Enum(['1', '0'], { description: '`1`: on sale. `0`: switched off.' })),
  sort: Type.Optional(Type.Enum([...sorts], { description: 'By what; by id where not said.' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`asc` where not said.' })),
  page: digits('Which page, from 1.'),
  limit: digits('How many a page: 1 to 100, 50 where not said.'),
});

const whole = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const IdsSchema = Type.Array(Type.Integer({ minimum: 1, maximum: whole.maximum }), {
  minItems: 1,
  maxItems: 10_000,
  description: 'Products by their ids.',
});

const exactlyOne = { ...closed, minProperties: 1, maxProperties: 1 };

export const PricesBody = {
  which: Type.Object(
    {
      product_ids: Type.Optional(IdsSchema),
      filter: Type.Optional(
        Type.Object(
          {
            search,
            operator_id: Type.Optional(Type.Integer({ description: 'Only of this operator.' })),
            category_id: Type.Optional(Type.Integer({ description: 'Only in this category.' })),
            ...kinds,
            on: Type.Optional(OnSchema),
          },
          { ...closed, description: 'All that fit; without any field all products.' },
        ),
      ),
    },
    { ...exactlyOne, description: 'Which products: by `product_ids`, or by a `filter`.' },
  ),
  change: Type.Object(
    {
      percent: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'So much more of a hundred, as `5.5`; less by `-5.5`.',
        }),
      ),
      amount: Type.Optional(
        Type.Integer({
          minimum: -whole.maximum,
          maximum: whole.maximum,
          description: 'So much more; less below zero.',
        }),
      ),
      price: Type.Optional(Type.Integer({ ...whole, description: 'This price for all.' })),
    },
    { ...exactlyOne, description: 'Exactly one of `percent`, `amount` and `price`.' },
  ),
  fields: Type.Optional(
    Type.Array(Type.Enum([...priceFields]), {
      minItems: 1,
      maxItems: priceFields.length,
      uniqueItems: true,
      description: 'Which prices; `price` where not said. One that is null stays so.',
    }),
  ),
  round_to: Type.Optional(
    Type.Enum([...roundings], { description: 'Rounded half up to a multiple of it; 1.' }),
  ),
};

export const examplePriceUpdate: Static<TObject<typeof PricesBody>> = {
  which: { filter: { operator_id: 2 } },
  change: { percent: '5.5' },
  fields: ['price'],
  round_to: 1000,
};

export const DigestSchema = Type.String({
  maxLength: 100,
  description: 'As the preview gave it.',
  examples: [exampleDigest],
});

export const PreviewSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: properties.id,
      name: properties.name,
      field: Type.Enum([...priceFields], { description: 'Which price.' }),
      before: Type.Integer({ description: 'As it is.' }),
      after: Type.Integer({ description: 'As it would be.' }),
    }),
    { description: 'The first 500 prices that would change.' },
  ),
  changed: Type.Integer({ description: 'How many products would change.' }),
  unchanged: Type.Integer({ description: 'How many would stay as they are.' }),
  refused: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'The product.' }),
      why: Type.String({ description: 'Why it would not be changed, in a sentence.' }),
    }),
    { description: 'The first 500 that cannot be changed so, and will not be.' },
  ),
  refused_count: Type.Integer({ description: 'How many there are of them.' }),
  version: VersionSchema,
  digest: DigestSchema,
});

export const examplePreview: Static<typeof PreviewSchema> = {
  data: [
    {
      id: exampleId,
      name: exampleProduct?.name ?? '',
      field: 'price',
      before: 418_000,
      after: 441_000,
    },
  ],
  changed: 1,
  unchanged: 0,
  refused: [],
  refused_count: 0,
  version: exampleVersion,
  digest: exampleDigest,
};

export const previewToWire = ({
  refusedCount,
  ...preview
}: PricePreview): Static<typeof PreviewSchema> => ({
  ...preview,
  data: [...preview.data],
  refused: [...preview.refused],
  refused_count: refusedCount,
});

export const ChangedSchema = Type.Object({
  changed: Type.Integer({ description: 'How many products were changed.' }),
  version: VersionSchema,
});
export const exampleChanged = { changed: 1, version: exampleVersion };

export const importToWire = ({ problemCount, ...preview }: ImportPreview) => ({
  ...preview,
  problem_count: problemCount,
});
