/** Describes every form in which a filter is accepted, for the OpenAPI document. */
import { type TSchema, Type } from 'typebox';
import { filterTexts, itemSchemas } from './listing.ts';

/** An empty text or null counts as absent. */
const absent = Type.Unsafe({ enum: ['', null] });

/** Booleans, and their text in several languages. */
const switchSchema = Type.Unsafe({
  enum: [false, true, 'false', 'False', 'FALSE', 'true', 'True', 'TRUE'],
});

const table = Type.Enum(['product'], { description: 'Always `product`.' });

const besideItems = (name: string, example: string | number) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: `As the query parameter \`${name}\`. The body wins.`,
      examples: [example],
    }),
  );

const others = {
  page: besideItems('page', 1),
  per_page: besideItems('per_page', 100),
  updated_since: besideItems('updated_since', '2026-01-31T09:30:00.000000Z'),
};

type Items = ReturnType<typeof itemSchemas>;

const jsonBody = (items: Items, operator: string) => {
  const accepted: Readonly<Record<string, TSchema>> = { ...items, pagination: switchSchema };
  const fields = Object.entries(filterTexts).map(([name, description]) => [
    name,
    Type.Optional(Type.Union([accepted[name] ?? absent, absent], { description })),
  ]);
  const filters = Type.Object(Object.fromEntries(fields), {
    additionalProperties: false,
    title: 'ProductFilters',
    description: 'The filters. All are optional.',
  });
  return Type.Object(
    {
      table,
      items: Type.Optional(
        Type.Union([filters, Type.Array(Type.Unknown(), { maxItems: 0 }), Type.Null()], {
          description: 'The filters. Absent, null or `[]` means no filter.',
        }),
      ),
      ...others,
    },
    {
      examples: [
        { table: 'product', items: { name: '30', operator, pagination: false } },
        { table: 'product', items: [] },
        { table: 'product' },
      ],
    },
  );
};

/** Forms write nested names as PHP does. */
const formBody = (operator: string) =>
  Type.Object(
    {
      table,
      ...Object.fromEntries(
        Object.entries(filterTexts).map(([name, description]) => [
          `items[${name}]`,
          Type.Optional(Type.String({ description })),
        ]),
      ),
      ...others,
    },
    { examples: [{ table: 'product', 'items[name]': '30', 'items[operator]': operator }] },
  );

/** The body of the filter, by media type. */
export const describeFilter = (operatorNames: readonly string[]) => {
  const operator = operatorNames[1] ?? 'operator_2';
  return {
    content: {
      'application/json': { schema: jsonBody(itemSchemas(operatorNames), operator) },
      'application/x-www-form-urlencoded': { schema: formBody(operator) },
    },
  };
};
