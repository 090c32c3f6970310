/** Describes the table of routes, as the migrations create it. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const routeTables = {
  routes: {
    id: integer,
    version: integer,
    operator_id: integer,
    product_id: orNull(integer),
    category_id: orNull(integer),
    product_type: orNull(oneOf<'cell_internet' | 'cell_direct_charge' | 'td_lte_internet'>()),
    client_id: orNull(text),
    supplier_id: integer,
    product_code: orNull(text),
    cost_amount: orNull(integer),
    cost_percent: orNull(text),
    allow_dearer: integer,
    priority: integer,
    weight: integer,
    hours_from: orNull(integer),
    hours_to: orNull(integer),
    days: orNull(text),
    valid_from: orNull(integer),
    valid_until: orNull(integer),
    enabled: integer,
    created_at: integer,
    closed_at: orNull(integer),
  },
};
