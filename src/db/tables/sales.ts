/** Describes the tables of what was sold, as the migrations create them. */
import { integer, oneOf, text } from './columns.ts';

export const salesTables = {
  sales: {
    kind: oneOf<'full' | 'month' | 'client' | 'product'>(),
    day: integer,
    client_id: text,
    product_id: integer,
    operator_id: integer,
    supplier_id: integer,
    sold: integer,
    sold_price: integer,
    sold_amount: integer,
    sold_cost: integer,
    sold_uncosted: integer,
    sold_uncosted_amount: integer,
    reversed: integer,
    reversed_price: integer,
    reversed_amount: integer,
    reversed_cost: integer,
    reversed_uncosted: integer,
    reversed_uncosted_amount: integer,
    failed: integer,
  },
  sales_cursors: { client_id: text, seq: integer, time_zone: text },
  sales_zones: { client_id: text, after_seq: integer, time_zone: text },
};
