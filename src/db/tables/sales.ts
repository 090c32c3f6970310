/** Describes the tables of what was sold, as the migrations create them. */
import { integer, oneOf, text } from './columns.ts';

export const salesTables = {
  sales: {
    kind: oneOf<'full' | 'month' | 'client' | 'product'>(),
    day: integer,
    client_id: text,
    product_id: integer,
    operator_id: integer,
    sold: integer,
    sold_amount: integer,
    reversed: integer,
    reversed_amount: integer,
  },
  sales_cursors: { client_id: text, seq: integer, time_zone: text },
  sales_zones: { client_id: text, after_seq: integer, time_zone: text },
};
