/** Describes the catalogue as the back office's API shows it. */
import { type Static, type TObject, Type } from 'typebox';
import { exampleListing, exampleProduct } from '../../catalogue/listing.ts';
import {
  type Product,
  ProductSchema,
  productTypes,
  simCardTypes,
} from '../../catalogue/product.ts';
import type { Locale } from '../../lib/text.ts';
import { closed } from '../wire.ts';
import { isOn } from './filter.ts';
import { sorts } from './listing.ts';
import { priceFields, priceRefusals, roundings } from './prices.ts';
import type { ImportPreview, PricePreview } from './worker/messages.ts';

const { properties } = ProductSchema;

export const OnSchema = Type.Boolean({
  description: 'Whether it is on sale. Disabled products are listed but cannot be bought.',
});

const CategoryName = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the category.' }),
    name: Type.String({ description: 'The name of the category.' }),
  },
  { title: 'CategoryName', description: 'A category by ID and name.' },
);

export const RowSchema = Type.Object(
  {
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
    categories: Type.Array(CategoryName, { description: 'The categories of the product.' }),
    updated_at: properties.updated_at,
  },
  { title: 'Product', description: 'A product in a list.' },
);

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

export const exampleRows = exampleListing.data.map(rowToWire);
export const exampleId = 2007;
export const exampleVersion = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
const exampleDigest = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';

export const OneSchema = Type.Object(
  { ...properties, on: OnSchema },
  { title: 'ProductDetail', description: 'A product with all its fields.' },
);
export const exampleOne = { ...exampleProduct, on: true };
export const oneToWire = (product: Product): Static<typeof OneSchema> => ({
  ...product,
  on: isOn(product),
});

export const VersionSchema = Type.String({
  description: 'The version of the catalogue, which changes with every update.',
});

export const digits = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description }));

const kinds = {
  type: Type.Optional(
    Type.Enum([...productTypes], { description: 'Return only products of this type.' }),
  ),
  sim_card_type: Type.Optional(
    Type.Enum([...simCardTypes], { description: 'Return only products for this SIM type.' }),
  ),
};
const search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Part of a name, an ID, or part of a SKU.',
  }),
);

export const ListQuery = Type.Object({
  search,
  operator_id: digits('Return only products of this operator.'),
  category_id: digits('Return only products of this category.'),
  ...kinds,
  on: Type.Optional(Type.Enum(['1', '0'], { description: '`1`: on sale. `0`: disabled.' })),
  sort: Type.Optional(Type.Enum([...sorts], { description: 'Sort key. Default: `id`.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Sort direction. Default: `asc`.' }),
  ),
  page: digits('Page number, from 1.'),
  limit: digits('Products per page, 1 to 100. Default: 50.'),
});

const whole = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const IdsSchema = Type.Array(Type.Integer({ minimum: 1, maximum: whole.maximum }), {
  minItems: 1,
  maxItems: 10_000,
  description: 'The IDs of the products.',
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
            operator_id: Type.Optional(
              Type.Integer({ description: 'Return only products of this operator.' }),
            ),
            category_id: Type.Optional(
              Type.Integer({ description: 'Return only products of this category.' }),
            ),
            ...kinds,
            on: Type.Optional(OnSchema),
          },
          {
            ...closed,
            description: 'Products that match all fields. Without fields, all products.',
          },
        ),
      ),
    },
    { ...exactlyOne, description: 'Which products: either `product_ids` or `filter`.' },
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
    { ...exactlyOne, description: 'Exactly one of `percent`, `amount` and `price`.' },
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

export const DigestSchema = Type.String({
  maxLength: 100,
  description: 'The `digest` of the preview.',
  examples: [exampleDigest],
});

export const PreviewSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: properties.id,
        name: properties.name,
        field: Type.Enum([...priceFields], { description: 'The price field.' }),
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

export const ChangedSchema = Type.Object(
  {
    changed: Type.Integer({ description: 'How many products were changed.' }),
    version: VersionSchema,
  },
  { title: 'CatalogueChange', description: 'The result of a change.' },
);
export const exampleChanged = { changed: 1, version: exampleVersion };

export const importToWire = ({ problemCount, ...preview }: ImportPreview, locale: Locale) => ({
  ...preview,
  problems: preview.problems.map((one) => ({ ...one, message: one.message[locale] })),
  problem_count: problemCount,
});
