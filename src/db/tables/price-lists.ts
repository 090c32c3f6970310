/** Describes the tables of price lists, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const priceListTables = {
  price_lists: {
    id: integer,
    name: text,
    parent_id: orNull(integer),
    allow_below_cost: integer,
    created_at: integer,
    removed_at: orNull(integer),
  },
  price_versions: {
    list_id: integer,
    number: integer,
    valid_from: integer,
    created_at: integer,
    withdrawn_at: orNull(integer),
  },
  price_entries: {
    id: integer,
    list_id: integer,
    number: integer,
    product_id: orNull(integer),
    category_id: orNull(integer),
    operator_id: orNull(integer),
    product_type: orNull(oneOf<'cell_internet' | 'cell_direct_charge' | 'td_lte_internet'>()),
    commission_amount: orNull(integer),
    commission_percent: orNull(text),
  },
  client_price_lists: { client_id: text, list_id: integer },
};
