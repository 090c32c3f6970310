/** Describes price changes and their previews, as the back office's API takes and shows them. */
import { type Static, type TObject, Type } from 'typebox';
import { exampleProduct } from '../../catalogue/listing.ts';
import { ProductSchema } from '../../catalogue/product.ts';
import { closed, textOrNull } from '../wire.ts';
import { priceFields, priceRefusals, roundings } from './prices.ts';
import {
  ChangedSchema,
  DigestSchema,
  exampleChanged,
  exampleDigest,
  exampleId,
  exampleVersion,
  IdsSchema,
  kinds,
  OnSchema,
  search,
  VersionSchema,
  whole,
} from './wire.ts';
import type { PricePreview } from './worker/messages.ts';

const { properties } = ProductSchema;

const exactlyOne = { ...closed, minProperties: 1, maxProperties: 1 };

export const PricesBody = {
  which: Type.Object(
    {
      product_ids: Type.Optional(IdsSchema),
      filter: Type.Optional(
        Type.Object(
          {
            search,
            operator_id: Type.Optional(
              Type.Integer({ description: 'Return only products of this operator.' }),
            ),
            category_id: Type.Optional(
              Type.Integer({ description: 'Return only products of this category.' }),
            ),
            ...kinds,
            on: Type.Optional(OnSchema),
            price_from: Type.Optional(Type.Integer({ ...whole, description: 'The lowest price.' })),
            price_to: Type.Optional(Type.Integer({ ...whole, description: 'The highest price.' })),
          },
          { ...closed, minProperties: 1, description: 'Products that match all fields.' },
        ),
      ),
      everything: Type.Optional(Type.Literal(true, { description: 'All products.' })),
    },
    {
      ...exactlyOne,
      title: 'PriceScope',
      description: 'Which products: exactly one of `product_ids`, `filter` and `everything`.',
    },
  ),
  change: Type.Object(
    {
      percent: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'A percentage such as `5.5`, or `-5.5` to reduce.',
        }),
      ),
      amount: Type.Optional(
        Type.Integer({
          minimum: -whole.maximum,
          maximum: whole.maximum,
          description: 'An amount to add, or to subtract if negative.',
        }),
      ),
      price: Type.Optional(Type.Integer({ ...whole, description: 'The new price.' })),
    },
    {
      ...exactlyOne,
      title: 'PriceUpdate',
      description: 'Exactly one of `percent`, `amount` and `price`.',
    },
  ),
  fields: Type.Optional(
    Type.Array(Type.Enum([...priceFields]), {
      minItems: 1,
      maxItems: priceFields.length,
      uniqueItems: true,
      description: 'The prices to change. Default: `price`. A price that is null stays null.',
    }),
  ),
  round_to: Type.Optional(
    Type.Enum([...roundings], { description: 'Round half up to a multiple of this. Default: 1.' }),
  ),
};

export const examplePriceUpdate: Static<TObject<typeof PricesBody>> = {
  which: { filter: { operator_id: 2 } },
  change: { percent: '5.5' },
  fields: ['price'],
  round_to: 1000,
};

export const FieldSchema = Type.Enum([...priceFields], { description: 'The price field.' });

const percentage = (description: string) => Type.Number({ description });

const SummarySchema = Type.Object(
  {
    before: Type.Integer({ description: 'The sum of the current prices.' }),
    after: Type.Integer({ description: 'The sum of the new prices.' }),
    rounded: Type.Integer({ description: 'How many new prices were rounded.' }),
    percent: Type.Union(
      [
        Type.Object({
          least: percentage('The smallest effect on a price, in percent.'),
          most: percentage('The largest effect on a price, in percent.'),
          average: percentage('The average effect on the prices, in percent.'),
        }),
        Type.Null(),
      ],
      { description: 'The effect after rounding; null if all prices were zero.' },
    ),
  },
  { description: 'The effect on all prices that would change.' },
);

export const PreviewSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: properties.id,
        name: properties.name,
        name_en: properties.name_en,
        field: FieldSchema,
        before: Type.Integer({ description: 'The current price.' }),
        after: Type.Integer({ description: 'The new price.' }),
      }),
      { description: 'The first 500 prices that would change.' },
    ),
    changed: Type.Integer({ description: 'How many products would change.' }),
    unchanged: Type.Integer({ description: 'How many products would stay unchanged.' }),
    refused: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'The ID of the product.' }),
        code: Type.Enum([...priceRefusals], { description: 'Why it cannot be changed.' }),
      }),
      { description: 'The first 500 products that cannot be changed.' },
    ),
    refused_count: Type.Integer({ description: 'How many products cannot be changed.' }),
    summary: SummarySchema,
    version: VersionSchema,
    digest: DigestSchema,
  },
  { title: 'PricePreview', description: 'A preview of a price change.' },
);

export const examplePreview: Static<typeof PreviewSchema> = {
  data: [
    {
      id: exampleId,
      name: exampleProduct.name,
      name_en: exampleProduct.name_en,
      field: 'price',
      before: 418_000,
      after: 441_000,
    },
  ],
  changed: 1,
  unchanged: 0,
  refused: [],
  refused_count: 0,
  summary: {
    before: 418_000,
    after: 441_000,
    rounded: 1,
    percent: { least: 5.5, most: 5.5, average: 5.5 },
  },
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

export const PricedSchema = Type.Object(
  {
    ...ChangedSchema.properties,
    change_id: textOrNull('The ID of the price change, by which it is reverted; null if none.'),
  },
  { title: 'PriceChangeResult', description: 'The result of a price change.' },
);
export const examplePriced = { ...exampleChanged, change_id: exampleVersion };
