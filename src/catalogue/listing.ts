/** Owns the wire form of listings: the schemas of list and filter, and how lenient they are read. */
import { type Static, Type } from 'typebox';
import { ProductSchema, productTypes, simCardTypes } from './product.ts';

const url = Type.String({ format: 'uri' });
const urlOrNull = Type.Union([url, Type.Null()]);
const position = Type.Union([Type.Integer(), Type.Null()]);

export const ListingSchema = Type.Object(
  {
    data: Type.Array(ProductSchema, { description: 'The items of the page.' }),
    links: Type.Object(
      { first: url, last: url, prev: urlOrNull, next: urlOrNull },
      { description: 'First, last and neighbouring pages; null where there is none.' },
    ),
    meta: Type.Object(
      {
        current_page: Type.Integer({ description: 'The page that was asked for.' }),
        from: { ...position, description: 'Position of the first item; null on an empty page.' },
        last_page: Type.Integer({ description: 'Number of the last page, at least 1.' }),
        links: Type.Array(
          Type.Object({ url: urlOrNull, label: Type.String(), active: Type.Boolean() }),
          { description: 'What a row of page buttons shows.' },
        ),
        path: { ...url, description: 'The address without its query.' },
        per_page: Type.Integer({ description: 'Items a page, at most 100.' }),
        to: { ...position, description: 'Position of the last item; null on an empty page.' },
        total: Type.Integer({ description: 'All items.' }),
      },
      { description: 'Where this page stands in the whole list.' },
    ),
    balance: Type.Integer({
      description: 'What you may spend now; funds held for purchases under way are already off it.',
    }),
  },
  { description: 'A page of products.' },
);

export const ListQuerySchema = Type.Object({
  per_page: Type.Optional(
    Type.String({ description: 'Products a page, 1 to 100; anything else counts as 100.' }),
  ),
  order: Type.Optional(
    Type.Enum(['id'], { description: 'Sort by id; without it, by `order` and then id.' }),
  ),
  type_order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Direction of the order, ascending by default.' }),
  ),
  page: Type.Optional(
    Type.String({ description: 'Page number; what is not a positive integer counts as 1.' }),
  ),
});

export type ListQuery = Static<typeof ListQuerySchema>;

export const filterBodySchema = (operatorNames: readonly string[]) =>
  Type.Object(
    {
      table: Type.Enum(['product'], { description: 'Always `product`.' }),
      items: Type.Object(
        {
          name: Type.Optional(
            Type.String({
              description:
                'Part of `name` or `name_en`, without regard to case, Arabic or Persian letters and digits, and half-spaces.',
            }),
          ),
          categories: Type.Optional(
            Type.Enum(['categories'], {
              description: 'Send `categories` to receive the categories of products.',
            }),
          ),
          sim_card_type: Type.Optional(
            Type.Enum([...simCardTypes], {
              description: '`credit`: prepaid; `permanent`: postpaid.',
            }),
          ),
          type: Type.Optional(Type.Enum([...productTypes], { description: 'Kind of product.' })),
          operator: Type.Optional(
            Type.Enum([...operatorNames], { description: 'Name of an operator.' }),
          ),
          pagination: Type.Optional(
            Type.Enum(['false', 'true'], {
              description: 'Send `false` (or the boolean) to receive everything in one page.',
            }),
          ),
        },
        { additionalProperties: false, description: 'The filters; all are optional.' },
      ),
      page: Type.Optional(Type.Unknown({ description: 'Wins over the query parameter.' })),
      per_page: Type.Optional(Type.Unknown({ description: 'Wins over the query parameter.' })),
    },
    {
      examples: [
        { table: 'product', items: { name: '30', operator: operatorNames[1] ?? 'operator_2' } },
      ],
    },
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Trimmed, and without what counts as absent: null and empty text. */
const tidy = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== null && value !== ''),
  );

export const tidyQuery = (query: unknown): Record<string, unknown> => {
  const fields = tidy(isRecord(query) ? query : {});
  const direction = fields['type_order'];
  return typeof direction === 'string'
    ? { ...fields, type_order: direction.toLowerCase() }
    : fields;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** PHP writes an empty object as `[]`; and the boolean stands for its text. */
export const tidyFilterBody = (body: unknown): unknown => {
  if (body === undefined || body === null || isEmptyList(body)) return { items: {} };
  if (!isRecord(body)) return body;
  const fields = tidy(body);
  const items = isEmptyList(fields['items']) ? {} : (fields['items'] ?? {});
  if (!isRecord(items)) return { ...fields, items };
  const { pagination } = items;
  const named = typeof pagination === 'boolean' ? { pagination: String(pagination) } : {};
  return { ...fields, items: tidy({ ...items, ...named }) };
};
