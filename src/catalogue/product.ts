/** Defines the product: the contract's fields in order, with their rules. */
import { type Static, Type } from 'typebox';
import { lastOperatorId } from '../config/sections/operators.ts';

export const productTypes = ['cell_internet', 'cell_direct_charge', 'td_lte_internet'] as const;
export const simCardTypes = ['credit', 'permanent'] as const;

/** TD-LTE packages exist at this operator only. */
export const tdLteOperator = 2;

/** The name that clients of the original service find in `pivot.categorizable_type`. */
export const productModel = 'Product';

const whole = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const anyValue = (description: string) =>
  Type.Unknown({ description: `${description} Null, or any JSON value.`, examples: [null] });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

export const CategorySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Category identifier.', examples: [3] }),
    name: Type.String({ description: 'Category name.', examples: ['Monthly packages'] }),
    data: Type.String({
      description:
        'A JSON-encoded array of sub-categories: objects with `id` (integer), `text` (string) and `parent` (integer, 0 for the top level).',
      examples: ['[{"id":31,"text":"30 days","parent":0}]'],
    }),
    created_at: orNull(Type.String({ format: 'date-time' }), 'When the category was created.'),
    updated_at: orNull(Type.String({ format: 'date-time' }), 'When it was last updated.'),
    pivot: Type.Object(
      {
        categorizable_type: Type.Literal(productModel, {
          description: 'Always `Product`.',
        }),
        categorizable_id: Type.Integer({ description: 'The ID of the product.', examples: [101] }),
        category_id: Type.Integer({ description: 'The ID of the category.', examples: [3] }),
        address: Type.String({
          description: 'The sub-category of the product.',
          examples: ['31'],
        }),
      },
      { description: 'The link between product and category.' },
    ),
  },
  { title: 'Category', description: 'A category of a product.' },
);

export const ProductSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Product identifier.', examples: [101] }),
    name: Type.String({ description: 'Product name.', examples: ['بسته ۳۰ روزه ۱۰ گیگابایت'] }),
    name_en: orNull(Type.String(), 'Product name in Latin script.'),
    description: Type.String({ description: 'Description.', examples: ['10 GB for 30 days'] }),
    description_full: orNull(Type.String(), 'Longer description.'),
    sku: orNull(Type.String(), 'Stock keeping unit.'),
    price: Type.Integer({
      ...whole,
      description: 'Base price in whole currency units.',
      examples: [330000],
    }),
    second_price: orNull(
      Type.Integer(whole),
      'If set, you can send any whole price from `price` to `second_price`.',
    ),
    showable_price: orNull(Type.Integer(whole), 'A price for display.'),
    type: Type.Enum([...productTypes], {
      description:
        '`cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only).',
    }),
    minimum_sale: orNull(Type.Integer(whole), 'Smallest sale.'),
    dimension: anyValue('Dimension of the product.'),
    score: Type.Integer({ description: 'Score.', examples: [0] }),
    status: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '1: on sale. 0: disabled; it is listed but cannot be bought.',
      examples: [1],
    }),
    options: anyValue('Options of the product.'),
    deliverable: Type.Integer({ minimum: 0, maximum: 1, description: '0 or 1.', examples: [0] }),
    third_party_id: anyValue('Identifier at a third party.'),
    capacity: anyValue('Capacity.'),
    period: orNull(Type.Integer(whole), 'Validity in days.'),
    sim_card_type: Type.Enum([...simCardTypes], {
      description: '`credit` (prepaid SIM) or `permanent` (postpaid SIM).',
    }),
    operator_id: Type.Integer({
      minimum: 1,
      maximum: lastOperatorId,
      description: 'Operator: 1 to 5, or another one that the gateway has.',
    }),
    profile_id: Type.Optional(
      Type.String({
        description:
          'Present on some products only. It is sent to the operator with each purchase.',
      }),
    ),
    order: Type.Integer({ description: 'Sort position.', examples: [10] }),
    created_at: orNull(Type.String({ format: 'date-time' }), 'When the product was created.'),
    updated_at: orNull(Type.String({ format: 'date-time' }), 'When it was last updated.'),
    categories: Type.Array(CategorySchema, { description: 'The categories of the product.' }),
  },
  { title: 'Product', description: 'A product of the catalogue.' },
);

export type Category = Static<typeof CategorySchema>;
export type Product = Static<typeof ProductSchema>;

/** A product of a file: missing times are set when it is stored. */
export type ImportedProduct = Omit<Product, 'created_at' | 'updated_at'> &
  Partial<Pick<Product, 'created_at' | 'updated_at'>>;
