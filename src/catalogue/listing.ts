/** Defines the wire format of lists and filters, with the leniency of the contract. */
import { type Static, type TSchema, Type } from 'typebox';
import { optionalText } from '../lib/http/query.ts';
import { pagingSchemas } from '../lib/openapi/page.ts';
import { isRecord } from '../lib/record.ts';
import { changeSchemas, sinceText } from './changes/wire.ts';
import { ProductSchema, productModel, productTypes, simCardTypes } from './product.ts';

export const ListingSchema = Type.Object(
  {
    data: Type.Array(ProductSchema, { description: 'The products of the page.' }),
    ...pagingSchemas,
    ...changeSchemas,
    balance: Type.Integer({
      description: 'What you can spend now, without what is held for purchases in progress.',
    }),
  },
  { title: 'ProductPage', description: 'A page of products.' },
);

const examplePath = 'https://gateway.example/api/clients/products';
const exampleTime = '2026-01-31T09:30:00.000000Z';

export const exampleProduct = {
  id: 2007,
  name: 'بسته ۳۰ روزه ۱۰ گیگابایت',
  name_en: '10 GB for 30 days',
  description: '10 GB for 30 days, prepaid.',
  description_full: null,
  sku: null,
  price: 418_000,
  second_price: null,
  showable_price: null,
  type: 'cell_internet',
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: 10_240,
  period: 30,
  sim_card_type: 'credit',
  operator_id: 2,
  profile_id: '230',
  order: 8,
  created_at: exampleTime,
  updated_at: null,
  categories: [
    {
      id: 3,
      name: 'Monthly packages',
      data: '[{"id":31,"text":"30 days","parent":0}]',
      created_at: exampleTime,
      updated_at: null,
      pivot: {
        categorizable_type: productModel,
        categorizable_id: 2007,
        category_id: 3,
        address: '31',
      },
    },
  ],
} as const satisfies Static<typeof ProductSchema>;

/** A page of one product, as the OpenAPI document shows it. */
export const exampleListing = {
  data: [exampleProduct],
  links: {
    first: `${examplePath}?page=1`,
    last: `${examplePath}?page=1`,
    prev: null,
    next: null,
  },
  meta: {
    current_page: 1,
    from: 1,
    last_page: 1,
    links: [
      { url: null, label: '&laquo; Previous', active: false },
      { url: `${examplePath}?page=1`, label: '1', active: true },
      { url: null, label: 'Next &raquo;', active: false },
    ],
    path: examplePath,
    per_page: 100,
    to: 1,
    total: 1,
  },
  balance: 1_000_000,
} satisfies Static<typeof ListingSchema>;

/** The same for `updated_since`. */
export const exampleChanges = {
  ...exampleListing,
  removed: [{ id: 1501, removed_at: '2026-01-31T09:30:00.000001Z' }],
  next_updated_since: '2026-01-31T09:30:00.000002Z',
} satisfies Static<typeof ListingSchema>;

export const ListQuerySchema = Type.Object({
  per_page: Type.Optional(
    Type.String({
      description: 'Products per page, 1 to 100. Any other value means 100.',
      examples: ['100'],
    }),
  ),
  order: Type.Optional(
    Type.Enum(['id'], {
      description: 'Send `id` to sort by ID. Default: by `order`, then by ID.',
      examples: ['id'],
    }),
  ),
  type_order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      description: 'Sort direction. Default: `asc`.',
      examples: ['asc'],
    }),
  ),
  page: Type.Optional(
    Type.String({
      description: 'Page number. A value that is not a positive integer means 1.',
      examples: ['1'],
    }),
  ),
  updated_since: optionalText(sinceText, '2026-01-31T09:30:00.000000Z'),
});

export type ListQuery = Static<typeof ListQuerySchema>;

const filterNames = [
  'name',
  'categories',
  'sim_card_type',
  'type',
  'operator',
  'pagination',
] as const;
type FilterName = (typeof filterNames)[number];

/** What each filter does. */
export const filterTexts: Readonly<Record<FilterName, string>> = {
  name: 'Part of `name` or `name_en`. Case, Arabic or Persian letters and digits, and half-spaces make no difference.',
  categories: 'Send `categories` to receive the categories of each product.',
  sim_card_type: '`credit`: prepaid. `permanent`: postpaid.',
  type: 'Type of product.',
  operator: 'Name of an operator.',
  pagination: 'Send `false` to receive all products in one page.',
};

/** The filters by name. */
export const itemSchemas = (operatorNames: readonly string[]) =>
  ({
    name: Type.String({ description: filterTexts.name }),
    categories: Type.Enum(['categories'], { description: filterTexts.categories }),
    sim_card_type: Type.Enum([...simCardTypes], { description: filterTexts.sim_card_type }),
    type: Type.Enum([...productTypes], { description: filterTexts.type }),
    operator: Type.Enum([...operatorNames], { description: filterTexts.operator }),
    pagination: Type.Enum(['false', 'true'], { description: filterTexts.pagination }),
  }) satisfies Record<FilterName, TSchema>;

/** The schema of a normalized filter. */
export const filterBodySchema = (operatorNames: readonly string[]) => {
  const { name, categories, sim_card_type, type, operator, pagination } =
    itemSchemas(operatorNames);
  return Type.Object({
    table: Type.Enum(['product'], { description: 'Always `product`.' }),
    items: Type.Object(
      {
        name: Type.Optional(name),
        categories: Type.Optional(categories),
        sim_card_type: Type.Optional(sim_card_type),
        type: Type.Optional(type),
        operator: Type.Optional(operator),
        pagination: Type.Optional(pagination),
      },
      { additionalProperties: false, description: 'The filters. All are optional.' },
    ),
    page: Type.Optional(Type.Unknown({ description: 'Wins over the query parameter.' })),
    per_page: Type.Optional(Type.Unknown({ description: 'Wins over the query parameter.' })),
    updated_since: optionalText('Wins over the query parameter.', '2026-01-31T09:30:00.000000Z'),
  });
};

/** Trims the known fields, and drops those that count as absent: null and empty text. */
const tidy = (
  fields: Record<string, unknown>,
  isKnown: (name: string) => boolean = () => true,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([name, value]) => (value !== null && value !== '') || !isKnown(name)),
  );

const isFilterName = (name: string): boolean => filterNames.some((known) => known === name);

export const normalizeQuery = (query: unknown): Record<string, unknown> => {
  const fields = tidy(isRecord(query) ? query : {});
  const direction = fields['type_order'];
  return typeof direction === 'string'
    ? { ...fields, type_order: direction.toLowerCase() }
    : fields;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** How Python and PHP write booleans. */
const switches: ReadonlySet<unknown> = new Set(['false', 'False', 'FALSE', 'true', 'True', 'TRUE']);

/** PHP writes an empty object as `[]`; and a boolean equals its text. */
export const normalizeFilterBody = (body: unknown): unknown => {
  if (body === undefined || body === null || isEmptyList(body)) return { items: {} };
  if (!isRecord(body)) return body;
  const fields = tidy(body);
  const items = isEmptyList(fields['items']) ? {} : (fields['items'] ?? {});
  if (!isRecord(items)) return { ...fields, items };
  const tidied = tidy(items, isFilterName);
  const { pagination } = tidied;
  const isSwitch = typeof pagination === 'boolean' || switches.has(pagination);
  const named = isSwitch ? { pagination: String(pagination).toLowerCase() } : {};
  return { ...fields, items: { ...tidied, ...named } };
};
