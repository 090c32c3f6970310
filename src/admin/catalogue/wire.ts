/** Describes the catalogue as the back office's API shows it. */
import { type Static, Type } from 'typebox';
import { exampleListing, exampleProduct } from '../../catalogue/listing.ts';
import {
  type Product,
  ProductSchema,
  productTypes,
  simCardTypes,
} from '../../catalogue/product.ts';
import type { Locale } from '../../lib/text.ts';
import { isOn } from './filter.ts';
import { sorts } from './listing.ts';
import { revisionOf } from './revision.ts';
import type { ImportPreview } from './worker/messages.ts';

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
export const exampleDigest = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';

export const RevisionSchema = Type.String({
  maxLength: 100,
  description: 'Changes whenever the product does. Send it with your change of the product.',
  examples: [exampleDigest],
});

export const OneSchema = Type.Object(
  { ...properties, on: OnSchema, revision: RevisionSchema },
  { title: 'ProductDetail', description: 'A product with all its fields.' },
);
export const exampleOne = { ...exampleProduct, on: true, revision: exampleDigest };
export const oneToWire = (product: Product): Static<typeof OneSchema> => ({
  ...product,
  on: isOn(product),
  revision: revisionOf(product),
});

export const VersionSchema = Type.String({
  description: 'The version of the catalogue, which changes with every update.',
});

export const digits = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description }));

export const kinds = {
  type: Type.Optional(
    Type.Enum([...productTypes], { description: 'Return only products of this type.' }),
  ),
  sim_card_type: Type.Optional(
    Type.Enum([...simCardTypes], { description: 'Return only products for this SIM type.' }),
  ),
};
const price = (description: string) =>
  Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,14})$', description }));
export const search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Part of a name, an ID, or part of a SKU.',
  }),
);

export const ViewQuery = {
  search,
  operator_id: digits('Return only products of this operator.'),
  category_id: digits('Return only products of this category.'),
  ...kinds,
  on: Type.Optional(Type.Enum(['1', '0'], { description: '`1`: on sale. `0`: disabled.' })),
  price_from: price('Return only products with this price or a higher one.'),
  price_to: price('Return only products with this price or a lower one.'),
  sort: Type.Optional(Type.Enum([...sorts], { description: 'Sort key. Default: `id`.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Sort direction. Default: `asc`.' }),
  ),
};

export const ListQuery = Type.Object({
  ...ViewQuery,
  page: digits('Page number, from 1.'),
  limit: digits('Products per page, 1 to 100. Default: 50.'),
});

export const whole = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const IdsSchema = Type.Array(Type.Integer({ minimum: 1, maximum: whole.maximum }), {
  minItems: 1,
  maxItems: 10_000,
  description: 'The IDs of the products.',
});

export const DigestSchema = Type.String({
  maxLength: 100,
  description: 'The `digest` of the preview.',
  examples: [exampleDigest],
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
