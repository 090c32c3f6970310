/** Describes the tables of the history of prices, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const priceTables = {
  price_changes: {
    id: text,
    at: integer,
    via: oneOf<'edit' | 'import' | 'bulk' | 'revert'>(),
    account_id: orNull(text),
    actor: text,
    asked: orNull(text),
    products: integer,
    reverts: orNull(text),
  },
  price_moves: {
    change_id: text,
    product_id: integer,
    field: oneOf<'price' | 'second_price' | 'showable_price'>(),
    price_before: orNull(integer),
    price_after: orNull(integer),
  },
};
